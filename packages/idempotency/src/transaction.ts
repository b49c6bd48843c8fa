import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { AcquireResult, Claim } from './state.ts'

/** A row, as drivers return it. */
export type Row = Readonly<Record<string, unknown>>

/**
 * Runs statements: a client, pool or transaction of `pg` as is, or a small wrapper of anything
 * else. Placeholders are those of the store: `$1` for PostgreSQL, `?` for SQLite.
 */
export interface SqlExecutor {
  /**
   * Runs a statement with its values, and returns the rows: as a list, or in the property `rows`.
   */
  query(text: string, values: unknown[]): MaybePromise<readonly Row[] | { readonly rows: readonly Row[] }>
}

/** An open transaction. */
export interface OpenTransaction extends SqlExecutor {
  /** The client of the driver, for the writes of the handler. */
  readonly client: unknown
  /** Commits what was written. */
  commit(): MaybePromise<unknown>
  /** Rolls back what was written. */
  rollback(): MaybePromise<unknown>
  /**
   * Rolls back while the handler may still write, or if the store does not reply in time: the
   * connection must not be reused. Must not do anything after `commit` or `rollback` has ended.
   * @defaultValue rollback while the handler may still write
   */
  abandon?(): MaybePromise<unknown>
}

/** Steps of one attempt inside a transaction. A rollback undoes them. */
export interface TransactionSteps {
  /** Whether a duplicate can wait inside, since it sees what others commit. @defaultValue true */
  readonly canWait?: boolean
  /** Claims the key, as `acquire` of the store does. */
  acquire(id: string, claim: Claim): MaybePromise<AcquireResult>
  /** Stores the response. Returns `false` if another attempt was faster: then roll back. */
  complete(id: string, claim: Claim, attempt: number, response: string): MaybePromise<boolean>
  /** Stores steps outside the database, regardless of the outcome of the transaction. */
  checkpoint(id: string, claim: Claim, attempt: number, checkpoints: string): MaybePromise<boolean>
}
