import { isPromise } from '../../internal/guard.ts'
import { chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import type { AlgorithmName, LimitResult } from './algorithm.ts'
import { withDeadline } from './deadline.ts'
import { definePolicy } from './policy.ts'
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

/** Counts in memory, with an algorithm of this package. Rejected requests are not counted. */
export function countInMemory(windowMs: number, algorithm: AlgorithmName): HitCounter {
  const store = memoryStore({ now: Date.now })
  const charges = new Map<number, Pick<Charge, 'policy'>>()
  const chargeFor = (key: string, limit: number, cost: number): readonly Charge[] => {
    let existing = charges.get(limit)
    if (!existing) {
      if (charges.size >= MAX_LIMITS) charges.clear()
      existing = {
        policy: definePolicy({ name: 'drop-in', group: '', rate: { limit, windowMs }, burst: undefined, algorithm }),
      }
      charges.set(limit, existing)
    }
    return [{ ...existing, key, cost, slot: key }]
  }
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
      const units = Math.floor(limit)
      if (units === Number.POSITIVE_INFINITY) return { totalHits: 0, resetTime: undefined, isAllowed: true }
      if (!(units >= 1))
        return {
          totalHits: 1,
          resetTime: new Date(Date.now() + windowMs),
          isAllowed: false,
          retrySeconds: Math.ceil(windowMs / 1000),
        }
      return first(store.consume(chargeFor(key, units, 1)), units)
    },
    decrement(key, limit, { isAllowed, restoredAt = 0 }) {
      // What time has restored already is not refunded: it would count twice.
      if (!isAllowed || !Number.isFinite(limit) || Date.now() >= restoredAt) return undefined
      return store.adjust(chargeFor(key, Math.floor(limit), -1))
    },
    resetKey(key) {
      for (const limit of charges.keys()) store.reset(chargeFor(key, limit, 0))
    },
    getKey(key) {
      const [limit] = charges.keys()
      if (limit === undefined) return { totalHits: 0, resetTime: undefined }
      return chain(first(store.consume(chargeFor(key, limit, 0)), limit), ({ totalHits, resetTime }) => ({
        totalHits,
        resetTime,
      }))
    },
  }
}
