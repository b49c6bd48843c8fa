import { createHttpError, type HttpErrorLike } from '../../internal/http-error.ts'
import type { RateLimitDecision } from './decision.ts'
import type { Fields } from './fields.ts'

/** Why a request is refused. */
export type RateLimitErrorCode = 'ERR_RATELIMIT_EXCEEDED' | 'ERR_RATELIMIT_DENIED' | 'ERR_RATELIMIT_STORE_DOWN'

/** The problem type of draft-ietf-httpapi-ratelimit-headers-11, for who answers with a problem document. */
const QUOTA_EXCEEDED = 'https://iana.org/assignments/http-problem-types#quota-exceeded'

/**
 * 429 (RFC 6585 4) with Retry-After in whole seconds, rounded up and never below 1. The fields of the decision are in it
 * once more: the error page of a host may have dropped those of the response.
 */
export function exceeded(decision: RateLimitDecision, fields: Fields, jitterSeconds: number): HttpErrorLike {
  const seconds = retrySeconds(decision) + jitterSeconds
  const violated = decision.limits.filter(({ allowed }) => !allowed).map(({ name }) => name)
  return createHttpError({
    status: 429,
    code: 'ERR_RATELIMIT_EXCEEDED',
    message: `${sentenceOf(decision)} Try again in ${lengthOf(seconds * 1000)}.`,
    headers: { ...fields, 'Retry-After': String(seconds), 'Cache-Control': 'no-store' },
    params: paramsOf(decision, seconds),
    type: QUOTA_EXCEEDED,
    extensions: { 'violated-policies': violated },
  })
}

/** 403 for an address that the option `deny` names. */
export function denied(): HttpErrorLike {
  return createHttpError({
    status: 403,
    code: 'ERR_RATELIMIT_DENIED',
    message: 'Requests from this client are not accepted.',
  })
}

/** 503 while the store is away and `onStoreError` is `closed`. */
export function storeDown(cause?: unknown): HttpErrorLike {
  return createHttpError({
    status: 503,
    code: 'ERR_RATELIMIT_STORE_DOWN',
    message: 'The rate limit cannot be checked at the moment.',
    expose: true,
    headers: { 'Retry-After': '1', 'Cache-Control': 'no-store' },
    cause,
  })
}

/** Whether an error says that the store is away. */
export function isStoreDown(error: unknown): error is HttpErrorLike {
  return error instanceof Error && 'code' in error && error.code === 'ERR_RATELIMIT_STORE_DOWN'
}

/** Seconds after which a refused request is allowed. Nobody knows when a lease is given back: then it is 1. */
export function retrySeconds({ algorithm, retryMs, resetMs }: RateLimitDecision): number {
  if (algorithm === 'concurrency') return 1
  return Math.max(1, Math.ceil((retryMs === -1 ? resetMs : retryMs) / 1000))
}

function sentenceOf({ algorithm, limit, unit, windowMs }: RateLimitDecision): string {
  if (algorithm === 'concurrency') return `No more than ${limit} requests may run at the same time.`
  return `Rate limit of ${limit} ${unit} in ${lengthOf(windowMs)} exceeded.`
}

function paramsOf(
  { algorithm, limit, unit, windowMs }: RateLimitDecision,
  retrySeconds: number,
): Record<string, unknown> {
  return { algorithm, limit, retrySeconds, ...(algorithm !== 'concurrency' && { unit, windowMs }) }
}

function lengthOf(ms: number): string {
  if (ms < 1000) return `${ms} ms`
  const seconds = Math.ceil(ms / 1000)
  const [count, unit] =
    seconds % 3600 === 0
      ? [seconds / 3600, 'hour']
      : seconds % 60 === 0
        ? [seconds / 60, 'minute']
        : [seconds, 'second']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
