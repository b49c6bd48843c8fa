import type { HitInfo, HitStore } from './stores/hit-store.ts'

/**
 * The memory of express-rate-limit under its own name: fixed windows that start with the first
 * request of a key. Keys are deleted by generations, without a timer. The default of the drop-in
 * counts with GCRA instead.
 */
export class MemoryStore implements HitStore {
  /** Keys of two instances are not shared. */
  readonly localKeys = true
  #windowMs = 60_000
  #previous = new Map<string, { totalHits: number; endsAt: number }>()
  #current = new Map<string, { totalHits: number; endsAt: number }>()
  #nextGeneration = 0

  /** Called by the limiter with its options. */
  init({ windowMs }: { windowMs: number }): void {
    this.#windowMs = windowMs
  }

  /** Returns the count of a key, without counting. */
  get(key: string): Promise<HitInfo | undefined> {
    const client = this.#find(key)
    return Promise.resolve(client && toInfo(client))
  }

  /** Counts one request of a key. */
  increment(key: string): Promise<HitInfo> {
    const client = this.#find(key) ?? { totalHits: 0, endsAt: Date.now() + this.#windowMs }
    client.totalHits++
    this.#current.set(key, client)
    this.#previous.delete(key)
    return Promise.resolve(toInfo(client))
  }

  /** Refunds one request of a key. */
  decrement(key: string): Promise<void> {
    const client = this.#find(key)
    if (client && client.totalHits > 0) client.totalHits--
    return Promise.resolve()
  }

  /** Deletes the count of a key. */
  resetKey(key: string): Promise<void> {
    this.#current.delete(key)
    this.#previous.delete(key)
    return Promise.resolve()
  }

  /** Deletes all counts. */
  resetAll(): Promise<void> {
    this.#current.clear()
    this.#previous.clear()
    return Promise.resolve()
  }

  /** Deletes all counts: there is no timer to stop. */
  shutdown(): void {
    void this.resetAll()
  }

  #find(key: string): { totalHits: number; endsAt: number } | undefined {
    const now = Date.now()
    // A key that was not used for a whole window is in the older generation, which is deleted as a
    // whole.
    if (now >= this.#nextGeneration) {
      this.#previous = this.#current
      this.#current = new Map()
      this.#nextGeneration = now + this.#windowMs
    }
    const client = this.#current.get(key) ?? this.#previous.get(key)
    return client && client.endsAt > now ? client : undefined
  }
}

function toInfo({ totalHits, endsAt }: { totalHits: number; endsAt: number }): HitInfo {
  return { totalHits, resetTime: new Date(endsAt) }
}
