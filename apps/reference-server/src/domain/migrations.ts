import { createTableStatements as postgres } from '@svc/idempotency/stores/postgres'
import { createTableStatements as sqlite } from '@svc/idempotency/stores/sqlite'
import { createSchema, type Migration, type Schema } from '../engine/index.ts'
import { createCatalog, createOrganization, createSales } from './tables.ts'

const steps: Readonly<Record<string, (schema: Schema) => Promise<void>>> = {
  async '0001-tables'(schema) {
    await createOrganization(schema)
    await createCatalog(schema)
    await createSales(schema)
    await createServiceTables(schema)
    await createOutbox(schema)
  },
}

/** The migrations in their order. A released step never changes; a change is another step. */
export const migrations: readonly Migration[] = Object.entries(steps).map(([name, step]) => ({
  name,
  run: (tx) => step(createSchema(tx)),
}))

// Settings, keys of requests, operations with their files, and what came over SOAP.
async function createServiceTables(schema: Schema): Promise<void> {
  const { dialect, run, table, plainTable, sortable, index, id, long, text } = schema
  await plainTable('settings', [`"name" ${text} primary key`, `"value" ${text} not null`])
  for (const statement of dialect === 'sqlite' ? sqlite() : postgres()) await run(statement)

  await table('operations', [
    `"id" ${text} primary key`,
    `"kind" ${text} not null`,
    `"status" ${text} not null`,
    `"userId" ${long}`,
    `"subject" ${text} not null`,
    `"input" ${text} not null`,
    `"result" ${text}`,
    `"error" ${text}`,
    '"percent" integer not null default 0',
    '"attempts" integer not null default 0',
    `"leaseUntil" ${text}`,
  ])
  await index('operations', ['status', 'leaseUntil'])
  await index('operations', ['subject', 'createdAt'])
  // Files are deleted with their operation.
  await plainTable('exports', [
    `"operationId" ${text} primary key references "operations" ("id") on delete cascade`,
    `"type" ${text} not null`,
    `"name" ${text} not null`,
    `"content" ${text} not null`,
  ])

  await table('soap_events', [
    id,
    `"type" ${text} not null`,
    `"timestamp" ${text} not null`,
    `"source" ${text} not null`,
    `"detail" ${text}`,
    `"subject" ${text} not null`,
  ])
  await sortable('soap_events', ['type', 'timestamp', 'source', 'createdAt'])
  await table('notifications', [id, `"message" ${text} not null`, `"subject" ${text} not null`])
  await sortable('notifications', ['createdAt'])
  await plainTable('soap_nonces', [`"nonce" ${text} primary key`, `"untilMs" ${long} not null`])
  await index('soap_nonces', ['untilMs'])
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
async function createOutbox({ plainTable, index, run, dialect, text, randomHex }: Schema): Promise<void> {
  await plainTable('webhook_messages', [
    `"id" ${text} primary key`,
    `"type" ${text} not null`,
    `"path" ${text} not null`,
    `"createdAt" ${text} not null`,
    '"attempts" integer not null default 0',
    `"dueAt" ${text}`,
  ])
  await index('webhook_messages', ['dueAt'])
  const triggers = dialect === 'sqlite' ? sqliteTriggers(randomHex) : postgresTriggers(randomHex)
  for (const statement of triggers) await run(statement)
}

const COLUMNS = '"id", "type", "path", "createdAt", "dueAt"'
const IS_ON = `(select "value" from "settings" where "name" = 'webhooks') = 'on'`

function sqliteTriggers(randomHex: string): string[] {
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

function postgresTriggers(randomHex: string): string[] {
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
