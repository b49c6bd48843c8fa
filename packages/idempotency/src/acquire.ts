import { chain, type MaybePromise, orElse, quietly } from '../../internal/maybe-promise.ts'
import { abandon, type Hold, holdLease, holdTransaction } from './hold.ts'
import type { AcquireResult, Claim } from './state.ts'
import type { IdempotencyStore, TransactionalStore } from './store.ts'
import { withTimeout } from './timeout.ts'
import type { OpenTransaction } from './transaction.ts'

/** Result of an attempt to acquire a key, with its hold if it has the key. */
export type Acquisition =
  | { acquired: Extract<AcquireResult, { outcome: 'new' }>; hold: Hold }
  | { acquired: Exclude<AcquireResult, { outcome: 'new' }>; hold?: undefined }

/** Acquires a lease in the store. */
export function acquireLease(
  store: IdempotencyStore,
  id: string,
  claim: Claim,
  timeoutMs: number,
): MaybePromise<Acquisition> {
  // A reply after the timeout must not leave a locked key behind.
  const late = ({ outcome }: AcquireResult): void => {
    if (outcome === 'new') quietly(() => store.release(id, claim.owner))
  }
  return chain(withTimeout(store.acquire(id, claim), timeoutMs, late), (acquired) =>
    acquired.outcome === 'new' ? { acquired, hold: holdLease(store, id, claim) } : { acquired },
  )
}

/** Opens a transaction and acquires the key inside it. Without the key, it is rolled back. */
export function acquireAndOpen(
  store: TransactionalStore,
  id: string,
  claim: Claim,
  timeoutMs: number,
): MaybePromise<Acquisition> {
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
    return chain(acquiring, (acquired) =>
      acquired.outcome === 'new'
        ? { acquired, hold: holdTransaction(tx, { inside, outside: store.within() }, id, claim, acquired.attempt) }
        : chain(withTimeout(tx.rollback(), timeoutMs, undefined, tx), () => ({ acquired })),
    )
  })
}
