import { assertMethod } from '../../../internal/options.ts'
import { assertOptions } from '../assert-options.ts'

/**
 * A store of used nonces. Several processes must share one, otherwise each accepts a message once.
 */
export interface NonceStore {
  /**
   * Stores a key until a time, in one atomic step: exactly one of several calls with the same key
   * returns `'added'`. Returns `'full'` if the store is full; the message is then rejected.
   */
  add(key: string, untilMs: number, nowMs: number): NonceResult | Promise<NonceResult>
}

/**
 * Result of storing a nonce. `added`: it is new. `seen`: it was used before. `full`: the store is
 * full.
 */
export type NonceResult = 'added' | 'seen' | 'full'

const BUCKET_MS = 60_000

/** Options for `memoryNonceStore()`. */
export interface MemoryNonceStoreOptions {
  /**
   * Maximum number of nonces. If the store is full, messages are rejected until some expire.
   * @defaultValue 100000
   */
  maxKeys?: number
}

/** Creates a nonce store in the memory of one process. */
export function memoryNonceStore(options: MemoryNonceStoreOptions = {}): NonceStore {
  assertOptions('soap-envelope: memoryNonceStore', options, { maxKeys: { min: 1 } })
  const { maxKeys = 100_000 } = options
  // By the minute in which they end, so that forgetting them costs nothing per nonce.
  const buckets = new Map<number, Set<string>>()
  const forget = (nowMs: number): void => {
    for (const [bucket] of buckets) if ((bucket + 1) * BUCKET_MS <= nowMs) buckets.delete(bucket)
  }
  return {
    add: (key, untilMs, nowMs) => {
      forget(nowMs)
      let size = 0
      for (const keys of buckets.values()) {
        if (keys.has(key)) return 'seen'
        size += keys.size
      }
      if (size >= maxKeys) return 'full'
      const bucket = Math.floor(untilMs / BUCKET_MS)
      const keys = buckets.get(bucket) ?? new Set()
      buckets.set(bucket, keys.add(key))
      return 'added'
    },
  }
}

/** Reads the option `nonceStore`. */
export function readNonceStore(owner: string, store = memoryNonceStore()): NonceStore {
  assertMethod(owner, 'nonceStore', store, 'add', 'a NonceStore such as memoryNonceStore()')
  return store
}
