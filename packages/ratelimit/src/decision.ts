import type { LimitResult, Policy } from './algorithm.ts'
import { publishedWindowMs } from './policy.ts'
import type { ConsumeReceipt, GuardedStore } from './receipt.ts'
import type { Charge } from './store.ts'

/** Decision of one limit about a request. */
export interface LimitDecision extends LimitResult {
  /** Name of the limit. */
  name: string
  /** The key that was counted, as the methods of the limiter accept it. */
  key: string
  /** Units per window, as clients see it. */
  limit: number
  /** Length of the window in milliseconds. */
  windowMs: number
  /** Name of the counted unit: `requests`, `content-bytes`. */
  unit: string
  /** Algorithm of the limit. */
  algorithm: Policy['algorithm']
}

/** Decision about a request: that of the limit closest to rejecting, and those of all limits. */
export interface RateLimitDecision extends LimitDecision {
  /** Units that the request costs. */
  cost: number
  /** Whether the limiter only reports: a request over the limit continued. */
  reportOnly: boolean
  /** Source of the counts: the store, this process while the store is down, or none. */
  source: 'store' | 'local' | 'none'
  /** Decisions of the limits, in the order of the options. */
  limits: readonly LimitDecision[]
}

/** Builds a decision from one call of the store. There must be at least one charge. */
export function toDecision(counted: ConsumeReceipt, reportOnly = false): RateLimitDecision {
  const { charges, outcomes, source } = counted
  const limits: LimitDecision[] = []
  let main: LimitDecision | undefined
  let cost = 0
  for (const charge of charges) {
    const limit = new CountedLimit(charge, outcomes?.[limits.length], counted)
    limits.push(limit)
    if (!main || isTighterThan(limit, main)) main = limit
    if (charge.cost > cost) cost = charge.cost
  }
  if (!main) throw new TypeError('ratelimit: a decision needs at least one charge')
  // Property by property: a spread of the class instance costs as much as the count.
  const { name, key, limit, windowMs, unit, algorithm, allowed, remaining, resetMs, retryMs } = main
  return {
    name,
    key,
    limit,
    windowMs,
    unit,
    algorithm,
    allowed,
    remaining,
    resetMs,
    retryMs,
    cost,
    reportOnly,
    source,
    limits,
  }
}

/** Returns the receipts of a decision, to refund them. The second call returns none. */
export function takeReceipts({ limits }: RateLimitDecision, store: GuardedStore): ConsumeReceipt[] {
  return CountedLimit.takeReceipts(limits, store)
}

/** Whether a store counted for a decision, and nothing was refunded. */
export function isCountedBy({ limits }: RateLimitDecision, store: GuardedStore): boolean {
  return CountedLimit.isCountedBy(limits, store)
}

/**
 * Whether a decision is closer to rejecting than the earlier ones about the same request. One that
 * only reports never hides one that rejects.
 */
export function isMain(decision: RateLimitDecision, earlier: RateLimitDecision): boolean {
  return earlier.reportOnly === decision.reportOnly ? isTighterThan(decision, earlier) : earlier.reportOnly
}

/** Joins the decisions of several limiters. `isTighter`: whether the later one is the main one. */
export function joinDecisions(
  earlier: RateLimitDecision,
  decision: RateLimitDecision,
  isTighter: boolean,
): RateLimitDecision {
  return { ...(isTighter ? decision : earlier), limits: [...earlier.limits, ...decision.limits] }
}

/**
 * Whether a decision is closer to rejecting than another: it rejects (for longer), or leaves less.
 */
function isTighterThan(a: LimitDecision, b: LimitDecision): boolean {
  if (a.allowed !== b.allowed) return !a.allowed
  if (!a.allowed) return getWaitMs(a) > getWaitMs(b)
  const shares = a.remaining * b.limit - b.remaining * a.limit
  return shares === 0 ? a.resetMs > b.resetMs : shares < 0
}

/** A lease may be returned at any time, and its client retries after a second. */
function getWaitMs({ algorithm, retryMs }: LimitDecision): number {
  if (retryMs === -1) return Number.POSITIVE_INFINITY
  return algorithm === 'concurrency' ? Math.min(retryMs, 1000) : retryMs
}

/** Keeps the receipt of the whole call, even after decisions of several limiters were joined. */
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
  readonly #counted: ConsumeReceipt

  constructor({ policy, key }: Charge, outcome: LimitResult | undefined, counted: ConsumeReceipt) {
    const { burst } = policy
    this.name = policy.name
    this.key = key
    this.limit = burst
    this.windowMs = burst === policy.limit ? policy.windowMs : publishedWindowMs(policy)
    this.unit = policy.unit
    this.algorithm = policy.algorithm
    this.allowed = outcome?.allowed ?? true
    this.remaining = outcome?.remaining ?? burst
    this.resetMs = outcome?.resetMs ?? 0
    this.retryMs = outcome?.retryMs ?? 0
    this.#counted = counted
  }

  static isCountedBy(limits: readonly LimitDecision[], store: GuardedStore): boolean {
    return limits.some((limit) => #counted in limit && isRefundable(limit.#counted, store))
  }

  static takeReceipts(limits: readonly LimitDecision[], store: GuardedStore): ConsumeReceipt[] {
    const taken: ConsumeReceipt[] = []
    for (const limit of limits) {
      // The limits of one call have the same receipt.
      if (!(#counted in limit && isRefundable(limit.#counted, store))) continue
      limit.#counted.isRefunded = true
      taken.push(limit.#counted)
    }
    return taken
  }
}

function isRefundable({ by, isRefunded }: ConsumeReceipt, store: GuardedStore): boolean {
  return by === store && !isRefunded
}
