import type { Outcome, Policy } from './algorithm.ts'
import type { Counted, GuardedStore } from './guarded-store.ts'
import { publishedQuota } from './policy.ts'
import type { Charge } from './store.ts'

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
  /** What a unit is: `requests`, `content-bytes`. */
  unit: string
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
export function decisionOf(counted: Counted, shadow = false): RateLimitDecision {
  const { charges, outcomes, source } = counted
  const limits: LimitDecision[] = []
  let main: LimitDecision | undefined
  let cost = 0
  for (let at = 0; at < charges.length; at++) {
    const charge = charges[at]
    if (!charge) continue
    const limit = new CountedLimit(charge, outcomes?.[at], counted)
    limits.push(limit)
    cost = Math.max(cost, charge.cost)
    if (!main || isTighter(limit, main)) main = limit
  }
  if (!main) throw new TypeError('ratelimit: a decision needs at least one charge')
  return { ...main, cost, shadow, source, limits }
}

/** What a store took for a decision, for giving it back: the second time it is nothing. */
export function takeReceipts({ limits }: RateLimitDecision, store: GuardedStore): Counted[] {
  return CountedLimit.takeReceipts(limits, store)
}

/** Whether a store counted for a decision, and nothing of it was given back. */
export function isCountedBy({ limits }: RateLimitDecision, store: GuardedStore): boolean {
  return CountedLimit.isCountedBy(limits, store)
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

/** What one limit said; it keeps what the whole call took, also where decisions of several limiters were joined. */
class CountedLimit implements LimitDecision {
  readonly name: string
  readonly key: string
  readonly limit: number
  readonly windowMs: number
  readonly unit: string
  readonly algorithm: Policy['algorithm']
  readonly allowed: boolean
  readonly remaining: number
  readonly resetMs: number
  readonly retryMs: number
  #counted: Counted | undefined

  constructor({ policy, key }: Charge, outcome: Outcome | undefined, counted: Counted) {
    const { quota, windowMs } = publishedQuota(policy)
    this.name = policy.name
    this.key = key
    this.limit = quota
    this.windowMs = windowMs
    this.unit = policy.unit
    this.algorithm = policy.algorithm
    this.allowed = outcome?.allowed ?? true
    this.remaining = outcome?.remaining ?? quota
    this.resetMs = outcome?.resetMs ?? 0
    this.retryMs = outcome?.retryMs ?? 0
    this.#counted = counted
  }

  static isCountedBy(limits: readonly LimitDecision[], store: GuardedStore): boolean {
    return limits.some((limit) => #counted in limit && limit.#counted?.by === store)
  }

  static takeReceipts(limits: readonly LimitDecision[], store: GuardedStore): Counted[] {
    const taken = new Set<Counted>()
    for (const limit of limits) {
      if (!(#counted in limit) || limit.#counted?.by !== store) continue
      taken.add(limit.#counted)
      limit.#counted = undefined
    }
    return [...taken]
  }
}
