import { type Connection, skipLocked } from '../../database/connection.ts'
import type { MaybePromise } from '../../database/maybe-promise.ts'
import { writeSetting } from '../../database/settings.ts'

/** Message that this process has taken. No other process tries it before its lease expires. */
export interface TakenMessage {
  id: string
  /** Event: `order.created`, `.updated`, `.deleted`. */
  type: string
  /** Path of the item, which may be deleted. */
  path: string
  createdAt: string
  /** Counts the attempts, with this one. */
  attempt: number
}

/** Longer than an attempt can last. */
const LEASE_MS = 30_000

/** Sets whether changes leave messages from now on, in all processes on this database. */
export async function fillOutbox(db: Connection, isOn: boolean): Promise<void> {
  await writeSetting(db, 'webhooks', isOn ? 'on' : 'off')
}

/** Takes the message that is due first. Of several processes one gets it. */
export function takeMessage(db: Connection): MaybePromise<TakenMessage | undefined> {
  const now = Date.now()
  const first = `select "id" from "webhook_messages" where "dueAt" <= ? order by "dueAt", "id" limit 1${skipLocked(db)}`
  const sql = `update "webhook_messages" set "attempts" = "attempts" + 1, "dueAt" = ? where "id" = (${first})
    returning "id", "type", "path", "createdAt", "attempts" as "attempt"`
  return db.get<TakenMessage>(sql, [timeOf(now + LEASE_MS), timeOf(now)])
}

/** Deletes a message that was received. */
export async function received(db: Connection, { id }: TakenMessage): Promise<void> {
  await db.run('delete from "webhook_messages" where "id" = ?', [id])
}

/** Plans the next attempt. Without a pause there is none: the message stays for an operator to look at. */
export async function again(db: Connection, { id }: TakenMessage, pauseMs: number | undefined): Promise<void> {
  const dueAt = pauseMs === undefined ? null : timeOf(Date.now() + pauseMs)
  await db.run('update "webhook_messages" set "dueAt" = ? where "id" = ?', [dueAt, id])
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
