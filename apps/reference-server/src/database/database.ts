import type { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'

/** Rows as they are stored: columns are named like the fields of the resources. */
export type Tables = Record<string, Record<string, string | number | bigint | null>>

/** A connection, or a transaction: both take the same queries. */
export type Db = Kysely<Tables>

export type Dialect = 'sqlite' | 'postgres'

/** The database of the service. */
export interface Database {
  dialect: Dialect
  db: Db
  /** The driver behind, for stores of packages that have statements of their own. */
  native: { sqlite: DatabaseSync } | { pool: Pool }
  /** Runs statements of the driver behind while no transaction is open on its connection. */
  between<T>(work: () => T | PromiseLike<T>): Promise<T>
  /** What the start line says about it: `in memory`, a file, or a host. Never a password. */
  where: string
  /** Rejects where the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The database cannot be opened: the process ends with one clear line. */
export class DatabaseError extends Error {}

/** Which database a connection is to. */
export function dialectOf(db: Db): Dialect {
  return db.getExecutor().adapter.supportsTransactionalDdl ? 'postgres' : 'sqlite'
}
