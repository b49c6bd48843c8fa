import { getEnd, type Ledger, NO_STATE } from '../decide.ts'
import type { Charge } from '../store.ts'
import type { Connection } from './postgres-transaction.ts'
import { formatState, parseState, toRowKey } from './sql.ts'

/** Rows of charges, locked by a transaction. */
export interface Rows {
  /** Time of the server after the rows were locked, in milliseconds. */
  readonly time: number
  /** Number of rows without a state: new ones, and those that were reset. */
  readonly added: number
  readonly ledger: Ledger
  /** Writes the changed states. */
  save(): Promise<void>
}

/** Statements of a table. */
export interface Statements {
  readonly create: readonly string[]
  readonly lock: string
  readonly save: string
  readonly sweep: string
}

// The state of a new row is empty. An update that changes nothing locks a row and reads it in one
// step. The clock is read after the lock.
export function compileStatements(table: string): Statements {
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
    // Rows that another transaction uses are deleted next time.
    sweep: `DELETE FROM ${table} WHERE key IN
      (SELECT key FROM ${table} WHERE ends <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
  }
}

interface Row {
  key: string
  state: string
  time: string
}

/** Locks the rows of charges, and creates the missing ones. */
export async function lockRows(
  connection: Connection,
  { lock, save }: Statements,
  charges: readonly Charge[],
): Promise<Rows> {
  const keys = [...new Set(charges.map(toRowKey))]
  const rows = (await connection.query(lock, [keys])).rows as Row[]
  const states = new Map(rows.map(({ key, state }) => [key, parseState(state)]))
  const changed = new Map<string, number>()
  const ledger: Ledger = {
    read: (charge) => states.get(toRowKey(charge)) ?? NO_STATE,
    write(charge, state) {
      states.set(toRowKey(charge), state)
      changed.set(toRowKey(charge), getEnd(state, charge.policy))
    },
  }
  return {
    time: Math.max(...rows.map((row) => Number(row.time))),
    added: rows.filter(({ state }) => state === '').length,
    ledger,
    async save() {
      if (changed.size === 0) return
      const names = [...changed.keys()]
      const texts = names.map((name) => formatState(states.get(name) ?? NO_STATE))
      await connection.query(save, [names, texts, [...changed.values()]])
    },
  }
}
