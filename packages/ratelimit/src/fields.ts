import type { ServerResponse } from '../../internal/middleware.ts'
import type { RateLimitDecision } from './decision.ts'

/** Writes the fields of a decision into a response. */
export type WriteFields = (res: ServerResponse, decision: RateLimitDecision, now: number) => void

/** X-RateLimit-Limit, -Remaining and -Reset (seconds since 1970). */
export const writeX: WriteFields = (res, { limit, remaining, resetMs }, now) => {
  res.setHeader('X-RateLimit-Limit', String(limit))
  res.setHeader('X-RateLimit-Remaining', String(remaining))
  res.setHeader('X-RateLimit-Reset', String(Math.ceil((now + resetMs) / 1000)))
}
