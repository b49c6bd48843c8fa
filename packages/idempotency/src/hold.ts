import { chain, type MaybePromise, orElse } from '../../internal/maybe-promise.ts'
import type { Claim } from './state.ts'
import type { IdempotencyStore } from './store.ts'
import type { OpenTransaction, TransactionSteps } from './transaction.ts'

/** An attempt that has a key. */
export interface Holder {
  readonly id: string
  readonly claim: Claim
  readonly attempt: number
}

/** A way to hold keys. Results report whether the key was still held. */
export interface Hold {
  /** Extends the lease; missing if nothing expires. */
  renew?(holder: Holder): MaybePromise<boolean>
  checkpoint(holder: Holder, checkpoints: string): MaybePromise<boolean>
  /** `isRollback`: store the response, and roll back what was written in the transaction. */
  complete(holder: Holder, response: string, isRollback: boolean): MaybePromise<boolean>
  release(holder: Holder): MaybePromise<unknown>
  /** The transaction whose writes are committed together with the response. */
  readonly tx?: OpenTransaction
}

/** Creates the hold by leases in a store. */
export function holdLeases(store: IdempotencyStore): Hold {
  return {
    renew: ({ id, claim }) => store.renew(id, claim.owner, claim.leaseMs),
    checkpoint: ({ id, claim }, checkpoints) => store.checkpoint(id, claim.owner, checkpoints),
    complete: ({ id, claim }, response) => store.complete(id, claim.owner, response, claim.ttlMs),
    release: ({ id, claim }) => store.release(id, claim.owner),
  }
}

/**
 * Steps of an attempt inside its transaction, and outside of it, where each is committed
 * separately.
 */
export interface AttemptSteps {
  inside: TransactionSteps
  outside: TransactionSteps
}

/** Creates the hold by a transaction that the store has opened. */
export function holdTransaction(tx: OpenTransaction, { inside, outside }: AttemptSteps): Hold {
  return {
    tx,
    checkpoint: ({ id, claim, attempt }, checkpoints) => outside.checkpoint(id, claim, attempt, checkpoints),
    complete({ id, claim, attempt }, response, isRollback) {
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
