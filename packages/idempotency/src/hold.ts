import { chain, type MaybePromise, orElse } from '../../internal/maybe-promise.ts'
import type { Claim } from './state.ts'
import type { IdempotencyStore } from './store.ts'
import type { OpenTransaction, TransactionSteps } from './transaction.ts'

/** How an attempt holds its key. Every result tells whether it was still held. */
export interface Hold {
  /** Whether the attempt ends with a transaction of the caller. */
  readonly isForeign?: boolean
  /** Whether no key is held: the store failed, and the work runs anyway. */
  readonly isUnprotected?: boolean
  /** Extends the lease; missing if nothing expires. */
  renew?(): MaybePromise<boolean>
  checkpoint(checkpoints: string): MaybePromise<boolean>
  /** `isRollback`: store the response, and roll back what was written in the transaction. */
  complete(response: string, isRollback: boolean): MaybePromise<boolean>
  release(): MaybePromise<unknown>
  /** Gives up while the handler may still be running. */
  abandon?(): MaybePromise<unknown>
  /** The client of the driver whose writes are committed together with the response. */
  readonly transaction?: unknown
}

/** A lease in a store. */
export function leased(store: IdempotencyStore, id: string, { owner, leaseMs, ttlMs }: Claim): Hold {
  return {
    renew: () => store.renew(id, owner, leaseMs),
    checkpoint: (checkpoints) => store.checkpoint(id, owner, checkpoints),
    complete: (response) => store.complete(id, owner, response, ttlMs),
    release: () => store.release(id, owner),
  }
}

/** Nothing: the work runs without a key. */
export function unprotected(): Hold {
  return { isUnprotected: true, checkpoint: () => true, complete: () => true, release: () => true }
}

/** The steps of an attempt inside its transaction, and the same outside, where each is committed separately. */
export interface BothSides {
  inside: TransactionSteps
  outside: TransactionSteps
}

/** A transaction of the caller, who commits it or rolls it back. */
export function within({ inside, outside }: BothSides, id: string, claim: Claim, attempt: number): Hold {
  return {
    isForeign: true,
    checkpoint: (checkpoints) => outside.checkpoint(id, claim, attempt, checkpoints),
    complete: (response, isRollback) => (isRollback ? outside : inside).complete(id, claim, attempt, response),
    release: () => true,
  }
}

/** A transaction that the store has opened. */
export function opened(
  tx: OpenTransaction,
  { inside, outside }: BothSides,
  id: string,
  claim: Claim,
  attempt: number,
): Hold {
  return {
    transaction: tx.client,
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
    abandon: () => (tx.abandon ? tx.abandon() : tx.rollback()),
  }
}
