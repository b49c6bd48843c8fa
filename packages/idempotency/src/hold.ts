import { type Awaitable, chain, orElse } from './chain.ts'
import type { Claim } from './state.ts'
import type { IdempotencyStore } from './store.ts'
import type { OpenTransaction, TransactionSteps } from './transaction.ts'

/** What an attempt holds its key by. Every result says whether it was still held. */
export interface Hold {
  /** Whether the attempt ends without us: with a transaction of the caller's. */
  readonly isForeign?: boolean
  /** Says that the attempt is still at work; without it nothing runs out. */
  renew?(): Awaitable<boolean>
  checkpoint(checkpoints: string): Awaitable<boolean>
  /** `undo`: keep the answer, and none of what was written in the transaction. */
  complete(answer: string, undo: boolean): Awaitable<boolean>
  release(): Awaitable<unknown>
  /** Gives up while the handler may still be at work. */
  abandon?(): Awaitable<unknown>
  /** What the handler writes with so that it is committed together with the answer. */
  readonly transaction?: unknown
}

/** A lease in a store. */
export function leased(store: IdempotencyStore, id: string, { owner, leaseMs, ttlMs }: Claim): Hold {
  return {
    renew: () => store.renew(id, owner, leaseMs),
    checkpoint: (checkpoints) => store.checkpoint(id, owner, checkpoints),
    complete: (answer) => store.complete(id, owner, answer, ttlMs),
    release: () => store.release(id, owner),
  }
}

/** The steps of an attempt inside its transaction, and the same outside, where each is committed by itself. */
export interface BothSides {
  inside: TransactionSteps
  outside: TransactionSteps
}

/** A transaction of the caller's, who commits it or rolls it back. */
export function within({ inside, outside }: BothSides, id: string, claim: Claim, generation: number): Hold {
  return {
    isForeign: true,
    checkpoint: (checkpoints) => outside.checkpoint(id, claim, generation, checkpoints),
    complete: (answer, undo) => (undo ? outside : inside).complete(id, claim, generation, answer),
    release: () => true,
  }
}

/** A transaction of our own. */
export function opened(
  tx: OpenTransaction,
  { inside, outside }: BothSides,
  id: string,
  claim: Claim,
  generation: number,
): Hold {
  return {
    transaction: tx.client,
    checkpoint: (checkpoints) => outside.checkpoint(id, claim, generation, checkpoints),
    complete(answer, undo) {
      if (undo) return chain(tx.rollback(), () => outside.complete(id, claim, generation, answer))
      const written = orElse(
        () => inside.complete(id, claim, generation, answer),
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
