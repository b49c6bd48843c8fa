import { LRUCache } from 'lru-cache'

const LIMIT = 10
const WINDOW_MS = 15 * 60_000
const MAX_KEYS = 10_000

/** Counts failed attempts: ten in a quarter of an hour for each key, then none is looked at. */
export interface Attempts {
  /** Milliseconds until the next attempt may be made; 0: now. */
  waitMs(key: string): number
  failed(key: string): void
  succeeded(key: string): void
}

/** Counts in memory, bounded. */
export function attempts(now: () => number = Date.now): Attempts {
  const failures = new LRUCache<string, number[]>({ max: MAX_KEYS })
  const recent = (key: string): number[] => (failures.get(key) ?? []).filter((time) => time > now() - WINDOW_MS)
  return {
    waitMs(key) {
      const times = recent(key)
      const oldest = times.at(-LIMIT)
      return oldest === undefined ? 0 : oldest + WINDOW_MS - now()
    },
    failed: (key) => void failures.set(key, [...recent(key), now()].slice(-LIMIT)),
    succeeded: (key) => void failures.delete(key),
  }
}
