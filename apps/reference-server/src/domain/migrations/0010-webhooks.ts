import type { Dialect } from '../../database/connection.ts'
import type { Schema } from './schema.ts'

/** The tables whose changes are told, with the name of one of their items. */
const WATCHED = {
  customers: 'customer',
  employees: 'employee',
  orders: 'order',
  payments: 'payment',
  products: 'product',
  transfers: 'transfer',
}

/**
 * The outbox of webhooks. Triggers fill it, so that a message is there if and only if its change is, whoever made the
 * change; the setting `webhooks` turns them on.
 */
export async function up({ plainTable, index, run, dialect, text }: Schema): Promise<void> {
  await plainTable('webhook_messages', [
    `"id" ${text} primary key`,
    `"type" ${text} not null`,
    `"path" ${text} not null`,
    `"createdAt" ${text} not null`,
    '"attempts" integer not null default 0',
    `"dueAt" ${text}`,
  ])
  await index('webhook_messages', ['dueAt'])
  for (const statement of TRIGGERS[dialect]()) await run(statement)
}

const TRIGGERS: Readonly<Record<Dialect, () => string[]>> = {
  sqlite() {
    const now = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`
    const trigger = (table: string, item: string, [event, verb, row]: readonly [string, string, string]): string => `
      create trigger "${table}_${verb}" after ${event} on "${table}"
      when (select "value" from "settings" where "name" = 'webhooks') = 'on'
      begin
        insert into "webhook_messages" ("id", "type", "path", "createdAt", "dueAt")
        values ('msg_' || lower(hex(randomblob(16))), '${item}.${verb}', '/${table}/' || ${row}."id", ${now}, ${now});
      end`
    const events = [
      ['insert', 'created', 'new'],
      ['update', 'updated', 'new'],
      ['delete', 'deleted', 'old'],
    ] as const
    return Object.entries(WATCHED).flatMap(([table, item]) => events.map((event) => trigger(table, item, event)))
  },
  postgres() {
    const now = `to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    const message = `
      create function webhook_message() returns trigger language plpgsql as $$ begin
        if (select "value" from "settings" where "name" = 'webhooks') = 'on' then
          insert into "webhook_messages" ("id", "type", "path", "createdAt", "dueAt")
          values (
            'msg_' || replace(gen_random_uuid()::text, '-', ''),
            TG_ARGV[0] || case TG_OP when 'INSERT' then '.created' when 'UPDATE' then '.updated' else '.deleted' end,
            '/' || TG_TABLE_NAME || '/' || coalesce(new."id", old."id"), ${now}, ${now});
        end if;
        return null;
      end $$`
    const trigger = ([table, item]: [string, string]): string => `
      create trigger "${table}_changed" after insert or update or delete on "${table}"
      for each row execute function webhook_message('${item}')`
    return [message, ...Object.entries(WATCHED).map(trigger)]
  },
}
