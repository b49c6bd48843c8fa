import { setTimeout } from 'node:timers/promises'
import { SoapFault } from '../fault.ts'

/** A message to send. */
export interface OutgoingMessage {
  /** Writes the message for one attempt: a service accepts a nonce or a signature once. */
  readonly write: () => WrittenMessage
  readonly signal: AbortSignal | undefined
  /** Whether it may be sent more than once. */
  readonly isIdempotent: boolean
}

export interface WrittenMessage {
  readonly headers: Headers | Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
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
 *
 * @param receive - reads the response. An error that is not a SoapFault means that it broke off
 */
export async function exchange<Reply>(
  message: OutgoingMessage,
  options: ExchangeOptions,
  receive: (response: Response) => Promise<Reply>,
): Promise<Reply> {
  const { write, signal, isIdempotent } = message
  const { maxRetries = 2 } = options
  for (let attempt = 0; ; attempt++) {
    const isLast = !isIdempotent || attempt >= maxRetries
    const retry = (error: unknown): void => {
      if (isLast || signal?.aborted || error instanceof SoapFault) throw error
    }
    const response = await sendOnce(write(), signal, options).catch(retry)
    if (response && response.status >= 300 && response.status < 400) {
      await discard(response)
      throw new Error(`the service responded ${response.status}: redirects are not followed, set the new endpoint`)
    }
    if (response && (isLast || (response.status !== 429 && response.status !== 503))) {
      const reply = await receive(response).catch(retry)
      if (reply !== undefined) return reply
    } else if (response) await discard(response)
    await wait((response && retryAfterMs(response)) ?? backoffMs(attempt), signal)
  }
}

function sendOnce(
  { headers, body }: WrittenMessage,
  signal: AbortSignal | undefined,
  { endpoint, timeoutMs = 30_000, fetch: send = fetch }: ExchangeOptions,
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs)
  return send(endpoint, {
    method: 'POST',
    headers,
    body,
    // A stream is sent before the response is read (WHATWG Fetch requires the word).
    ...(body instanceof ReadableStream && { duplex: 'half' }),
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  })
}

/** Cancels the content of a response, which may have broken off. */
export async function discard({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => {})
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
