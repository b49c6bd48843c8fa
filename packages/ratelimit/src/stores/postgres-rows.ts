import { getEnd, type Ledger, NOTHING } from '../decide.ts'
import type { Charge } from '../store.ts'
import type { Connection } from './postgres-transaction.ts'
import { readState, rowKey, SWEEP, writeState } from './sql.ts'

/** The rows of some charges, locked by a transaction. */
export interface Rows {
  /** The clock of the server behind the lock, in milliseconds. */
  readonly time: number
  readonly ledger: Ledger
  /** Writes what has changed. */
  save(): Promise<void>
}

/** The statements for a table. */
export interface Statements {
  readonly create: readonly string[]
  readonly lock: string
  readonly save: string
  readonly sweep: string
}

// The state of a new row is empty. An update that changes nothing is what locks a row and reads it in one step; the
// clock is read behind the lock.
export function statementsFor(table: string): Statements {
  return {
    create: [
      `SELECT pg_advisory_xact_lock(hashtext('${table}'))`,
      `CREATE TABLE IF NOT EXISTS ${table} (key text PRIMARY KEY, state text NOT NULL, ends bigint NOT NULL)`,
      `CREATE INDEX IF NOT EXISTS ${table}_ends ON ${table} (ends)`,
    ],
    lock: `INSERT INTO ${table} AS t SELECT key, '', 0 FROM unnest($1::text[]) AS key ORDER BY key COLLATE "C"
      ON CONFLICT (key) DO UPDATE SET state = t.state
      RETURNING key, state, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS time`,
    save: `UPDATE ${table} AS t SET state = n.state, ends = n.ends
      FROM unnest($1::text[], $2::text[], $3::bigint[]) AS n (key, state, ends) WHERE t.key = n.key`,
    // What another transaction is using is left for the next time.
    sweep: `DELETE FROM ${table} WHERE key IN
      (SELECT key FROM ${table} WHERE ends <= $1 LIMIT ${SWEEP.rows} FOR UPDATE SKIP LOCKED)`,
  }
}

interface Row {
  key: string
  state: string
  time: string
}

/** Locks the rows of charges, and makes those that are missing. */
export async function lockRows(
  connection: Connection,
  { lock, save }: Statements,
  charges: readonly Charge[],
): Promise<Rows> {
  const keys = [...new Set(charges.map(rowKey))]
  const rows = (await connection.query(lock, [keys])).rows as Row[]
  const states = new Map(rows.map(({ key, state }) => [key, readState(state)]))
  const changed = new Map<string, number>()
  const ledger: Ledger = {
    read: (charge) => states.get(rowKey(charge)) ?? NOTHING,
    write(charge, state) {
      states.set(rowKey(charge), state)
      changed.set(rowKey(charge), getEnd(state, charge.policy))
    },
  }
  return {
    time: Math.max(...rows.map((row) => Number(row.time))),
    ledger,
    async save() {
      if (changed.size === 0) return
      const names = [...changed.keys()]
      const texts = names.map((name) => writeState(states.get(name) ?? NOTHING))
      await connection.query(save, [names, texts, [...changed.values()]])
    },
  }
}
