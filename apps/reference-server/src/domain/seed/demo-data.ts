import { type Connection, insertRows, type Money, money, type Stored } from '../../engine/index.ts'

type SeedRow = Readonly<Record<string, Stored>>

const BATCH = 50
const START = Date.UTC(2026, 0, 5, 8)
const HOUR_MS = 3_600_000

/** Returns a time of the demo data: this many hours after the first working day of 2026 began. */
export function hoursIn(hours: number): string {
  return new Date(START + hours * HOUR_MS).toISOString()
}

/** Inserts rows in their order, so that their ids count from 1. */
export async function insertAll(db: Connection, table: string, rows: readonly SeedRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH) await insertRows(db, table, rows.slice(start, start + BATCH))
}

/** As `insertAll`, for tables of collections: adds the times of creation and of the last change. */
export async function insertDated(db: Connection, table: string, rows: readonly SeedRow[]): Promise<void> {
  const dated = rows.map((row, hours) => {
    const createdAt = row['createdAt'] ?? hoursIn(hours)
    return { createdAt, updatedAt: createdAt, ...row }
  })
  await insertAll(db, table, dated)
}

/** Returns an amount of the demo data, which is in euros. */
export function euros(cents: number): Money {
  return money.fromUnits(cents, 'EUR')
}

export type Random = ReturnType<typeof createRandom>

/** Creates numbers that look random and are the same on every start (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** Returns an integer from 0 to below `below`. */
  const whole = (below: number): number => Math.floor(next() * below)
  return {
    whole,
    between: (from: number, to: number): number => from + whole(to - from + 1),
    pick<V>(values: readonly V[]): V {
      const value = values[whole(values.length)]
      if (value === undefined) throw new TypeError('random: values must not be empty')
      return value
    },
    chance: (share: number): boolean => next() < share,
  }
}
