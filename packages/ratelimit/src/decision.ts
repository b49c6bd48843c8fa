import type { Outcome, Policy } from './algorithm.ts'
import { publishedQuota } from './policy.ts'
import type { Charge, Outcomes } from './store.ts'

/** What one limit said about a request. */
export interface LimitDecision extends Outcome {
  /** Name of the limit. */
  name: string
  key: string
  /** Units in a window: the number that clients are shown. */
  limit: number
  windowMs: number
  algorithm: Policy['algorithm']
}

/** What the limiter said about a request: the limit that matters most, and each of them. */
export interface RateLimitDecision extends LimitDecision {
  /** Units that were asked for. */
  cost: number
  /** Whether it was refused on paper alone. */
  shadow: boolean
  /** Who counted: the store, this process while the store was away, or nobody. */
  source: 'store' | 'local' | 'none'
  limits: readonly LimitDecision[]
}

/** Puts the outcomes of one store call together. */
export function decisionOf(
  charges: readonly Charge[],
  outcomes: Outcomes,
  source: RateLimitDecision['source'],
): RateLimitDecision | undefined {
  const limits: LimitDecision[] = []
  let main: LimitDecision | undefined
  let cost = 0
  for (const [at, { policy, key, cost: units }] of charges.entries()) {
    const outcome = outcomes[at]
    if (!outcome) throw new TypeError(`ratelimit: the store answered ${outcomes.length} of ${charges.length} charges`)
    const { quota, windowMs } = publishedQuota(policy)
    const { allowed, remaining, resetMs, retryMs } = outcome
    const { name, algorithm } = policy
    const limit = { name, key, limit: quota, windowMs, algorithm, allowed, remaining, resetMs, retryMs }
    limits.push(limit)
    cost = Math.max(cost, units)
    if (!main || isTighter(limit, main)) main = limit
  }
  return main && { ...main, cost, shadow: false, source, limits }
}

/** Whether a limit says more to the client than another one: it refuses (for longer), or less of it is left. */
export function isTighter(a: LimitDecision, b: LimitDecision): boolean {
  if (a.allowed !== b.allowed) return !a.allowed
  if (!a.allowed) return b.retryMs !== -1 && (a.retryMs === -1 || a.retryMs > b.retryMs)
  const shares = a.remaining * b.limit - b.remaining * a.limit
  return shares === 0 ? a.resetMs > b.resetMs : shares < 0
}
