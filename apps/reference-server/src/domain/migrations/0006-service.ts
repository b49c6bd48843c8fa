import type { Schema } from './schema.ts'

/** What the service itself keeps: settings, work to be done, events and notifications of SOAP. */
export async function up({ table, plainTable, sortable, index, id, long, text }: Schema): Promise<void> {
  await plainTable('settings', [`"name" ${text} primary key`, `"value" ${text} not null`])

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
}
