import type { RecognizedError } from '../classification.ts'

/** A dependency of the service is temporarily unavailable. */
export const RETRY_LATER: RecognizedError = { status: 503, headers: { 'Retry-After': '5' } }

const CODES = new Set<unknown>([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_SOCKET',
])

/** Recognizes connections that failed or timed out; `fetch` has the reason as its cause. */
export function fromNetwork(error: object): RecognizedError | undefined {
  const { code, name, cause } = error as Partial<Record<string, unknown>>
  if (CODES.has(code) || name === 'AbortError' || name === 'TimeoutError') return RETRY_LATER
  if (name !== 'TypeError' || typeof cause !== 'object' || cause === null) return undefined
  return CODES.has((cause as { code?: unknown }).code) ? RETRY_LATER : undefined
}
