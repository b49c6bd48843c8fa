import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { AcquireResult, Claim } from './state.ts'

/** A row, as drivers give it. */
export type Row = Readonly<Record<string, unknown>>

/**
 * What runs a statement: a client, a pool or a transaction of `pg` as it is, or a few lines around anything else.
 * Placeholders are those of the store: `$1` for PostgreSQL, `?` for SQLite.
 */
export interface SqlExecutor {
  /** Runs one statement with its values; gives the rows, as a list or under `rows`. */
  query(text: string, values: unknown[]): MaybePromise<readonly Row[] | { readonly rows: readonly Row[] }>
}

/** A transaction that has begun. */
export interface OpenTransaction extends SqlExecutor {
  /** What the handler writes with: the client of the driver. */
  readonly client: unknown
  /** Commits what was written. */
  commit(): MaybePromise<unknown>
  /** Takes back what was written. */
  rollback(): MaybePromise<unknown>
  /**
   * Rolls back while the handler may still write: the connection must not be anybody else's then. @defaultValue
   * rollback
   */
  abandon?(): MaybePromise<unknown>
}

/** The steps of one attempt inside a transaction. What is not committed never was. */
export interface TransactionSteps {
  /** `false`: what others commit meanwhile cannot be seen inside, so no one waits for it there. @defaultValue true */
  readonly canWait?: boolean
  /** Asks for the key, as the store's own `acquire` does. */
  acquire(id: string, claim: Claim): MaybePromise<AcquireResult>
  /** `false`: another attempt was faster, and the transaction must be rolled back. */
  complete(id: string, claim: Claim, attempt: number, response: string): MaybePromise<boolean>
  /** Keeps steps taken outside of the database, whatever becomes of the transaction. */
  checkpoint(id: string, claim: Claim, attempt: number, checkpoints: string): MaybePromise<boolean>
}
