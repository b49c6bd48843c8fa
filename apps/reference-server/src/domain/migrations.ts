import { createTableStatements as postgres } from '@svc/idempotency/stores/postgres'
import { createTableStatements as sqlite } from '@svc/idempotency/stores/sqlite'
import { type Connection, createSchema, type Migration, quoted, type Schema } from '../engine/index.ts'
import tables from './tables.json' with { type: 'json' }

/** The migrations in their order. A released step never changes; a change is another step. */
export const migrations: readonly Migration[] = [{ name: '0001-tables', run: createTables }]

async function createTables(tx: Connection): Promise<void> {
  const schema = createSchema(tx)
  const { dialect, run } = schema
  for (const [name, table] of Object.entries<Table>(tables)) await createTable(name, table, schema)
  for (const statement of dialect === 'sqlite' ? sqlite() : postgres()) await run(statement)
  for (const trigger of dialect === 'sqlite' ? sqliteTriggers(schema) : postgresTriggers(schema)) await run(trigger)
}

/** A table of `tables.json`. */
interface Table {
  /** Why it is like this. */
  about?: string
  /** Whether it lacks the columns of resources. */
  isPlain?: boolean
  /** SQL of each column. The types `text` and `long` differ between databases. */
  columns: Readonly<Record<string, string>>
  primaryKey?: readonly string[]
  /** Expressions, by the field that the rule is named after. */
  unique?: Readonly<Record<string, string>>
  sortable?: readonly (string | readonly string[])[]
  indexes?: readonly (readonly string[])[]
}

async function createTable(name: string, declared: Table, schema: Schema): Promise<void> {
  const { columns, isPlain, primaryKey, unique = {}, sortable = [], indexes = [] } = declared
  const { id, text, long, randomHex } = schema
  const lines = Object.entries(columns).map(([column, sql]) => {
    const typed = sql.replace(/^(?:text|long)\b/, (type) => (type === 'text' ? text : long))
    return `${quoted(column)} ${typed.replace('{randomHex}', randomHex)}`
  })
  if (!isPlain && !columns['id']) lines.unshift(id)
  if (primaryKey) lines.push(`primary key (${primaryKey.map(quoted).join(', ')})`)
  await (isPlain ? schema.plainTable(name, lines) : schema.table(name, lines))
  for (const [field, expression] of Object.entries(unique)) await schema.unique(name, field, expression)
  await schema.sortable(name, sortable)
  for (const indexed of indexes) await schema.index(name, indexed)
}

/** Tables whose changes are sent, with the name of one of their items. */
const WATCHED = {
  customers: 'customer',
  employees: 'employee',
  orders: 'order',
  payments: 'payment',
  products: 'product',
  transfers: 'transfer',
}

// The outbox of webhooks. Triggers fill it, so that a message exists if and only if its change
// does, whatever made the change; the setting `webhooks` turns them on.
const COLUMNS = '"id", "type", "path", "createdAt", "dueAt"'
const IS_ON = `(select "value" from "settings" where "name" = 'webhooks') = 'on'`

function sqliteTriggers({ randomHex }: Schema): string[] {
  const now = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`
  const events = [
    ['insert', 'created', 'new'],
    ['update', 'updated', 'new'],
    ['delete', 'deleted', 'old'],
  ] as const
  return Object.entries(WATCHED).flatMap(([table, item]) =>
    events.map(
      ([event, verb, row]) => `create trigger "${table}_${verb}" after ${event} on "${table}" when ${IS_ON}
        begin
          insert into "webhook_messages" (${COLUMNS})
          values ('msg_' || ${randomHex}, '${item}.${verb}', '/${table}/' || ${row}."id", ${now}, ${now});
        end`,
    ),
  )
}

function postgresTriggers({ randomHex }: Schema): string[] {
  const now = `to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const createFunction = `create function webhook_message() returns trigger language plpgsql as $$ begin
      if ${IS_ON} then
        insert into "webhook_messages" (${COLUMNS})
        values (
          'msg_' || ${randomHex},
          TG_ARGV[0] || case TG_OP when 'INSERT' then '.created' when 'UPDATE' then '.updated' else '.deleted' end,
          '/' || TG_TABLE_NAME || '/' || coalesce(new."id", old."id"), ${now}, ${now});
      end if;
      return null;
    end $$`
  const triggers = Object.entries(WATCHED).map(
    ([table, item]) => `create trigger "${table}_changed" after insert or update or delete on "${table}"
      for each row execute function webhook_message('${item}')`,
  )
  return [createFunction, ...triggers]
}
