import type { Database } from '../database/database.ts'
import type { EventLog } from './operations.ts'

/** Keeps what one-way messages bring; admins read it at /soap-events and /notifications. */
export function eventLog({ db }: Database): EventLog {
  const kept = (by: string | undefined): { subject: string; createdAt: string; updatedAt: string } => {
    const now = new Date().toISOString()
    return { subject: by ?? '', createdAt: now, updatedAt: now }
  }
  return {
    async event({ type, timestamp, source, detail = null }, by) {
      const values = { type, timestamp: momentOf(timestamp), source, detail, ...kept(by) }
      await db.insertInto('soap_events').values(values).execute()
    },
    async notification(message, by) {
      await db
        .insertInto('notifications')
        .values({ message, ...kept(by) })
        .execute()
    },
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
