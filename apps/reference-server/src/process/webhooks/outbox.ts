import type { Database, Db } from '../../database/database.ts'
import { run, statement } from '../../database/query.ts'

/** A message that this process has taken, and nobody else tries before its lease is over. */
export interface TakenMessage {
  id: string
  /** What happened: `order.created`, `.updated`, `.deleted`. */
  type: string
  /** Where the item is, or was. */
  path: string
  createdAt: string
  /** Counts the attempts, with this one. */
  attempt: number
}

/** Longer than an attempt can last. */
const LEASE_MS = 30_000

/** Says whether changes leave messages from now on, in all processes on this database. */
export async function fillOutbox({ db }: Database, isOn: boolean): Promise<void> {
  const value = isOn ? 'on' : 'off'
  await db
    .insertInto('settings')
    .values({ name: 'webhooks', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Takes the message that is due first. Of several processes one gets it. */
export async function takeMessage({ db, dialect }: Database): Promise<TakenMessage | undefined> {
  const now = Date.now()
  const first = `select "id" from "webhook_messages" where "dueAt" <= ? order by "dueAt", "id" limit 1`
  const text = `update "webhook_messages" set "attempts" = "attempts" + 1, "dueAt" = ?
    where "id" = (${first}${dialect === 'postgres' ? ' for update skip locked' : ''})
    returning "id", "type", "path", "createdAt", "attempts"`
  const [row] = await run(db, statement(dialect, text), [timeOf(now + LEASE_MS), timeOf(now)])
  if (!row) return undefined
  const { id, type, path, createdAt, attempts } = row
  return {
    id: String(id),
    type: String(type),
    path: String(path),
    createdAt: String(createdAt),
    attempt: Number(attempts),
  }
}

/** Forgets a message that was received. */
export async function received(db: Db, { id }: TakenMessage): Promise<void> {
  await db.deleteFrom('webhook_messages').where('id', '=', id).execute()
}

/** Plans the next attempt. Without a pause there is none: the message stays, for somebody to look at. */
export async function again(db: Db, { id }: TakenMessage, pauseMs: number | undefined): Promise<void> {
  const dueAt = pauseMs === undefined ? null : timeOf(Date.now() + pauseMs)
  await db.updateTable('webhook_messages').set({ dueAt }).where('id', '=', id).execute()
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
