import type { DatabaseSync } from 'node:sqlite'
import type { Pool } from 'pg'
import type { MaybePromise } from './maybe-promise.ts'

/** Kind of SQL that a database understands. */
export type Dialect = 'sqlite' | 'postgres'

/** Row as the driver returns it, by the names of its columns. */
export type Row = Readonly<Record<string, Stored>>

/** The values of a row, in the order of its columns. */
export type StoredRow = readonly Stored[]

/**
 * Runs SQL, in a transaction or outside of one. The text is the same for both databases, with `?`
 * for each value; a statement is prepared once and found again by its text, so that texts must not
 * contain values.
 *
 * On SQLite, results are returned synchronously: always in a transaction, and outside of one as
 * long as no transaction is open. While one is open, statements from outside wait for its end, so
 * that they never see what may be rolled back. On PostgreSQL, every result is a promise. An error
 * of the database is thrown in the same way as a result is returned.
 */
export interface Connection {
  readonly dialect: Dialect
  /** Whether all statements belong to one transaction. */
  readonly isTransaction: boolean
  /** Returns the rows of a statement. `R` names its columns. */
  all<R extends object = Row>(sql: string, values?: readonly SqlValue[]): MaybePromise<R[]>
  /** As `all`, without names: that costs half. */
  rows(sql: string, values?: readonly SqlValue[]): MaybePromise<StoredRow[]>
  /** Returns the first row, `undefined` if there is none. */
  get<R extends object = Row>(sql: string, values?: readonly SqlValue[]): MaybePromise<R | undefined>
  /**
   * Returns the row of a key. The statement ends with `where "column" = ?`, for a unique column
   * that it selects first. Outside of transactions, PostgreSQL reads the keys of one turn of the
   * event loop with one statement, at the end of the turn.
   */
  find(sql: string, key: Key): MaybePromise<StoredRow | undefined>
  /** Runs a statement that returns no rows. Returns how many rows it changed. */
  run(sql: string, values?: readonly SqlValue[]): MaybePromise<number>
}

/** The database of the service. As a connection, it commits each statement by itself. */
export interface Database extends Connection {
  readonly isTransaction: false
  /**
   * Runs work in a transaction: commits if it returns, rolls back if it throws. SQLite runs one at
   * a time, in the order of the calls, and none of another process in between. It runs those that
   * are requested in one turn of the event loop at its end, and commits them together.
   */
  transaction<T>(work: (tx: Connection) => MaybePromise<T>): Promise<T>
  /**
   * Returns another object than every earlier one if any row may have changed since, by any writer:
   * this process, a trigger, a transaction that was rolled back, or another process. Results of
   * reads between two calls that return the same object are equal. `undefined` if that is not
   * known: on SQLite while a transaction is open.
   *
   * `poll` is the number of the poll in which the request arrived. On SQLite, other processes, and
   * the driver of this one, are then asked once for all requests of a poll: the changes are those
   * of a time after their arrival, not of now, and so is what is read in the tick of the call.
   * PostgreSQL is asked at the end of a turn of the event loop, once for all calls of the turn.
   */
  changes(poll?: number): MaybePromise<Changes | undefined>
  /** The driver, for packages that run their own statements in a transaction of this database. */
  readonly native: { sqlite: DatabaseSync } | { pool: Pool }
  /** Place of the data for the log: `in memory`, a file, or a host. Never contains a password. */
  readonly where: string
  /** Rejects if the database does not respond. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The changes of a database up to some time. */
export interface Changes {
  /**
   * Differs from every earlier number if a row of `users` may have changed: on SQLite because one
   * has, or because another process has changed any row; on PostgreSQL because any row has.
   */
  readonly users: number
}

/** Thrown at start if the database cannot be used: the process ends with its message. */
export class DatabaseError extends Error {}

/** Quotes a name for SQL. Names come from declarations only, never from a request. */
export function quoted(name: string): string {
  return `"${name}"`
}

/** Returns a `?` for each value: `?, ?, ?`. */
export function marks(values: readonly unknown[]): string {
  return values.length === 0 ? '' : `?${', ?'.repeat(values.length - 1)}`
}

/** Returns the end of a `select` that locks its rows. SQLite has only one writer anyway. */
export function forUpdate({ dialect }: Connection): string {
  return dialect === 'postgres' ? ' for update' : ''
}

/** As `forUpdate`, but without the rows that another process has locked. */
export function skipLocked({ dialect }: Connection): string {
  return dialect === 'postgres' ? ' for update skip locked' : ''
}

/** Inserts rows of the same columns. Returns their number: with `orIgnore`, the valid ones. */
export function insertRows(
  db: Connection,
  table: string,
  rows: readonly Readonly<Record<string, SqlValue>>[],
  { orIgnore = false }: { orIgnore?: boolean } = {},
): MaybePromise<number> {
  if (rows.length === 0) return 0
  const { sql, values } = writeInsert(table, rows)
  return db.run(orIgnore ? `${sql} on conflict do nothing` : sql, values)
}

/** Writes the statement that inserts rows of the same columns, at least one. */
export function writeInsert(
  table: string,
  rows: readonly Readonly<Record<string, SqlValue>>[],
): { sql: string; values: SqlValue[] } {
  const columns = Object.keys(rows[0] ?? {})
  const line = `(${marks(columns)})`
  const lines = line + `, ${line}`.repeat(rows.length - 1)
  const values: SqlValue[] = []
  for (const row of rows) for (const column of columns) values.push(row[column] ?? null)
  return { sql: `insert into "${table}" ("${columns.join('", "')}") values ${lines}`, values }
}

/** Assignments that go with every change of a row; the value of their `?` is the time. */
export const TOUCH = '"revision" = "revision" + 1, "updatedAt" = ?'

/** Value of a column. */
export type Stored = string | number | bigint | null

export function isStored(value: unknown): value is Stored {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
}

/** Value of a unique column. */
export type Key = string | number | bigint

/** Value that a statement is given: bytes are stored by packages with tables of their own. */
export type SqlValue = Stored | Uint8Array

/** A 64-bit id: a number if that is exact, else its digits. */
export type Id = number | string

const MAX_LONG = 2n ** 63n - 1n
/** The digits of an id; at most 2^63 - 1 is not checked. */
export const ID_DIGITS = /^[1-9]\d{0,18}$/

/** Parses a 64-bit id. Returns `undefined` for any other text. */
export function parseId(digits: string): Id | undefined {
  if (!ID_DIGITS.test(digits)) return undefined
  const number = Number(digits)
  if (Number.isSafeInteger(number)) return number
  return BigInt(digits) > MAX_LONG ? undefined : digits
}
