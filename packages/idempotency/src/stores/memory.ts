import { assertInteger, assertKnownOptions, assertTypes } from '../../../internal/options.ts'
import { IdMap } from '../id-map.ts'
import {
  type AcquireResult,
  acquire,
  type Claim,
  checkpoint,
  complete,
  type KeyEntry,
  release,
  renew,
  type Step,
} from '../state.ts'
import type { IdempotencyStore, KeyStatus } from '../store.ts'
import { expiry } from './expiry.ts'

/** Options for `memoryStore()`. */
export interface MemoryStoreOptions {
  /** Maximum number of keys. @defaultValue 100000 */
  maxKeys?: number
  /** Maximum size of all responses and checkpoints in bytes. @defaultValue 67108864 (64 MiB) */
  maxBytes?: number
  /** Returns the current time in milliseconds since 1970, for tests. @defaultValue Date.now */
  now?: () => number
}

/** A store in the memory of this process, which returns in the same tick. */
export interface MemoryStore extends IdempotencyStore {
  /** Number of keys. */
  readonly size: number
  /** Claims a key. */
  acquire(id: string, claim: Claim): AcquireResult
  /** Stores the response of the owner. Returns `false` if another attempt took over. */
  complete(id: string, owner: string, response: string, ttlMs: number): boolean
  /** Releases the key without a response. Returns `false` if another attempt took over. */
  release(id: string, owner: string): boolean
  /** Returns keys that have not expired, at most `limit`. */
  list(limit: number): KeyStatus[]
}

const BUCKET_MS = 10_000
/**
 * Maximum number of expired keys that an attempt deletes: more than it adds, so that they never
 * pile up.
 */
const MAX_CLEARED = 16
/** Number of ids of released keys in the buckets that are worth a rebuild. */
const MIN_STALE = 1000

/**
 * Creates a store in the memory of this process. At its maximum, it evicts the responses that would
 * expire first. Keys whose work is in progress are never evicted: if they fill the store, it
 * throws.
 */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  assertKnownOptions('idempotency: memoryStore', options, ['maxKeys', 'maxBytes', 'now'])
  assertTypes('idempotency: memoryStore', options, { now: 'function' })
  const { maxKeys = 100_000, maxBytes = 64 * 1024 * 1024, now = Date.now } = options
  assertInteger('idempotency: memoryStore', 'maxKeys', maxKeys, { min: 1 })
  assertInteger('idempotency: memoryStore', 'maxBytes', maxBytes, { min: 1 })
  return new KeyTable(maxKeys, maxBytes, now)
}

class KeyTable implements MemoryStore {
  readonly #entries = new IdMap<KeyEntry>()
  readonly #expiry = expiry(BUCKET_MS)
  readonly #maxKeys: number
  readonly #maxBytes: number
  readonly #clock: () => number
  readonly #start: number
  #bytes = 0

  constructor(maxKeys: number, maxBytes: number, now: () => number) {
    this.#maxKeys = maxKeys
    this.#maxBytes = maxBytes
    this.#clock = now
    this.#start = now()
  }

  get size(): number {
    return this.#entries.size
  }

  acquire(id: string, claim: Claim) {
    const now = this.#now()
    this.#clear(now, MAX_CLEARED)
    if (this.#expiry.size() > 2 * this.#entries.size + MIN_STALE) this.#rebuild()
    return this.#apply(id, (entry) => {
      if (!entry) this.#makeRoom(1)
      return acquire(entry, claim, now)
    })
  }

  renew(id: string, owner: string, leaseMs: number) {
    return this.#apply(id, (entry) => renew(entry, owner, leaseMs, this.#now()))
  }

  checkpoint(id: string, owner: string, checkpoints: string) {
    return this.#apply(id, (entry) => checkpoint(entry, owner, checkpoints))
  }

  complete(id: string, owner: string, response: string, ttlMs: number) {
    const held = this.#apply(id, (entry) => complete(entry, owner, response, ttlMs, this.#now()))
    if (this.#bytes > this.#maxBytes) this.#makeRoom(0)
    return held
  }

  release(id: string, owner: string) {
    return this.#apply(id, (entry) => release(entry, owner))
  }

  inspect(id: string): KeyStatus | undefined {
    const entry = this.#entries.get(id)
    return entry && entry.expiresAt > this.#now() ? this.#toStatus(id, entry) : undefined
  }

  list(limit: number): KeyStatus[] {
    const statuses: KeyStatus[] = []
    const now = this.#now()
    for (const [id, entry] of this.#entries.entries()) {
      if (statuses.length >= limit) break
      if (entry.expiresAt > now) statuses.push(this.#toStatus(id, entry))
    }
    return statuses
  }

  delete(id: string): boolean {
    const previous = this.#entries.get(id)
    this.#put(id, previous, undefined)
    return previous !== undefined
  }

  #now(): number {
    // Entries have times since the start of the store, for 24 days as integers of 32 bits: as part
    // of an object, these need no memory of their own.
    const elapsed = this.#clock() - this.#start
    const integer = elapsed | 0
    return integer === elapsed ? integer : elapsed
  }

  #toStatus(id: string, entry: KeyEntry): KeyStatus {
    const { state, fingerprint, attempt, expiresAt } = entry
    const leaseUntil = entry.state === 'locked' ? entry.leaseUntil + this.#start : 0
    return { id, state, fingerprint, attempt, leaseUntil, expiresAt: expiresAt + this.#start }
  }

  #apply<T>(id: string, step: (entry: KeyEntry | undefined) => Step<T>): T {
    const previous = this.#entries.get(id)
    const [entry, result] = step(previous)
    if (entry !== previous) this.#put(id, previous, entry)
    return result
  }

  #put(id: string, previous: KeyEntry | undefined, entry: KeyEntry | undefined): void {
    this.#bytes += measure(entry) - measure(previous)
    if (!entry) {
      this.#entries.delete(id)
      return
    }
    this.#entries.set(id, entry)
    if (!previous || !this.#expiry.isSame(previous.expiresAt, entry.expiresAt)) this.#expiry.add(id, entry.expiresAt)
  }

  #clear(now: number, limit: number): void {
    let left = limit
    while (left > 0 && this.#expiry.firstEndsAt() <= now) {
      this.#expiry.drain((id) => {
        const entry = this.#entries.get(id)
        if (entry && entry.expiresAt <= now) this.#put(id, entry, undefined)
        return --left > 0 ? 'next' : 'stop'
      })
    }
  }

  #rebuild(): void {
    // The id of a released key stays in its bucket: a client could fill the memory with such ids.
    this.#expiry.clear()
    for (const [id, { expiresAt }] of this.#entries.entries()) this.#expiry.add(id, expiresAt)
  }

  #makeRoom(wanted: number): void {
    // A key whose work is in progress stays: without it, a duplicate would run concurrently.
    const locked: [id: string, expiresAt: number][] = []
    while (this.#entries.size + wanted > this.#maxKeys || this.#bytes > this.#maxBytes) {
      if (this.#expiry.firstEndsAt() === Number.POSITIVE_INFINITY) break
      this.#expiry.drain((id, endsAt) => {
        const entry = this.#entries.get(id)
        if (!entry || entry.expiresAt > endsAt) return 'next'
        if (entry.state === 'locked') {
          locked.push([id, entry.expiresAt])
          return 'next'
        }
        this.#put(id, entry, undefined)
        return 'stop'
      })
    }
    for (const [id, expiresAt] of locked) this.#expiry.add(id, expiresAt)
    if (this.#entries.size + wanted > this.#maxKeys) throw new Error(`all ${this.#maxKeys} keys are in use`)
  }
}

function measure(entry: KeyEntry | undefined): number {
  if (!entry) return 0
  return entry.state === 'done' ? entry.response.length : entry.checkpoints.length
}
