import { chain, type MaybePromise, orElse, quietly } from '../../internal/maybe-promise.ts'
import type { BeginResult } from './begin-result.ts'
import { abandon, type Hold, holdTransaction } from './hold.ts'
import type { AcquireResult, Claim } from './state.ts'
import type { IdempotencyStore, TransactionalStore } from './store.ts'
import { withTimeout } from './timeout.ts'
import type { OpenTransaction } from './transaction.ts'

/** Returns the lease of an attempt that acquired the key, or what to do instead. */
export type Conclude = (id: string, claim: Claim, acquired: AcquireResult, hold: Hold) => BeginResult

/** Acquires a lease in the store. */
export function acquireLease(
  store: IdempotencyStore,
  id: string,
  claim: Claim,
  timeoutMs: number,
): MaybePromise<AcquireResult> {
  // A reply after the timeout must not leave a locked key behind.
  const late = ({ outcome }: AcquireResult): void => {
    if (outcome === 'new') quietly(() => store.release(id, claim.owner))
  }
  return withTimeout(store.acquire(id, claim), timeoutMs, late)
}

/**
 * Opens a transaction and acquires the key inside it. Without the key, the transaction is rolled
 * back.
 */
export function acquireAndOpen(
  store: TransactionalStore,
  id: string,
  claim: Claim,
  timeoutMs: number,
  conclude: Conclude,
): MaybePromise<BeginResult> {
  const late = (tx: OpenTransaction): void => quietly(() => tx.rollback())
  const opening: Pick<OpenTransaction, 'abandon'> = {}
  return chain(withTimeout(store.open(opening), timeoutMs, late, opening), (tx) => {
    const inside = store.within(tx)
    const acquiring = orElse(
      () => withTimeout(inside.acquire(id, claim), timeoutMs),
      (error) => {
        // It is not awaited: the connection may not reply any longer.
        quietly(() => abandon(tx))
        throw error
      },
    )
    return chain(acquiring, (acquired) => {
      const finish = (): BeginResult =>
        conclude(id, claim, acquired, holdTransaction(tx, { inside, outside: store.within() }))
      return acquired.outcome === 'new' ? finish() : chain(withTimeout(tx.rollback(), timeoutMs, undefined, tx), finish)
    })
  })
}
