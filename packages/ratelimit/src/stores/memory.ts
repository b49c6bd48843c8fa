import { assertKnownOptions, assertTypes } from '../../../internal/options.ts'
import type { CounterState, LimitResult, Policy } from '../algorithm.ts'
import { adjustAll, algorithms, blockUntil, consumeAll, getEnd, type Ledger, look, NO_STATE } from '../decide.ts'
import { assertPositiveInteger } from '../rate.ts'
import type { Charge, RateLimitStore } from '../store.ts'
import { FlatTable } from './flat-table.ts'
import { KeyHash } from './key-hash.ts'
import { MapTable } from './map-table.ts'
import type { Expiry, Table } from './table.ts'

/** Options for `memoryStore()`. */
export interface MemoryStoreOptions {
  /**
   * Maximum number of keys, about 34 bytes each. Above it, the least used keys are evicted.
   * @defaultValue 1000000
   */
  maxKeys?: number
  /**
   * Returns the current time in milliseconds since 1970, for tests. @defaultValue a monotonic clock
   */
  now?: () => number
}

/** A store in the memory of this process. */
export interface MemoryStore extends RateLimitStore {
  /** Number of keys, including expired ones that have not been deleted yet. */
  readonly size: number
}

const MAX_KEYS = 1_000_000

/** Length of the state of a key. The other algorithms store each request. */
const WIDTHS: Partial<Record<Policy['algorithm'], number>> = {
  gcra: 1,
  'fixed-window': 2,
  'token-bucket': 2,
  'sliding-counter': 3,
}

/**
 * All keys are checked once in this time, a small part at a time, when requests arrive: there is no
 * timer.
 */
const SWEEP_MS = 60_000

/** Creates a store in the memory of this process. It returns in the same tick, without promises. */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  assertKnownOptions('ratelimit: memoryStore', options, ['maxKeys', 'now'])
  assertTypes('ratelimit: memoryStore', options, { now: 'function' })
  const { maxKeys = MAX_KEYS, now = steadyNow } = options
  assertPositiveInteger('maxKeys', maxKeys)
  const memory = new CounterMemory(maxKeys)
  return {
    get size() {
      return memory.size
    },
    consume: (charges) => memory.consume(charges, now()),
    adjust: (charges) => memory.adjust(charges, now()),
    block: (charges, ms) => memory.block(charges, ms, now()),
    reset: (charges) => memory.reset(charges),
  }
}

/** The counters of a process. Callers pass the time. */
export class CounterMemory implements Ledger {
  readonly #tables = new Map<string, Table>()
  readonly #hash = new KeyHash(createSeed(), createSeed())
  readonly #maxKeys: number
  #nextSweep = 0
  /** The table of the last call: most limiters have one. */
  #policy: Policy | undefined
  #table: Table | undefined

  constructor(maxKeys = MAX_KEYS) {
    this.#maxKeys = maxKeys
  }

  get size(): number {
    let size = 0
    for (const table of this.#tables.values()) size += table.size
    return size
  }

  consume(charges: readonly Charge[], now: number): readonly LimitResult[] {
    if (now >= this.#nextSweep) this.#sweep(now)
    const charge = charges[0]
    if (!charge || charges.length > 1) return consumeAll(charges, now, this)
    // Most calls have one charge, of a key that is not blocked: it depends on nothing else.
    const { policy, key } = charge
    const table = this.#getTable(policy)
    const state = table.read(key) ?? NO_STATE
    if ((state[0] ?? 0) < 0) return consumeAll(charges, now, this)
    const algorithm = algorithms[policy.algorithm]
    const taken = algorithm.take(state, now, policy, charge.cost, charge.id ?? charge.phase)
    // To destructure an array iterates over it.
    const next = taken[0]
    if (next !== state && table.write(key, next, now)) this.#limitSize(now)
    return [taken[1]]
  }

  adjust(charges: readonly Charge[], now: number): readonly LimitResult[] {
    if (now >= this.#nextSweep) this.#sweep(now)
    return adjustAll(charges, now, this)
  }

  block(charges: readonly Charge[], ms: number, now: number): void {
    if (now >= this.#nextSweep) this.#sweep(now)
    for (const charge of charges) this.write(charge, blockUntil(now + ms), now)
  }

  reset(charges: readonly Charge[]): void {
    for (const { policy, key } of charges) this.#getTable(policy).delete(key)
  }

  read({ policy, key }: Charge): CounterState {
    return this.#getTable(policy).read(key) ?? NO_STATE
  }

  write({ policy, key }: Charge, state: CounterState, now: number): void {
    if (this.#getTable(policy).write(key, state, now)) this.#limitSize(now)
  }

  #getTable(policy: Policy): Table {
    if (policy === this.#policy && this.#table) return this.#table
    let table = this.#tables.get(policy.id)
    if (!table) {
      const width = WIDTHS[policy.algorithm]
      table = width ? new FlatTable(width, this.#hash, createExpiry(policy)) : new MapTable(createExpiry(policy))
      this.#tables.set(policy.id, table)
    }
    this.#policy = policy
    this.#table = table
    return table
  }

  #limitSize(now: number): void {
    if (this.size > this.#maxKeys) findLargest(this.#tables).evict(now)
  }

  #sweep(now: number): void {
    let parts = 0
    for (const [id, table] of this.#tables) {
      table.sweep(now)
      parts = Math.max(parts, table.parts)
      if (table.size === 0) this.#tables.delete(id)
    }
    this.#policy = undefined
    this.#nextSweep = now + SWEEP_MS / Math.max(1, parts)
  }
}

function createExpiry(policy: Policy): Expiry {
  return {
    isExpired: (state, now) => getEnd(state, policy) <= now,
    remaining: (state, now) => look(state, now, policy).remaining,
  }
}

function findLargest(tables: ReadonlyMap<string, Table>): Table {
  return [...tables.values()].reduce((largest, table) => (table.size > largest.size ? table : largest))
}

function createSeed(): number {
  return Math.floor(Math.random() * 2 ** 32)
}

// In Node.js the global is a getter, which slows every check down. Fake timers of tests replace it
// together with `Date`.
const clock = performance
const realDate = Date
const START = clock.timeOrigin

/** Milliseconds since 1970 as of the start of the process, advanced by a monotonic clock. */
export function steadyNow(): number {
  return Math.floor(START + (Date === realDate ? clock : performance).now())
}
