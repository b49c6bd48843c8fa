import { assertKnownOptions } from '../../../internal/options.ts'
import type { Policy } from '../algorithm.ts'
import { adjustAll, blockedUntil, consumeAll, getEnd, type Ledger, look, NOTHING } from '../decide.ts'
import { checkWhole } from '../rate.ts'
import type { RateLimitStore } from '../store.ts'
import { FlatTable } from './flat-table.ts'
import { KeyHash } from './key-hash.ts'
import { MapTable } from './map-table.ts'
import type { Forget, Table } from './table.ts'

/** Options for `memoryStore()`. */
export interface MemoryStoreOptions {
  /**
   * Keys that are kept at most, about 32 bytes each. Beyond that, those that used least are given up. @defaultValue
   * 1000000
   */
  maxKeys?: number
  /** Milliseconds, for tests. @defaultValue a clock that never goes back */
  now?: () => number
}

/** A store in the memory of one process. */
export interface MemoryStore extends RateLimitStore {
  /** Keys that are kept now, those that are over and not swept yet included. */
  readonly size: number
}

/** Numbers that the state of a key holds; the algorithms that are not here remember each request. */
const WIDTHS: Partial<Record<Policy['algorithm'], number>> = {
  gcra: 1,
  'fixed-window': 2,
  'token-bucket': 2,
  'sliding-counter': 3,
}

/** All keys are looked through once in this time, a small part at a time, as requests come: there is no timer. */
const SWEEP_MS = 60_000

/** Counts in this process. Answers at once, with no promise. */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  assertKnownOptions('ratelimit: memoryStore', options, ['maxKeys', 'now'])
  const { maxKeys = 1_000_000, now = steadyNow } = options
  checkWhole('maxKeys', maxKeys)
  const tables = new Map<string, Table>()
  const hash = new KeyHash(randomWord(), randomWord())
  let time = 0
  let nextSweep = 0
  let latest: { policy: Policy; table: Table } | undefined

  const getSize = (): number => {
    let size = 0
    for (const table of tables.values()) size += table.size
    return size
  }
  const getTable = (policy: Policy): Table => {
    if (latest?.policy === policy) return latest.table
    let table = tables.get(policy.id)
    if (!table) {
      const width = WIDTHS[policy.algorithm]
      table = width ? new FlatTable(width, hash, createForget(policy)) : new MapTable(createForget(policy))
      tables.set(policy.id, table)
    }
    latest = { policy, table }
    return table
  }
  const sweep = (): void => {
    let parts = 0
    for (const [id, table] of tables) {
      table.sweep(time)
      parts = Math.max(parts, table.parts)
      if (table.size === 0) tables.delete(id)
    }
    latest = undefined
    nextSweep = time + SWEEP_MS / Math.max(1, parts)
  }
  const ledger: Ledger = {
    read: ({ policy, key }) => getTable(policy).read(key) ?? NOTHING,
    write({ policy, key }, state) {
      const table = getTable(policy)
      const before = table.size
      table.write(key, state, time)
      if (table.size > before && getSize() > maxKeys) largest(tables).evict(time)
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
      for (const charge of charges) ledger.write(charge, blockedUntil(until))
    },
    reset(charges) {
      for (const { policy, key } of charges) getTable(policy).delete(key)
    },
  }
}

function createForget(policy: Policy): Forget {
  return {
    isOver: (state, now) => getEnd(state, policy) <= now,
    remaining: (state, now) => look(state, now, policy).remaining,
  }
}

function largest(tables: ReadonlyMap<string, Table>): Table {
  return [...tables.values()].reduce((most, table) => (table.size > most.size ? table : most))
}

function randomWord(): number {
  return Math.floor(Math.random() * 2 ** 32)
}

const START = performance.timeOrigin

/** Milliseconds since 1970 as of the start of the process, advanced by a monotonic clock. */
function steadyNow(): number {
  return Math.floor(START + performance.now())
}
