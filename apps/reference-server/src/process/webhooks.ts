import { createHmac } from 'node:crypto'
import type { Logger } from 'pino'
import type { Webhook } from '../config.ts'
import { type Connection, type Database, skipLocked } from '../database/connection.ts'
import type { MaybePromise } from '../database/maybe-promise.ts'
import { type Poller, startPolling } from './poller.ts'

export interface SenderParts {
  database: Database
  webhook: Webhook
  /** Start of links. Links are paths if it is empty. */
  publicUrl: string
  log: Logger
  /** Milliseconds before each further attempt. */
  pauses?: readonly number[]
}

const POLL_MS = 250
const TIMEOUT_MS = 10_000
const [MINUTE, HOUR] = [60_000, 3_600_000]
// A receiver may be away for three days (Standard Webhooks, retry schedule).
const PAUSES = [5000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]

/**
 * Sends changes to a receiver, at least once, by the rules of Standard Webhooks. A message contains
 * the kind of the change and a link, nothing that needs a scope: the receiver requests the item
 * with its own credentials.
 */
export function startSender({ database, webhook, publicUrl, log, pauses = PAUSES }: SenderParts): Poller {
  const turn = async (stopping: AbortSignal): Promise<void> => {
    for (let message = await takeMessage(database); message; message = await takeMessage(database)) {
      const reason = await deliver(message, webhook, publicUrl, stopping)
      // Another process sends it again when its lease has expired.
      if (stopping.aborted && reason !== undefined) return
      if (reason === undefined) await database.run('delete from "webhook_messages" where "id" = ?', [message.id])
      else await postpone(message, reason)
      if (stopping.aborted) return
    }
  }
  // After the last pause there is no attempt, and the message stays for an operator.
  const postpone = async ({ id, type, path, attempt }: TakenMessage, reason: string): Promise<void> => {
    const pause = pauses[attempt - 1]
    const about = { webhook: id, type, path, attempt, reason }
    if (pause === undefined) log.error(about, 'a webhook was dropped')
    else log.warn(about, 'a webhook was not received')
    const dueAt = pause === undefined ? null : toTimestamp(Date.now() + pause)
    await database.run('update "webhook_messages" set "dueAt" = ? where "id" = ?', [dueAt, id])
  }
  return startPolling(POLL_MS, turn, (err) => log.warn({ err }, 'webhooks cannot be sent'))
}

// Returns why a message was not received; `undefined` if it was.
async function deliver(
  { id, type, path, createdAt }: TakenMessage,
  { url, secret }: Webhook,
  publicUrl: string,
  stopping: AbortSignal,
): Promise<string | undefined> {
  const body = JSON.stringify({ type, timestamp: createdAt, data: { href: publicUrl + path } })
  const headers = { 'content-type': 'application/json', ...createSignatureHeaders(id, body, secret) }
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    await response.body?.cancel()
    return response.ok ? undefined : `responded ${response.status}`
  } catch (error) {
    const { name, cause }: Error = Object(error)
    return cause instanceof Error ? cause.message : name
  }
}

/** Creates the signature headers of a message (Standard Webhooks, `v1`: HMAC-SHA256). */
function createSignatureHeaders(id: string, body: string, secret: Buffer): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}

/** Message that this process has taken. No other process tries it before its lease expires. */
interface TakenMessage {
  id: string
  /** Event: `order.created`, `.updated`, `.deleted`. */
  type: string
  /** Path of the item, which may be deleted. */
  path: string
  createdAt: string
  attempt: number
}

/** Longer than an attempt can last. */
const LEASE_MS = 30_000

/**
 * Takes the message that is due first. Only one of several processes gets it. Those of one
 * millisecond in SQLite are taken in the order of their changes; PostgreSQL has microseconds.
 */
function takeMessage(db: Connection): MaybePromise<TakenMessage | undefined> {
  const now = Date.now()
  const next = db.dialect === 'sqlite' ? '"rowid"' : '"id"'
  const first = `select "id" from "webhook_messages" where "dueAt" <= ? order by "dueAt", ${next} limit 1${skipLocked(db)}`
  const sql = `update "webhook_messages" set "attempts" = "attempts" + 1, "dueAt" = ? where "id" = (${first})
    returning "id", "type", "path", "createdAt", "attempts" as "attempt"`
  return db.get<TakenMessage>(sql, [toTimestamp(now + LEASE_MS), toTimestamp(now)])
}

function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
