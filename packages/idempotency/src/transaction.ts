import type { Awaitable } from './chain.ts'
import type { Acquired, Claim } from './state.ts'

/** A row, as drivers give it. */
export type Row = Readonly<Record<string, unknown>>

/**
 * What runs a statement: a client, a pool or a transaction of `pg` as it is, or a few lines around anything else.
 * Placeholders are those of the store: `$1` for PostgreSQL, `?` for SQLite.
 */
export interface Executor {
  /** Runs one statement with its values; gives the rows, as a list or under `rows`. */
  query(text: string, values: unknown[]): Awaitable<readonly Row[] | { readonly rows: readonly Row[] }>
}

/** A transaction that has begun. */
export interface OpenTransaction extends Executor {
  /** What the handler writes with: the client of the driver. */
  readonly client: unknown
  /** Commits what was written. */
  commit(): Awaitable<unknown>
  /** Takes back what was written. */
  rollback(): Awaitable<unknown>
  /**
   * Rolls back while the handler may still write: the connection must not be anybody else's then. @defaultValue
   * rollback
   */
  abandon?(): Awaitable<unknown>
}

/** The steps of one attempt inside a transaction. What is not committed never was. */
export interface TransactionSteps {
  /** `false`: what others commit meanwhile cannot be seen inside, so that nobody waits for it there. @defaultValue true */
  readonly canWait?: boolean
  /** Asks for the key, as the store's own `acquire` does. */
  acquire(id: string, claim: Claim): Awaitable<Acquired>
  /** `false`: another attempt was faster, and the transaction must be rolled back. */
  complete(id: string, claim: Claim, generation: number, answer: string): Awaitable<boolean>
  /** Keeps steps taken outside of the database, whatever becomes of the transaction. */
  checkpoint(id: string, claim: Claim, generation: number, checkpoints: string): Awaitable<boolean>
}
