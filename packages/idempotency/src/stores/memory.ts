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

/** How much a store in memory keeps. */
export interface MemoryStoreOptions {
  /** How many keys are kept at most. @defaultValue 100000 */
  maxKeys?: number
  /** How many bytes answers and checkpoints may take in all. @defaultValue 67108864, 64 MiB */
  maxBytes?: number
  /** Milliseconds since 1970. @defaultValue Date.now */
  now?: () => number
}

/** A store of this process, which answers at once. */
export interface MemoryStore extends IdempotencyStore {
  /** How many keys are kept now. */
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
    const found = this.#entries.get(id)
    const step = acquire(found, claim, now)
    if (!found) this.#makeRoom(1)
    return this.#apply(id, found, step)
  }

  renew(id: string, owner: string, leaseMs: number) {
    const found = this.#entries.get(id)
    return this.#apply(id, found, renew(found, owner, leaseMs, this.#now()))
  }

  checkpoint(id: string, owner: string, checkpoints: string) {
    const found = this.#entries.get(id)
    return this.#apply(id, found, checkpoint(found, owner, checkpoints))
  }

  complete(id: string, owner: string, response: string, ttlMs: number) {
    const found = this.#entries.get(id)
    const held = this.#apply(id, found, complete(found, owner, response, ttlMs, this.#now()))
    if (this.#bytes > this.#maxBytes) this.#makeRoom(0)
    return held
  }

  release(id: string, owner: string) {
    const found = this.#entries.get(id)
    return this.#apply(id, found, release(found, owner))
  }

  inspect(id: string): KeyStatus | undefined {
    const entry = this.#entries.get(id)
    return entry && entry.expiresAt > this.#now() ? statusOf(id, entry) : undefined
  }

  list(limit: number): KeyStatus[] {
    const found: KeyStatus[] = []
    const now = this.#now()
    for (const [id, entry] of this.#entries) {
      if (found.length >= limit) break
      if (entry.expiresAt > now) found.push(statusOf(id, entry))
    }
    return found
  }

  delete(id: string): boolean {
    const found = this.#entries.get(id)
    this.#put(id, found, undefined)
    return found !== undefined
  }

  #apply<T>(id: string, found: KeyEntry | undefined, [entry, result]: Step<T>): T {
    if (entry !== found) this.#put(id, found, entry)
    return result
  }

  #put(id: string, found: KeyEntry | undefined, entry: KeyEntry | undefined): void {
    this.#bytes += sizeOf(entry) - sizeOf(found)
    if (!entry) {
      this.#entries.delete(id)
      return
    }
    this.#entries.set(id, entry)
    if (!found || !this.#expiry.isSame(found.expiresAt, entry.expiresAt)) this.#expiry.add(id, entry.expiresAt)
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

function sizeOf(entry: KeyEntry | undefined): number {
  if (!entry) return 0
  return entry.state === 'done' ? entry.response.length : entry.checkpoints.length
}

function statusOf(id: string, entry: KeyEntry): KeyStatus {
  const { state, fingerprint, attempt, expiresAt } = entry
  const leaseUntil = entry.state === 'locked' ? entry.leaseUntil : 0
  return { id, state, fingerprint, attempt, leaseUntil, expiresAt }
}
