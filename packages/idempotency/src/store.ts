import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { AcquireResult, Claim, KeyEntry } from './state.ts'
import type { OpenTransaction, SqlExecutor, TransactionSteps } from './transaction.ts'

/** What an administrator sees of a key. */
export interface KeyStatus extends Pick<KeyEntry, 'state' | 'fingerprint' | 'attempt' | 'expiresAt'> {
  /** The stored key: a hash of scope and key. */
  readonly id: string
  /** Milliseconds; 0 if it is not in progress. */
  readonly leaseUntil: number
}

/**
 * Where keys live. Every method is one atomic step of the machine in `state.ts`, so that of many attempts at one key,
 * in however many processes, one gets `new`. A store answers at once or with a promise; it throws or rejects where it
 * cannot be reached. `@svc/idempotency/testing` has the cases that a store of your own must pass.
 */
export interface IdempotencyStore {
  /** An attempt wants the key. */
  acquire(id: string, claim: Claim): MaybePromise<AcquireResult>
  /** The owner is still at work. `false`, here and below: the key is not, or no longer, the owner's. */
  renew(id: string, owner: string, leaseMs: number): MaybePromise<boolean>
  /** Keeps the steps taken, for the next attempt. */
  checkpoint(id: string, owner: string, checkpoints: string): MaybePromise<boolean>
  /** Keeps the response, a string of characters 0 to 255. */
  complete(id: string, owner: string, response: string, ttlMs: number): MaybePromise<boolean>
  /** Gives the key up: forgotten, or kept as `released` where steps were taken. */
  release(id: string, owner: string): MaybePromise<boolean>
  /** What is known of a key that has not expired. */
  inspect(id: string): MaybePromise<KeyStatus | undefined>
  /** Some keys that have not expired, at most `limit`. */
  list(limit: number): MaybePromise<KeyStatus[]>
  /** Forgets a key, whatever its state. */
  delete(id: string): MaybePromise<boolean>
  /** The steps of one attempt inside a transaction; without `tx`, each is committed by itself. */
  within?(tx?: SqlExecutor): TransactionSteps
  /** Opens a transaction for one attempt. */
  open?(): MaybePromise<OpenTransaction>
}

/** A store that can commit a key together with the effect of its request. */
export type TransactionalStore = IdempotencyStore & Required<Pick<IdempotencyStore, 'open' | 'within'>>
