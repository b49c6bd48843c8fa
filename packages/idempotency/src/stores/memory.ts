import { assertInteger, assertKnownOptions } from '../../../internal/options.ts'
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
  /** Maximum size of all responses and checkpoints in bytes. @defaultValue 67108864, 64 MiB */
  maxBytes?: number
  /** Milliseconds since 1970. @defaultValue Date.now */
  now?: () => number
}

/** A store of this process, which answers at once. */
export interface MemoryStore extends IdempotencyStore {
  /** Number of keys. */
  readonly size: number
  /** Asks for a key, at once. */
  acquire(id: string, claim: Claim): AcquireResult
  /** Keeps the response of the owner; `false` where another one took over. */
  complete(id: string, owner: string, response: string, ttlMs: number): boolean
  /** Gives the key back without an response; `false` where another one took over. */
  release(id: string, owner: string): boolean
  /** Some keys that have not expired, at most `limit`. */
  list(limit: number): KeyStatus[]
}

const BUCKET_MS = 10_000
/** Expired keys that one attempt clears away: more than it brings, so that they never pile up. */
const CLEARED_AT_ONCE = 16

/**
 * Keeps keys in this process: for one process, and gone when it ends. When it is full, answers give way that would have
 * expired first; keys that are being worked on never do, and without room for another it throws.
 */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  assertKnownOptions('idempotency: memoryStore', options, ['maxKeys', 'maxBytes', 'now'])
  const { maxKeys = 100_000, maxBytes = 64 * 1024 * 1024, now = Date.now } = options
  assertInteger('idempotency: memoryStore', 'maxKeys', maxKeys, { min: 1 })
  assertInteger('idempotency: memoryStore', 'maxBytes', maxBytes, { min: 1 })
  return new Entries(maxKeys, maxBytes, now)
}

class Entries implements MemoryStore {
  readonly #entries = new Map<string, KeyEntry>()
  readonly #expiry = expiry(BUCKET_MS)
  readonly #maxKeys: number
  readonly #maxBytes: number
  readonly #now: () => number
  #bytes = 0

  constructor(maxKeys: number, maxBytes: number, now: () => number) {
    this.#maxKeys = maxKeys
    this.#maxBytes = maxBytes
    this.#now = now
  }

  get size(): number {
    return this.#entries.size
  }

  acquire(id: string, claim: Claim) {
    const now = this.#now()
    this.#clear(now, CLEARED_AT_ONCE)
    const before = this.#entries.get(id)
    const step = acquire(before, claim, now)
    if (!before) this.#makeRoom(1)
    return this.#apply(id, before, step)
  }

  renew(id: string, owner: string, leaseMs: number) {
    const before = this.#entries.get(id)
    return this.#apply(id, before, renew(before, owner, leaseMs, this.#now()))
  }

  checkpoint(id: string, owner: string, checkpoints: string) {
    const before = this.#entries.get(id)
    return this.#apply(id, before, checkpoint(before, owner, checkpoints))
  }

  complete(id: string, owner: string, response: string, ttlMs: number) {
    const before = this.#entries.get(id)
    const held = this.#apply(id, before, complete(before, owner, response, ttlMs, this.#now()))
    if (this.#bytes > this.#maxBytes) this.#makeRoom(0)
    return held
  }

  release(id: string, owner: string) {
    const before = this.#entries.get(id)
    return this.#apply(id, before, release(before, owner))
  }

  inspect(id: string): KeyStatus | undefined {
    const entry = this.#entries.get(id)
    return entry && entry.expiresAt > this.#now() ? toStatus(id, entry) : undefined
  }

  list(limit: number): KeyStatus[] {
    const statuses: KeyStatus[] = []
    const now = this.#now()
    for (const [id, entry] of this.#entries) {
      if (statuses.length >= limit) break
      if (entry.expiresAt > now) statuses.push(toStatus(id, entry))
    }
    return statuses
  }

  delete(id: string): boolean {
    const before = this.#entries.get(id)
    this.#put(id, before, undefined)
    return before !== undefined
  }

  #apply<T>(id: string, before: KeyEntry | undefined, [entry, result]: Step<T>): T {
    if (entry !== before) this.#put(id, before, entry)
    return result
  }

  #put(id: string, before: KeyEntry | undefined, entry: KeyEntry | undefined): void {
    this.#bytes += measure(entry) - measure(before)
    if (!entry) {
      this.#entries.delete(id)
      return
    }
    this.#entries.set(id, entry)
    if (!before || !this.#expiry.isSame(before.expiresAt, entry.expiresAt)) this.#expiry.add(id, entry.expiresAt)
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

  // A key that is being worked on stays: without it, a duplicate would run beside it.
  #makeRoom(wanted: number): void {
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

function toStatus(id: string, entry: KeyEntry): KeyStatus {
  const { state, fingerprint, attempt, expiresAt } = entry
  const leaseUntil = entry.state === 'locked' ? entry.leaseUntil : 0
  return { id, state, fingerprint, attempt, leaseUntil, expiresAt }
}
