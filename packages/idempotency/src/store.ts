import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { AcquireResult, Claim, KeyEntry } from './state.ts'
import type { OpenTransaction, SqlExecutor, TransactionSteps } from './transaction.ts'

/** Status of a key, for administration. */
export interface KeyStatus extends Pick<KeyEntry, 'state' | 'fingerprint' | 'attempt' | 'expiresAt'> {
  /** The stored key: a hash of scope and key. */
  readonly id: string
  /** End of the lease, in milliseconds since 1970; 0 if the work is not in progress. */
  readonly leaseUntil: number
}

/**
 * A store of keys. Every method is one atomic step, so that one of any number of concurrent
 * attempts gets `new`. It returns a value or a promise, and throws or rejects if the store fails.
 * `@svc/idempotency/testing` has the cases that a custom store must pass.
 */
export interface IdempotencyStore {
  /** Claims a key. */
  acquire(id: string, claim: Claim): MaybePromise<AcquireResult>
  /**
   * Renews the lease. Returns `false`, here and below, if the owner does not have the key (any
   * longer).
   */
  renew(id: string, owner: string, leaseMs: number): MaybePromise<boolean>
  /** Stores the results of steps, for the next attempt. */
  checkpoint(id: string, owner: string, checkpoints: string): MaybePromise<boolean>
  /** Stores the response, a string of characters 0 to 255. */
  complete(id: string, owner: string, response: string, ttlMs: number): MaybePromise<boolean>
  /** Releases the key: deletes it, or keeps it as `released` if it has checkpoints. */
  release(id: string, owner: string): MaybePromise<boolean>
  /** Returns the status of a key that has not expired. */
  inspect(id: string): MaybePromise<KeyStatus | undefined>
  /** Returns keys that have not expired, at most `limit`. */
  list(limit: number): MaybePromise<KeyStatus[]>
  /** Deletes a key, regardless of its state. */
  delete(id: string): MaybePromise<boolean>
  /**
   * Returns the steps of one attempt inside a transaction. Without `tx`, each is committed
   * separately.
   */
  within?(tx?: SqlExecutor): TransactionSteps
  /**
   * Opens a transaction for one attempt. `opening`: its `abandon`, if the store sets it, is called
   * when this takes too long.
   */
  open?(opening?: Pick<OpenTransaction, 'abandon'>): MaybePromise<OpenTransaction>
}

/** A store that can commit a key together with the effects of its request. */
export type TransactionalStore = IdempotencyStore & Required<Pick<IdempotencyStore, 'open' | 'within'>>
