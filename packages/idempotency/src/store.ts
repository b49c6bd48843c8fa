import type { Awaitable } from './chain.ts'
import type { Acquired, Claim, Entry } from './state.ts'
import type { Executor, OpenTransaction, TransactionSteps } from './transaction.ts'

/** What an administrator sees of a key. */
export interface KeyStatus extends Pick<Entry, 'state' | 'fingerprint' | 'generation' | 'expiresAt'> {
  /** The stored key: a hash of scope and key. */
  readonly id: string
  /** Milliseconds; 0 where nobody works on it. */
  readonly leaseUntil: number
}

/**
 * Where keys live. Every method is one atomic step of the machine in `state.ts`, so that of many attempts at one key,
 * in however many processes, one gets `new`. A store answers at once or with a promise; it throws or rejects where it
 * cannot be reached. `@svc/idempotency/testing` has the cases that a store of your own must pass.
 */
export interface IdempotencyStore {
  /** An attempt wants the key. */
  acquire(id: string, claim: Claim): Awaitable<Acquired>
  /** The owner is still at work. `false`, here and below: the key is not, or no longer, the owner's. */
  renew(id: string, owner: string, leaseMs: number): Awaitable<boolean>
  /** Keeps the steps taken, for the next attempt. */
  checkpoint(id: string, owner: string, checkpoints: string): Awaitable<boolean>
  /** Keeps the answer, a string of characters 0 to 255. */
  complete(id: string, owner: string, answer: string, ttlMs: number): Awaitable<boolean>
  /** Gives the key up: forgotten, or kept as `released` where steps were taken. */
  release(id: string, owner: string): Awaitable<boolean>
  /** What is known of a key that has not expired. */
  inspect(id: string): Awaitable<KeyStatus | undefined>
  /** Some keys that have not expired, at most `limit`. */
  list(limit: number): Awaitable<KeyStatus[]>
  /** Forgets a key, whatever its state. */
  evict(id: string): Awaitable<boolean>
  /** The steps of one attempt inside a transaction; without `tx`, each is committed by itself. */
  within?(tx?: Executor): TransactionSteps
  /** Opens a transaction for one attempt. */
  open?(): Awaitable<OpenTransaction>
}

/** A store that can commit a key together with the effect of its request. */
export type TransactionalStore = IdempotencyStore & Required<Pick<IdempotencyStore, 'open' | 'within'>>
