import type { Outcome, Policy } from './algorithm.ts'
import type { Counted } from './guarded-store.ts'
import { publishedQuota } from './policy.ts'

/** What one limit said about a request. */
export interface LimitDecision extends Outcome {
  /** Name of the limit. */
  name: string
  /** What was counted: the key that the methods of the limiter take. */
  key: string
  /** Units in a window: the number that clients are shown. */
  limit: number
  /** Length of the window in milliseconds. */
  windowMs: number
  /** How the limit counts. */
  algorithm: Policy['algorithm']
}

/** What the limiter said about a request: the limit that matters most, and each of them. */
export interface RateLimitDecision extends LimitDecision {
  /** Units that were asked for. */
  cost: number
  /** Whether the limiter only reports: then a refused request went on. */
  shadow: boolean
  /** Who counted: the store, this process while the store was away, or nobody. */
  source: Counted['source']
  /** What each limit said, in the order in which they were given. */
  limits: readonly LimitDecision[]
}

/** Puts the outcomes of one store call together. There must be at least one charge. */
export function decisionOf({ charges, outcomes, source }: Counted, shadow = false): RateLimitDecision {
  const limits: LimitDecision[] = []
  let main: LimitDecision | undefined
  let cost = 0
  for (let at = 0; at < charges.length; at++) {
    const charge = charges[at]
    if (!charge) continue
    const { policy, key } = charge
    const { quota, windowMs } = publishedQuota(policy)
    const outcome = outcomes ? outcomes[at] : { allowed: true, remaining: quota, resetMs: 0, retryMs: 0 }
    if (!outcome) continue
    const { allowed, remaining, resetMs, retryMs } = outcome
    const { name, algorithm } = policy
    const limit = { name, key, limit: quota, windowMs, algorithm, allowed, remaining, resetMs, retryMs }
    limits.push(limit)
    cost = Math.max(cost, charge.cost)
    if (!main || isTighter(limit, main)) main = limit
  }
  if (!main) throw new TypeError('ratelimit: a decision needs at least one charge')
  return { ...main, cost, shadow, source, limits }
}

/** What is known of a request that several limiters counted. One that only reports never hides one that refuses. */
export function joinDecisions(
  earlier: RateLimitDecision | undefined,
  decision: RateLimitDecision,
): { joined: RateLimitDecision; tighter: boolean } {
  if (!earlier) return { joined: decision, tighter: true }
  const tighter = earlier.shadow === decision.shadow ? isTighter(decision, earlier) : earlier.shadow
  return { joined: { ...(tighter ? decision : earlier), limits: [...earlier.limits, ...decision.limits] }, tighter }
}

/** Whether a limit says more to the client than another one: it refuses (for longer), or less of it is left. */
function isTighter(a: LimitDecision, b: LimitDecision): boolean {
  if (a.allowed !== b.allowed) return !a.allowed
  if (!a.allowed) return b.retryMs !== -1 && (a.retryMs === -1 || a.retryMs > b.retryMs)
  const shares = a.remaining * b.limit - b.remaining * a.limit
  return shares === 0 ? a.resetMs > b.resetMs : shares < 0
}
