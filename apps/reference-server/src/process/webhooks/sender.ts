import { createHmac } from 'node:crypto'
import type { Logger } from 'pino'
import type { Webhook } from '../../config.ts'
import type { Database } from '../../database/connection.ts'
import { type Poller, startPolling } from '../poller.ts'
import { again, received, type TakenMessage, takeMessage } from './outbox.ts'

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
 * Tells a receiver what changed, at least once, in the way of Standard Webhooks. A message says what and where, and
 * nothing that needs a scope: the receiver asks for the item with credentials of its own.
 */
export function startSender({ database, webhook, publicUrl, log, pauses = PAUSES }: SenderParts): Poller {
  const turn = async (stopping: AbortSignal): Promise<void> => {
    for (let message = await takeMessage(database); message; message = await takeMessage(database)) {
      const refusal = await deliver(message, webhook, publicUrl, stopping)
      // Whoever starts next takes it up again when its lease is over.
      if (stopping.aborted && refusal !== undefined) return
      if (refusal === undefined) await received(database, message)
      else await settle(message, refusal)
      if (stopping.aborted) return
    }
  }
  const settle = async (message: TakenMessage, reason: string): Promise<void> => {
    const pause = pauses[message.attempt - 1]
    const { id, type, path, attempt } = message
    const about = { webhook: id, type, path, attempt, reason }
    if (pause === undefined) log.error(about, 'a webhook was given up')
    else log.warn(about, 'a webhook was not received')
    await again(database, message, pause)
  }
  return startPolling(POLL_MS, turn, (err) => log.warn({ err }, 'webhooks cannot be sent'))
}

// Says why a message was not received; `undefined`: it was.
async function deliver(
  { id, type, path, createdAt }: TakenMessage,
  { url, secret }: Webhook,
  publicUrl: string,
  stopping: AbortSignal,
): Promise<string | undefined> {
  const body = JSON.stringify({ type, timestamp: createdAt, data: { href: publicUrl + path } })
  const headers = { 'content-type': 'application/json', ...signatureFields(id, body, secret, Date.now()) }
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    await answer.body?.cancel()
    return answer.ok ? undefined : `answered ${answer.status}`
  } catch (error) {
    const { name, cause } = error as Error
    return cause instanceof Error ? cause.message : name
  }
}

/** The fields that let a receiver know who sent a message, and when (Standard Webhooks, `v1`: HMAC-SHA256). */
export function signatureFields(id: string, body: string, secret: Buffer, nowMs: number): Record<string, string> {
  const seconds = Math.floor(nowMs / 1000)
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}
