import { createSchema, type Database, readSetting, type Schema, writeSetting } from '../engine/index.ts'

/** Tables whose changes are sent, with the name of one of their items. */
const WATCHED = {
  customers: 'customer',
  employees: 'employee',
  orders: 'order',
  payments: 'payment',
  products: 'product',
  transfers: 'transfer',
}

const SETTING = 'webhooks'
const COLUMNS = '"id", "type", "path", "createdAt", "dueAt"'

/**
 * Sets whether changes create messages from now on, in all processes on this database. Triggers
 * fill the outbox, so that a message exists if and only if its change does, whatever made the
 * change. They exist only while messages are wanted: SQLite copies each page that a statement with
 * a trigger changes.
 */
export async function fillOutbox(database: Database, isOn: boolean): Promise<void> {
  const value = isOn ? 'on' : 'off'
  if ((await readSetting(database, SETTING)) === value) return
  await database.transaction(async (tx) => {
    await writeSetting(tx, SETTING, value)
    const schema = createSchema(tx)
    const triggers = schema.dialect === 'sqlite' ? sqliteTriggers(schema) : postgresTriggers(schema)
    for (const statement of isOn ? triggers.create : triggers.drop) await schema.run(statement)
  })
}

interface Triggers {
  create: string[]
  drop: string[]
}

function sqliteTriggers({ randomHex }: Schema): Triggers {
  const now = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`
  const events = [
    ['insert', 'created', 'new'],
    ['update', 'updated', 'new'],
    ['delete', 'deleted', 'old'],
  ] as const
  const all = Object.entries(WATCHED).flatMap(([table, item]) =>
    events.map((event) => [table, item, ...event] as const),
  )
  return {
    create: all.map(
      ([table, item, event, verb, row]) => `create trigger if not exists "${table}_${verb}" after ${event} on "${table}"
        begin
          insert into "webhook_messages" (${COLUMNS})
          values ('msg_' || ${randomHex}, '${item}.${verb}', '/${table}/' || ${row}."id", ${now}, ${now});
        end`,
    ),
    drop: all.map(([table, , , verb]) => `drop trigger if exists "${table}_${verb}"`),
  }
}

function postgresTriggers({ randomHex }: Schema): Triggers {
  const format = (fraction: string): string =>
    `to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.${fraction}"Z"')`
  const createFunction = `create or replace function webhook_message() returns trigger language plpgsql as $$ begin
      insert into "webhook_messages" (${COLUMNS})
      values (
        'msg_' || ${randomHex},
        TG_ARGV[0] || case TG_OP when 'INSERT' then '.created' when 'UPDATE' then '.updated' else '.deleted' end,
        '/' || TG_TABLE_NAME || '/' || coalesce(new."id", old."id"), ${format('MS')}, ${format('US')});
      return null;
    end $$`
  const createTriggers = Object.entries(WATCHED).map(
    ([table, item]) => `create or replace trigger "${table}_changed" after insert or update or delete on "${table}"
      for each row execute function webhook_message('${item}')`,
  )
  const drop = Object.keys(WATCHED).map((table) => `drop trigger if exists "${table}_changed" on "${table}"`)
  return { create: [createFunction, ...createTriggers], drop }
}
