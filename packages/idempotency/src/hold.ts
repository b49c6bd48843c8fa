import { chain, type MaybePromise, orElse } from '../../internal/maybe-promise.ts'
import type { Claim } from './state.ts'
import type { IdempotencyStore } from './store.ts'
import type { OpenTransaction, TransactionSteps } from './transaction.ts'

/** Hold of an attempt on its key. Results report whether the key was still held. */
export interface Hold {
  /** Whether no key is held: the store failed, and the work runs anyway. */
  readonly isUnprotected?: boolean
  /** Extends the lease; missing if nothing expires. */
  renew?(): MaybePromise<boolean>
  checkpoint(checkpoints: string): MaybePromise<boolean>
  /** `isRollback`: store the response, and roll back what was written in the transaction. */
  complete(response: string, isRollback: boolean): MaybePromise<boolean>
  release(): MaybePromise<unknown>
  /** The transaction whose writes are committed together with the response. */
  readonly tx?: OpenTransaction
}

/** Creates a hold by a lease in a store. */
export function holdLease(store: IdempotencyStore, id: string, { owner, leaseMs, ttlMs }: Claim): Hold {
  return {
    renew: () => store.renew(id, owner, leaseMs),
    checkpoint: (checkpoints) => store.checkpoint(id, owner, checkpoints),
    complete: (response) => store.complete(id, owner, response, ttlMs),
    release: () => store.release(id, owner),
  }
}

/** Creates an empty hold: the work runs without a key. */
export function holdNothing(): Hold {
  return { isUnprotected: true, checkpoint: () => true, complete: () => true, release: () => true }
}

/**
 * Steps of an attempt inside its transaction, and outside of it, where each is committed
 * separately.
 */
export interface AttemptSteps {
  inside: TransactionSteps
  outside: TransactionSteps
}

/** Creates a hold by a transaction that the store has opened. */
export function holdTransaction(
  tx: OpenTransaction,
  { inside, outside }: AttemptSteps,
  id: string,
  claim: Claim,
  attempt: number,
): Hold {
  return {
    tx,
    checkpoint: (checkpoints) => outside.checkpoint(id, claim, attempt, checkpoints),
    complete(response, isRollback) {
      if (isRollback) return chain(tx.rollback(), () => outside.complete(id, claim, attempt, response))
      const written = orElse(
        () => inside.complete(id, claim, attempt, response),
        (error) =>
          chain(tx.rollback(), () => {
            throw error
          }),
      )
      return chain(written, (held) => chain(held ? tx.commit() : tx.rollback(), () => held))
    },
    release: () => tx.rollback(),
  }
}

/** Ends a transaction while the handler may still use it. */
export function abandon(tx: OpenTransaction): MaybePromise<unknown> {
  return tx.abandon ? tx.abandon() : tx.rollback()
}
