import { chain, type MaybePromise } from '../../../internal/maybe-promise.ts'
import { assertKnownOptions } from '../../../internal/options.ts'
import type { TransactionalStore } from '../store.ts'
import type { OpenTransaction, Row, SqlExecutor } from '../transaction.ts'
import { queue } from './queue.ts'
import { sqlStore } from './sql.ts'
import { buildTable, requireTable } from './table.ts'

/** A database, as `DatabaseSync` of node:sqlite and better-sqlite3 are one. */
export interface SqliteDatabase {
  /** Runs statements that return no rows. */
  exec(sql: string): unknown
  /** Prepares a statement whose rows `all` returns. */
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

/** A store in SQLite: keys, answers and effects can be committed together. */
export interface SqliteStore extends TransactionalStore {
  /** Drops keys that have expired, at most a thousand at once; returns how many. Runs by itself once a minute. */
  sweep(): MaybePromise<number>
}

const TYPES = { integer: 'integer', bytes: 'blob' }

/** Returns the statements that create the table, for your own migrations. */
export function createTableStatements(table = 'svc_idempotency'): string[] {
  requireTable('idempotency: sqliteStore', table)
  return buildTable(table, TYPES)
}

/**
 * Stores keys in an SQLite database: for the processes of one host. Returns in the same tick, except while a transaction
 * of `open` uses the connection.
 */
export function sqliteStore(database: SqliteDatabase, options: SqliteStoreOptions = {}): SqliteStore {
  assertKnownOptions('idempotency: sqliteStore', options, ['table', 'createTable', 'now'])
  const { table = 'svc_idempotency', createTable = true, now = Date.now } = options
  const statements = createTableStatements(table)
  if (createTable) for (const statement of statements) database.exec(statement)
  const turns = queue()
  const direct = createExecutor(database)
  const executor: SqlExecutor = { query: (text, values) => turns.run(() => direct.query(text, values)) }
  const dialect = { name: 'sqlite', now: ':now', lock: 'SELECT 1 AS free' } as const
  const store = sqlStore({ dialect, table, executor, now })
  return {
    ...store,
    // Whoever works on the key could not write while a transaction waits for it.
    within: (tx) => ({ ...store.within(tx), checkpoint: refuseCheckpoint, canWait: false }),
    // One transaction at a time: a connection has no more.
    open: () => chain(turns.enter(), (leave) => begin(database, direct, leave)),
  }
}

// It would have to be written beside the open transaction, which is the only one that may write.
function refuseCheckpoint(): never {
  throw new Error(
    'idempotency: sqliteStore: a checkpoint cannot outlive the transaction it is taken in; use a lease (transaction: false)',
  )
}

function createExecutor(database: SqliteDatabase): { query(text: string, values: unknown[]): Row[] } {
  const prepared = new Map<string, ReturnType<SqliteDatabase['prepare']>>()
  return {
    query(text, values) {
      const statement = prepared.get(text) ?? database.prepare(text)
      prepared.set(text, statement)
      return statement.all(...(values as never[])) as Row[]
    },
  }
}

// IMMEDIATE: a transaction that begins by reading could not go on to write after another connection wrote.
function begin(database: SqliteDatabase, direct: SqlExecutor, leave: () => void): OpenTransaction {
  const run = (sql: string, last: boolean): void => {
    let failed = true
    try {
      database.exec(sql)
      failed = false
    } finally {
      if (failed && sql === 'COMMIT') database.exec('ROLLBACK')
      if (failed || last) leave()
    }
  }
  run('BEGIN IMMEDIATE', false)
  return {
    client: database,
    query: direct.query,
    commit: () => run('COMMIT', true),
    rollback: () => run('ROLLBACK', true),
  }
}
