import { assertKnownOptions, assertMethod, assertTypes } from '../../../internal/options.ts'
import { adjustAll, blockUntil, consumeAll, getEnd, type Ledger, NO_STATE } from '../decide.ts'
import type { Charge, RateLimitStore } from '../store.ts'
import { assertTableName, formatState, parseState, sweepPlanner, toRowKey } from './sql.ts'

interface Statement {
  get(...values: (string | number)[]): unknown
  run(...values: (string | number)[]): unknown
}

/** `DatabaseSync` of node:sqlite, or a database of better-sqlite3. */
export interface SqliteDatabase {
  /** Runs statements that return no rows. */
  exec(sql: string): unknown
  /** Prepares a statement that runs many times. */
  prepare(sql: string): Statement
}

/** Options for `sqliteStore()`. */
export interface SqliteStoreOptions {
  /** Name of the table. @defaultValue 'svc_ratelimit' */
  table?: string
  /** Whether to create the table if it does not exist. @defaultValue true */
  createTable?: boolean
  /** Returns the current time in milliseconds since 1970, for tests. @defaultValue Date.now */
  now?: () => number
}

/** Returns the statements that create the table, for your own migrations. */
export function createTableStatements(table = 'svc_ratelimit'): string[] {
  assertTableName(table)
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (key TEXT PRIMARY KEY, state TEXT NOT NULL, ends INTEGER NOT NULL) WITHOUT ROWID`,
    `CREATE INDEX IF NOT EXISTS ${table}_ends ON ${table} (ends)`,
  ]
}

/**
 * Creates a store in an SQLite file, for all processes of a host and across restarts. The store
 * opens transactions, so it needs a separate connection; if several processes use the file, set a
 * timeout: `new DatabaseSync(file, { timeout: 50 })`. Returns in the same tick.
 */
export function sqliteStore(database: SqliteDatabase, options: SqliteStoreOptions = {}): RateLimitStore {
  assertKnownOptions('ratelimit: sqliteStore', options, ['table', 'createTable', 'now'])
  assertTypes('ratelimit: sqliteStore', options, { table: 'string', createTable: 'boolean', now: 'function' })
  assertMethod(
    'ratelimit: sqliteStore',
    'database',
    database,
    'prepare',
    'an SqliteDatabase such as DatabaseSync of node:sqlite',
  )
  const table = assertTableName(options.table ?? 'svc_ratelimit')
  const now = options.now ?? Date.now
  if (options.createTable ?? true) for (const statement of createTableStatements(table)) database.exec(statement)
  const select = database.prepare(`SELECT state FROM ${table} WHERE key = ?`)
  const upsert = database.prepare(
    `INSERT INTO ${table} VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET state = excluded.state, ends = excluded.ends`,
  )
  const remove = database.prepare(`DELETE FROM ${table} WHERE key = ?`)
  const sweep = database.prepare(`DELETE FROM ${table} WHERE key IN (SELECT key FROM ${table} WHERE ends <= ? LIMIT ?)`)
  const planSweep = sweepPlanner()

  const ledger: Ledger = {
    read(charge) {
      const row = select.get(toRowKey(charge)) as { state: string } | undefined
      return row ? parseState(row.state) : NO_STATE
    },
    write(charge, state) {
      if (state.length === 0) remove.run(toRowKey(charge))
      else upsert.run(toRowKey(charge), formatState(state), getEnd(state, charge.policy))
    },
  }
  const transact = <T>(charges: readonly Charge[], work: (time: number) => T): T => {
    database.exec('BEGIN IMMEDIATE')
    try {
      const time = now()
      const rows = planSweep(time, charges.length)
      if (rows > 0) sweep.run(time, rows)
      const result = work(time)
      database.exec('COMMIT')
      return result
    } catch (error) {
      try {
        database.exec('ROLLBACK')
      } catch {
        // A full disk has already ended the transaction; the first error has the reason.
      }
      throw error
    }
  }

  return {
    consume: (charges) => transact(charges, (time) => consumeAll(charges, time, ledger)),
    adjust: (charges) => transact(charges, (time) => adjustAll(charges, time, ledger)),
    block: (charges, ms) =>
      transact(charges, (time) => {
        for (const charge of charges) ledger.write(charge, blockUntil(time + ms), time)
      }),
    reset: (charges: readonly Charge[]) =>
      transact(charges, () => {
        for (const charge of charges) remove.run(toRowKey(charge))
      }),
  }
}
