import type { AuthenticatedUser } from '@svc/soap-envelope'
import { type Database, insertRows } from '../../database/connection.ts'
import type { Caller } from '../../security/caller.ts'
import type { EventLog } from './operations.ts'

/** Keeps what one-way messages bring; admins read it at /soap-events and /notifications. */
export function eventLog(database: Database, beforeCommit: () => void): EventLog {
  const keep = (
    table: string,
    values: Record<string, string | null>,
    by: AuthenticatedUser | undefined,
  ): Promise<void> => {
    const now = new Date().toISOString()
    const row = {
      ...values,
      subject: (by?.subject as Caller | undefined)?.subject ?? '',
      createdAt: now,
      updatedAt: now,
    }
    return database.transaction(async (tx) => {
      await insertRows(tx, table, [row])
      beforeCommit()
    })
  }
  return {
    event: ({ type, timestamp, source, detail = null }, by) =>
      keep('soap_events', { type, timestamp: momentOf(timestamp), source, detail }, by),
    notification: (message, by) => keep('notifications', { message }, by),
  }
}

/** A time of XML Schema as the service writes times: UTC, where no zone is named too. */
export function momentOf(dateTime: string): string {
  const text = dateTime.trim()
  const isZoned = /(?:Z|[+-]\d\d:\d\d)$/.test(text)
  const time = Date.parse(isZoned ? text : `${text}Z`)
  // A year that Date cannot hold is still a time: it stays as it was sent.
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}
