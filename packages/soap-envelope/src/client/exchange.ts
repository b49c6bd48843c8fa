import { setTimeout } from 'node:timers/promises'

/** A message to send. */
export interface OutgoingMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  readonly signal: AbortSignal | undefined
  /** Whether it may be sent more than once. */
  readonly isIdempotent: boolean
}

/** The options of the client that an exchange uses. */
export interface ExchangeOptions {
  endpoint: string
  timeoutMs?: number
  maxRetries?: number
  fetch?: typeof fetch
}

const FIRST_WAIT_MS = 200
const MAX_WAIT_MS = 5_000

/**
 * Sends a message and returns the response. One that may be sent more than once is sent again after
 * a network error, a timeout, 429 or 503: after the time that `Retry-After` names, up to five
 * seconds, or a growing random one. Redirects are not followed: they would send credentials
 * elsewhere.
 */
export async function exchange(message: OutgoingMessage, options: ExchangeOptions): Promise<Response> {
  const { maxRetries = 2 } = options
  for (let attempt = 0; ; attempt++) {
    const isLast = !message.isIdempotent || attempt >= maxRetries
    try {
      const response = await sendOnce(message, options)
      if (isLast || (response.status !== 429 && response.status !== 503)) return response
      await response.body?.cancel()
      await wait(retryAfterMs(response) ?? backoffMs(attempt), message.signal)
    } catch (error) {
      if (isLast || message.signal?.aborted) throw error
      await wait(backoffMs(attempt), message.signal)
    }
  }
}

async function sendOnce(message: OutgoingMessage, options: ExchangeOptions): Promise<Response> {
  const { endpoint, timeoutMs = 30_000 } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  const response = await (options.fetch ?? fetch)(endpoint, {
    method: 'POST',
    headers: message.headers,
    body: message.body,
    // A stream is sent before the response is read (WHATWG Fetch requires the word).
    ...(message.body instanceof ReadableStream && { duplex: 'half' }),
    redirect: 'manual',
    signal: message.signal ? AbortSignal.any([message.signal, timeout]) : timeout,
  })
  if (response.status < 300 || response.status >= 400) return response
  await response.body?.cancel()
  throw new Error(`the service responded ${response.status}: redirects are not followed, set the new endpoint`)
}

async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await setTimeout(ms, undefined, signal ? { signal } : {})
  } catch {
    throw signal?.reason
  }
}

function backoffMs(attempt: number): number {
  return Math.random() * FIRST_WAIT_MS * 2 ** attempt
}

function retryAfterMs({ headers }: Response): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_WAIT_MS)
}
