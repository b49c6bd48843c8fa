import { isPromise } from '../../internal/guard.ts'
import { all, chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import { assertInteger, inspectValue } from '../../internal/options.ts'
import type { LimitResult, Policy } from './algorithm.ts'
import { withDeadline } from './deadline.ts'
import type { DropInAlgorithm } from './drop-in-options.ts'
import { ALGORITHM_NAMES, definePolicy } from './policy.ts'
import { getMaxLimit, MAX_WINDOW_MS } from './rate.ts'
import type { Charge } from './store.ts'
import type { HitInfo, HitStore } from './stores/hit-store.ts'
import { memoryStore } from './stores/memory.ts'

/** Result of counting a request. */
export interface Hit extends HitInfo {
  isAllowed: boolean
  /**
   * Seconds until the client may retry, if the algorithm knows better than the end of the window.
   */
  retrySeconds?: number
  /** Time from which the request no longer counts, if the algorithm knows. */
  restoredAt?: number
}

/** Counts the requests of a drop-in limiter. */
export interface HitCounter {
  increment(key: string, limit: number): MaybePromise<Hit>
  /** Refunds what a request was charged. */
  decrement(key: string, limit: number, hit: Hit): MaybePromise<unknown>
  resetKey(key: string): MaybePromise<void>
  getKey(key: string): MaybePromise<HitInfo | undefined>
}

/** Creates a store from one for express-rate-limit. */
export function countInStore(store: HitStore, timeoutMs: number): HitCounter {
  const inTime = <T>(value: T | PromiseLike<T>): MaybePromise<T> =>
    isPromise(value) ? withDeadline(value, timeoutMs) : value
  return {
    increment: (key, limit) =>
      chain(inTime(store.increment(key)), ({ totalHits, resetTime }) => ({
        totalHits,
        resetTime,
        isAllowed: totalHits <= limit,
      })),
    decrement: (key, _limit, { resetTime }) => {
      // The hit has expired with its window: the next window must not lose one.
      if (resetTime && Date.now() >= resetTime.getTime()) return undefined
      return inTime(store.decrement(key))
    },
    resetKey: (key) => store.resetKey(key),
    getKey(key) {
      if (!store.get) throw new Error('ratelimit: the store does not support get')
      return inTime(store.get(key))
    },
  }
}

const MAX_LIMITS = 1000
const ALGORITHMS = ALGORITHM_NAMES.filter((name) => name !== 'concurrency')

/**
 * Counts in memory, with an algorithm of this package. Rejected requests are not counted, and each
 * limit of a key counts on its own. Throws a `TypeError` unless the algorithm can count the window
 * and a limit that is a number.
 */
export function countInMemory(windowMs: number, algorithm: DropInAlgorithm, limit?: unknown): HitCounter {
  // A lease ends with its response, and this counter does not know which one that is.
  if (!ALGORITHMS.includes(algorithm))
    throw new TypeError(`ratelimit: algorithm must be one of ${ALGORITHMS.join(', ')}, got ${inspectValue(algorithm)}`)
  assertInteger('ratelimit', 'windowMs', windowMs, { min: 1, max: MAX_WINDOW_MS })
  const store = memoryStore({ now: Date.now })
  const policies = new Map<number, Policy>()
  const findPolicy = (units: number): Policy => {
    const existing = policies.get(units)
    if (existing) return existing
    if (policies.size >= MAX_LIMITS) policies.clear()
    const rate = { limit: units, windowMs }
    const policy = definePolicy({ name: 'drop-in', group: '', rate, burst: undefined, algorithm })
    policies.set(units, policy)
    return policy
  }
  const chargeFor = (key: string, units: number, cost: number): readonly Charge[] => [
    { policy: findPolicy(units), key, cost, slot: key },
  ]
  // More than a rate may have is out of reach.
  const toUnits = (limit: number): number => Math.min(Math.floor(limit), getMaxLimit(windowMs))
  findPolicy(typeof limit === 'number' && limit >= 1 ? toUnits(limit) : 1)
  const toHit = (limit: number, { allowed, remaining, resetMs, retryMs }: LimitResult): Hit => ({
    totalHits: limit - remaining + (allowed ? 0 : 1),
    resetTime: new Date(Date.now() + resetMs),
    isAllowed: allowed,
    ...(!allowed && { retrySeconds: Math.max(1, Math.ceil((retryMs === -1 ? resetMs : retryMs) / 1000)) }),
    // The reset of a log is that of its oldest request.
    restoredAt: Date.now() + (algorithm === 'sliding-log' ? windowMs : resetMs),
  })
  const first = (results: MaybePromise<readonly LimitResult[]>, limit: number): MaybePromise<Hit> =>
    chain(results, ([result]) => toHit(limit, result as LimitResult))
  return {
    increment(key, limit) {
      if (limit === Number.POSITIVE_INFINITY) return { totalHits: 0, resetTime: undefined, isAllowed: true }
      if (!(limit >= 1))
        return {
          totalHits: 1,
          resetTime: new Date(Date.now() + windowMs),
          isAllowed: false,
          retrySeconds: Math.ceil(windowMs / 1000),
        }
      const units = toUnits(limit)
      return first(store.consume(chargeFor(key, units, 1)), units)
    },
    decrement(key, limit, { isAllowed, restoredAt = 0 }) {
      // What time has restored already is not refunded: it would count twice.
      if (!isAllowed || !Number.isFinite(limit) || Date.now() >= restoredAt) return undefined
      return store.adjust(chargeFor(key, toUnits(limit), -1))
    },
    resetKey(key) {
      for (const units of policies.keys()) store.reset(chargeFor(key, units, 0))
    },
    getKey(key) {
      const hits = [...policies.keys()].map((units) =>
        chain(first(store.consume(chargeFor(key, units, 0)), units), ({ totalHits, resetTime }) => ({
          totalHits,
          resetTime,
        })),
      )
      return chain(all(hits), (counts) => {
        const highest = counts.reduce((most, hit) => (hit.totalHits > most.totalHits ? hit : most))
        return highest.totalHits === 0 ? undefined : highest
      })
    },
  }
}
