import { type Connection, insertRows, loadMoney, type Money, type Stored } from '../../engine/index.ts'

const ROWS_AT_ONCE = 50
const START = Date.UTC(2026, 0, 5, 8)
const HOUR = 3_600_000

/** A moment of the demo data: so many hours after the first working day of 2026. */
export function hoursIn(hours: number): string {
  return new Date(START + hours * HOUR).toISOString()
}

/** Inserts rows in their order, so that their ids count from 1. */
export async function insertAll(db: Connection, table: string, rows: readonly Record<string, Stored>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await insertRows(db, table, rows.slice(at, at + ROWS_AT_ONCE))
  }
}

/** As `insertAll`, for tables of resources: with the moment at which each was made. */
export async function insertKept(
  db: Connection,
  table: string,
  rows: readonly Record<string, Stored>[],
): Promise<void> {
  const dated = rows.map((row, at) => ({ createdAt: hoursIn(at), updatedAt: row['createdAt'] ?? hoursIn(at), ...row }))
  await insertAll(db, table, dated)
}

/** An amount of the demo data, which is in euros. */
export function euros(cents: number): Money {
  return loadMoney({ amount: cents, amountCurrency: 'EUR' }, 'amount')
}
