import { createHttpError, type HttpErrorLike } from '../../internal/http-error.ts'
import type { RateLimitDecision } from './decision.ts'
import type { HeaderValues } from './headers.ts'

/** Code of an error response. */
export type RateLimitErrorCode =
  | 'ERR_RATELIMIT_EXCEEDED'
  | 'ERR_RATELIMIT_DENIED'
  | 'ERR_RATELIMIT_STORE_DOWN'
  | 'ERR_RATELIMIT_CALLBACK_FAILED'

/**
 * Problem type of draft-ietf-httpapi-ratelimit-headers-11 §5, for apps that respond with problem
 * documents.
 */
const QUOTA_EXCEEDED = 'https://iana.org/assignments/http-problem-types#quota-exceeded'

/**
 * 429 (RFC 6585 §4) with Retry-After in whole seconds. It repeats the headers of the decision,
 * since the error page of a framework may have dropped those of the response.
 */
export function exceeded(decision: RateLimitDecision, headers: HeaderValues, seconds: number): HttpErrorLike {
  const { algorithm, limit, unit, windowMs } = decision
  const violated: string[] = []
  for (const { allowed, name } of decision.limits) if (!allowed) violated.push(name)
  const isLease = algorithm === 'concurrency'
  return createHttpError({
    status: 429,
    code: 'ERR_RATELIMIT_EXCEEDED',
    message: `${formatReason(decision)} Try again in ${formatDuration(seconds * 1000)}.`,
    headers: { ...headers, 'Retry-After': `${seconds}`, 'Cache-Control': 'no-store' },
    params: isLease
      ? { algorithm, limit, retrySeconds: seconds }
      : { algorithm, limit, retrySeconds: seconds, unit, windowMs },
    type: QUOTA_EXCEEDED,
    extensions: { 'violated-policies': violated },
  })
}

/** 403 for an address on the `denyList`. */
export function denied(): HttpErrorLike {
  return createHttpError({
    status: 403,
    code: 'ERR_RATELIMIT_DENIED',
    message: 'Requests from this client are not accepted.',
  })
}

/** 503 while the store fails and `onStoreError` is `'reject'`. */
export function storeDown(cause?: unknown): HttpErrorLike {
  return createHttpError({
    status: 503,
    code: 'ERR_RATELIMIT_STORE_DOWN',
    message: 'The rate limit cannot be checked at the moment. Try again later.',
    expose: true,
    headers: { 'Retry-After': '1', 'Cache-Control': 'no-store' },
    cause,
  })
}

/** Whether an error reports that the store failed. */
export function isStoreDown(error: unknown): error is HttpErrorLike {
  return hasCode(error, 'ERR_RATELIMIT_STORE_DOWN')
}

/** Whether an error reports a call that the store does not support. */
export function isUnsupported(error: unknown): boolean {
  return hasCode(error, 'ERR_RATELIMIT_UNSUPPORTED')
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/**
 * Returns the seconds until a retry is allowed, rounded up and never below 1; 1 for `concurrency`,
 * since leases may be returned at any time.
 */
export function retrySeconds({ algorithm, retryMs, resetMs }: RateLimitDecision): number {
  if (algorithm === 'concurrency') return 1
  return Math.max(1, Math.ceil((retryMs === -1 ? resetMs : retryMs) / 1000))
}

function formatReason({ algorithm, limit, unit, windowMs }: RateLimitDecision): string {
  if (algorithm === 'concurrency')
    return limit === 1 ? 'Only 1 request may run at a time.' : `Only ${limit} requests may run at a time.`
  return `Rate limit of ${limit} ${toSingular(limit, unit)} in ${formatDuration(windowMs)} exceeded.`
}

// The app chooses the names of units: only the regular plural is converted.
function toSingular(count: number, unit: string): string {
  return count === 1 && unit.endsWith('s') ? unit.slice(0, -1) : unit
}

function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms} ms`
  const seconds = Math.ceil(ms / 1000)
  const unit = seconds % 3600 === 0 ? 'hour' : seconds % 60 === 0 ? 'minute' : 'second'
  const count = unit === 'hour' ? seconds / 3600 : unit === 'minute' ? seconds / 60 : seconds
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
