import { chain, type MaybePromise } from '../../../internal/maybe-promise.ts'
import { assertKnownOptions, assertMethod, assertTypes } from '../../../internal/options.ts'
import type { TransactionalStore } from '../store.ts'
import type { OpenTransaction, Row, SqlExecutor } from '../transaction.ts'
import { queue } from './queue.ts'
import { query, sqlStore } from './sql.ts'
import type { Dialect } from './sql-statements.ts'
import { assertTableName, buildTable } from './table.ts'

/** `DatabaseSync` of node:sqlite, or a database of better-sqlite3. */
export interface SqliteDatabase {
  /** Runs statements that return no rows. */
  exec(sql: string): unknown
  /** Prepares a statement that runs many times. */
  prepare(sql: string): { all(...values: never[]): unknown[] }
}

/** Options for `sqliteStore()`. */
export interface SqliteStoreOptions {
  /** Name of the table. @defaultValue 'svc_idempotency' */
  table?: string
  /** Whether to create the table if it does not exist. @defaultValue true */
  createTable?: boolean
  /** Returns the current time in milliseconds since 1970, for tests. @defaultValue Date.now */
  now?: () => number
}

/** A store in SQLite. Keys, responses and effects can be committed together. */
export interface SqliteStore extends TransactionalStore {
  /** Deletes up to 1,000 expired keys and returns their number. The store sweeps automatically. */
  sweep(): MaybePromise<number>
}

// Rowids grow in the order of insertion, so no index on expires_at is needed: it would cost each
// claim.
const DIALECT: Dialect = {
  name: 'sqlite',
  now: '?',
  hasChanged: 'SELECT 1 WHERE changes() > 0',
  newestFirst: 'rowid DESC',
}
const SWEEP_ROWS = 500

/** Returns the statements that create the table, for your own migrations. */
export function createTableStatements(table = 'svc_idempotency'): string[] {
  assertTableName('idempotency: sqliteStore', table)
  return [buildTable(table, { integer: 'integer', bytes: 'blob' })]
}

/**
 * Creates a store in an SQLite database, for all processes of a host. It returns in the same tick,
 * except while a transaction of `open` uses the connection.
 */
export function sqliteStore(database: SqliteDatabase, options: SqliteStoreOptions = {}): SqliteStore {
  assertKnownOptions('idempotency: sqliteStore', options, ['table', 'createTable', 'now'])
  assertTypes('idempotency: sqliteStore', options, { table: 'string', createTable: 'boolean', now: 'function' })
  assertMethod(
    'idempotency: sqliteStore',
    'database',
    database,
    'prepare',
    'an SqliteDatabase such as DatabaseSync of node:sqlite',
  )
  const { table = 'svc_idempotency', createTable = true, now = Date.now } = options
  const statements = createTableStatements(table)
  if (createTable) for (const statement of statements) database.exec(statement)
  const turns = queue()
  const direct = createExecutor(database)
  const executor: SqlExecutor = { query: (text, values) => turns.run(() => direct.query(text, values)) }
  const sweepAll = `DELETE FROM ${table} WHERE rowid IN
    (SELECT rowid FROM ${table} WHERE expires_at <= ? ORDER BY rowid LIMIT 1000) RETURNING id`
  return {
    ...sqlStore({ dialect: DIALECT, table, executor, now, sweep: createSweep(table, executor) }),
    sweep: () => chain(query(executor, sweepAll, [now()]), (rows) => rows.length),
    // A connection has one transaction at a time.
    open: () => chain(turns.enter(), (leave) => begin(database, direct, leave)),
  }
}

/**
 * Creates a function that deletes the expired keys among the next rows, oldest rows first. At the
 * end of the table it goes on with new rows, and starts over when the first of the others expires.
 */
function createSweep(table: string, executor: SqlExecutor): (now: number | null) => MaybePromise<unknown> {
  const readRange = `SELECT count(*) AS rows, count(live) AS live, min(live) AS expires, max(rowid) AS last,
    max(CASE WHEN live > 0 THEN rowid END) AS last_live
    FROM (SELECT rowid, CASE WHEN expires_at > ? THEN expires_at END AS live FROM ${table}
      WHERE rowid > ? ORDER BY rowid LIMIT ${SWEEP_ROWS})`
  const deleteExpired = `DELETE FROM ${table} WHERE rowid > ? AND rowid <= ? AND expires_at <= ? RETURNING id`
  let after = 0
  let lastLive = 0
  let isAtEnd = false
  let nextExpiry = Number.POSITIVE_INFINITY
  return (now) => {
    if (isAtEnd && Number(now) >= nextExpiry) {
      after = 0
      lastLive = 0
      nextExpiry = Number.POSITIVE_INFINITY
    }
    const first = after
    return chain(query(executor, readRange, [now, first]), ([range]) => {
      const { rows = 0, live, expires, last, last_live: latest } = range ?? {}
      isAtEnd = Number(rows) < SWEEP_ROWS
      lastLive = Number(latest ?? lastLive)
      nextExpiry = Math.min(nextExpiry, Number(expires ?? nextExpiry))
      // SQLite uses the rowids of deleted rows at the end again.
      after = isAtEnd ? lastLive : Number(last)
      return live === rows ? undefined : query(executor, deleteExpired, [first, last, now])
    })
  }
}

// `all` of better-sqlite3 throws for a statement that returns no rows; it has `reader` to tell.
type Statement = ReturnType<SqliteDatabase['prepare']> & { reader?: boolean; run?(...values: never[]): unknown }

function createExecutor(database: SqliteDatabase): { query(text: string, values: unknown[]): Row[] } {
  const prepared = new Map<string, Statement>()
  return {
    query(text, values) {
      const statement: Statement = prepared.get(text) ?? database.prepare(text)
      prepared.set(text, statement)
      if (statement.reader !== false) return statement.all(...(values as never[])) as Row[]
      statement.run?.(...(values as never[]))
      return []
    },
  }
}

// IMMEDIATE: a transaction that begins with a read could not write after another connection wrote.
function begin(database: SqliteDatabase, direct: SqlExecutor, leave: () => void): OpenTransaction {
  try {
    database.exec('BEGIN IMMEDIATE')
  } catch (error) {
    leave()
    throw error
  }
  const rollback = (): void => {
    try {
      database.exec('ROLLBACK')
    } catch {
      // SQLite has rolled back on its own, for example because the disk is full.
    }
    leave()
  }
  return {
    client: database,
    query(text, values) {
      if (!isOpen(database)) throw new Error('idempotency: sqliteStore: the transaction ended before the response')
      return direct.query(text, values)
    },
    commit() {
      try {
        database.exec('COMMIT')
      } catch (error) {
        rollback()
        throw error
      }
      leave()
    },
    rollback,
  }
}

// The handler may have ended the transaction, also by INSERT OR ROLLBACK. The key would then be
// committed without the writes of the handler. node:sqlite has `isTransaction` from Node.js 22.16
// on, and better-sqlite3 `inTransaction`.
function isOpen(database: SqliteDatabase): boolean {
  const { isTransaction, inTransaction } = database as { isTransaction?: boolean; inTransaction?: boolean }
  return isTransaction ?? inTransaction ?? true
}
