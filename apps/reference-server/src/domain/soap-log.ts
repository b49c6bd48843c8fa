import { collection, type Database, field, insertRows } from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }
import { creationTime } from './rules.ts'
import type { Event } from './soap/customer-v2.ts'
import type { Sender } from './soap/message.ts'

export const soapEvents = collection({
  name: 'soap-events',
  item: 'soap-event',
  description: 'Events that clients logged over SOAP.',
  example: examples.soapEvents,
  table: 'soap_events',
  fields: {
    type: field.text({ max: 64 }).readOnly().describe('Kind of event.'),
    timestamp: field.dateTime().readOnly().describe('When it happened.'),
    source: field.text({ max: 1000 }).readOnly().describe('System that reported it.'),
    detail: field.prose({ max: 100_000 }).readOnly().optional().describe('More about it.'),
    subject: field.text({ max: 200 }).readOnly().describe('User who logged it.'),
    createdAt: creationTime,
  },
  sort: ['type', 'timestamp', 'source', 'createdAt'],
  methods: ['GET'],
  cache: 'private',
})

export const notifications = collection({
  name: 'notifications',
  item: 'notification',
  description: 'Notifications that clients sent over SOAP.',
  example: examples.notifications,
  fields: {
    message: field.prose({ max: 100_000 }).readOnly().describe('Text of the notification.'),
    subject: field.text({ max: 200 }).readOnly().describe('User who sent it.'),
    createdAt: creationTime,
  },
  sort: ['createdAt'],
  methods: ['GET'],
  cache: 'private',
})

export type EventLog = ReturnType<typeof eventLog>

/** Stores one-way messages. Administrators read them at /soap-events and /notifications. */
export function eventLog(database: Database) {
  const store = (
    table: string,
    values: Record<string, string | null>,
    { caller, beforeCommit }: Sender,
  ): Promise<void> => {
    const now = new Date().toISOString()
    const row = {
      ...values,
      subject: caller?.subject ?? '',
      createdAt: now,
      updatedAt: now,
    }
    return database.transaction(async (tx) => {
      await insertRows(tx, table, [row])
      beforeCommit()
    })
  }
  return {
    event: ({ type, timestamp, source, detail }: Event, sender: Sender) =>
      store('soap_events', { type, timestamp: toMoment(timestamp), source, detail: detail ?? null }, sender),
    notification: (message: string, sender: Sender) => store('notifications', { message }, sender),
  }
}

/** Converts a time of XML Schema to UTC. A time without a zone is in UTC already. */
function toMoment(dateTime: string): string {
  const text = dateTime.trim()
  const isZoned = /(?:Z|[+-]\d\d:\d\d)$/.test(text)
  const time = Date.parse(isZoned ? text : `${text}Z`)
  // A year that Date cannot hold is still valid, so the text is stored as it was sent.
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}
