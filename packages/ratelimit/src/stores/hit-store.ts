/** Result of a store for express-rate-limit. */
export interface HitInfo {
  /** Requests counted in this window, including this one. */
  totalHits: number
  /** End of the window, if the store knows. */
  resetTime: Date | undefined
}

/**
 * A store for express-rate-limit: rate-limit-redis, rate-limit-memcached,
 * @acpr/rate-limit-postgresql …
 */
export interface HitStore {
  /** Called once with the options of the limiter. */
  init?(options: never): void | PromiseLike<void>
  /** Returns the count of a key, without counting. */
  get?(key: string): HitInfo | undefined | PromiseLike<HitInfo | undefined>
  /** Counts one request of a key. */
  increment(key: string): HitInfo | PromiseLike<HitInfo>
  /** Refunds one request of a key. */
  decrement(key: string): void | PromiseLike<void>
  /** Deletes the count of a key. */
  resetKey(key: string): void | PromiseLike<void>
  /** Closes what the store opened. */
  shutdown?(): void | PromiseLike<void>
}

/** A store for express-rate-limit before its version 6. */
export interface LegacyHitStore {
  /** Counts one request of a key, and calls back. */
  incr(key: string, done: (error: Error | undefined, totalHits: number, resetTime: Date | undefined) => void): void
  /** Refunds one request of a key. */
  decrement(key: string): void | PromiseLike<void>
  /** Deletes the count of a key. */
  resetKey(key: string): void | PromiseLike<void>
}

/** Returns a store of either kind as a `HitStore`. Throws a `TypeError` for anything else. */
export function toHitStore(owner: string, store: HitStore | LegacyHitStore): HitStore {
  const { increment, incr, decrement, resetKey, init } = (store ?? {}) as Partial<HitStore & LegacyHitStore>
  const hasMethods = typeof decrement === 'function' && typeof resetKey === 'function'
  if (typeof increment === 'function' && hasMethods && (init === undefined || typeof init === 'function'))
    return store as HitStore
  if (typeof incr === 'function' && hasMethods) return promisify(store as LegacyHitStore)
  throw new TypeError(
    `${owner}: store must have increment (or incr), decrement and resetKey, as stores for express-rate-limit do`,
  )
}

function promisify(legacy: LegacyHitStore): HitStore {
  return {
    increment: (key) =>
      new Promise((resolve, reject) =>
        legacy.incr(key, (error, totalHits, resetTime) => (error ? reject(error) : resolve({ totalHits, resetTime }))),
      ),
    decrement: (key) => legacy.decrement(key),
    resetKey: (key) => legacy.resetKey(key),
  }
}
