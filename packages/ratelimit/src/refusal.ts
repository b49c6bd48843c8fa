import { type Failure, failure } from '../../internal/failure.ts'
import type { RateLimitDecision } from './decision.ts'

/** Why a request is refused. */
export type RateLimitErrorCode = 'ERR_RATELIMIT_EXCEEDED' | 'ERR_RATELIMIT_DENIED' | 'ERR_RATELIMIT_STORE_DOWN'

/** 429 with Retry-After in whole seconds, rounded up and never below 1 (RFC 9110 10.2.3). */
export function exceeded(decision: RateLimitDecision, jitterSeconds = 0): Failure {
  const seconds = retrySeconds(decision) + jitterSeconds
  return failure({
    status: 429,
    code: 'ERR_RATELIMIT_EXCEEDED',
    message: `Rate limit of ${decision.limit} requests in ${lengthOf(decision.windowMs)} exceeded. Try again in ${lengthOf(seconds * 1000)}.`,
    headers: { 'Retry-After': String(seconds), 'Cache-Control': 'no-store' },
  })
}

/** Seconds after which a refused request is allowed. Nobody knows when a lease is given back: then it is 1. */
export function retrySeconds({ algorithm, retryMs, resetMs }: RateLimitDecision): number {
  if (algorithm === 'concurrency') return 1
  return Math.max(1, Math.ceil((retryMs === -1 ? resetMs : retryMs) / 1000))
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
