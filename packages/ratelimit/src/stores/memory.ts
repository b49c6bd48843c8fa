import { assertKnownOptions, assertTypes } from '../../../internal/options.ts'
import type { Policy } from '../algorithm.ts'
import { adjustAll, blockUntil, consumeAll, getEnd, type Ledger, look, NO_STATE } from '../decide.ts'
import { assertPositiveInteger } from '../rate.ts'
import type { RateLimitStore } from '../store.ts'
import { FlatTable } from './flat-table.ts'
import { KeyHash } from './key-hash.ts'
import { MapTable } from './map-table.ts'
import type { Expiry, Table } from './table.ts'

/** Options for `memoryStore()`. */
export interface MemoryStoreOptions {
  /**
   * Maximum number of keys, about 32 bytes each. Above it, the least used keys are evicted.
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
  const { maxKeys = 1_000_000, now = steadyNow } = options
  assertPositiveInteger('maxKeys', maxKeys)
  const tables = new Map<string, Table>()
  const hash = new KeyHash(createSeed(), createSeed())
  let time = 0
  let nextSweep = 0
  let last: { policy: Policy; table: Table } | undefined

  const getSize = (): number => {
    let size = 0
    for (const table of tables.values()) size += table.size
    return size
  }
  const getTable = (policy: Policy): Table => {
    if (last?.policy === policy) return last.table
    let table = tables.get(policy.id)
    if (!table) {
      const width = WIDTHS[policy.algorithm]
      table = width ? new FlatTable(width, hash, createExpiry(policy)) : new MapTable(createExpiry(policy))
      tables.set(policy.id, table)
    }
    last = { policy, table }
    return table
  }
  const sweep = (): void => {
    let parts = 0
    for (const [id, table] of tables) {
      table.sweep(time)
      parts = Math.max(parts, table.parts)
      if (table.size === 0) tables.delete(id)
    }
    last = undefined
    nextSweep = time + SWEEP_MS / Math.max(1, parts)
  }
  const ledger: Ledger = {
    read: ({ policy, key }) => getTable(policy).read(key) ?? NO_STATE,
    write({ policy, key }, state) {
      const table = getTable(policy)
      const sizeBefore = table.size
      table.write(key, state, time)
      if (table.size > sizeBefore && getSize() > maxKeys) findLargest(tables).evict(time)
    },
  }
  const tick = (): number => {
    time = now()
    if (time >= nextSweep) sweep()
    return time
  }

  return {
    get size() {
      return getSize()
    },
    consume: (charges) => consumeAll(charges, tick(), ledger),
    adjust: (charges) => adjustAll(charges, tick(), ledger),
    block(charges, ms) {
      const until = tick() + ms
      for (const charge of charges) ledger.write(charge, blockUntil(until))
    },
    reset(charges) {
      for (const { policy, key } of charges) getTable(policy).delete(key)
    },
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

const START = performance.timeOrigin

/** Milliseconds since 1970 as of the start of the process, advanced by a monotonic clock. */
export function steadyNow(): number {
  return Math.floor(START + performance.now())
}
