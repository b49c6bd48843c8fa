import { chain, type MaybePromise, orElse, quietly } from '../../internal/maybe-promise.ts'
import { type Hold, leased, opened, within } from './hold.ts'
import type { AcquireResult, Claim } from './state.ts'
import type { IdempotencyStore, TransactionalStore } from './store.ts'
import { withTimeout } from './timeout.ts'
import type { OpenTransaction, SqlExecutor } from './transaction.ts'

/** What came of an attempt: the key, and what it is held by, or the reason why not. */
export type Entered =
  | { acquired: Extract<AcquireResult, { outcome: 'new' }>; hold: Hold }
  | { acquired: Exclude<AcquireResult, { outcome: 'new' }>; hold?: undefined }

/** Takes a lease in the store. */
export function enterStore(
  store: IdempotencyStore,
  id: string,
  claim: Claim,
  timeoutMs: number,
): MaybePromise<Entered> {
  // An answer that comes after we stopped waiting must not leave a locked key behind.
  const late = ({ outcome }: AcquireResult): void => {
    if (outcome === 'new') quietly(() => store.release(id, claim.owner))
  }
  return chain(withTimeout(store.acquire(id, claim), timeoutMs, late), (acquired) =>
    acquired.outcome === 'new' ? { acquired, hold: leased(store, id, claim) } : { acquired },
  )
}

/** Takes the key inside a transaction of the caller's. */
export function enterTransaction(
  store: TransactionalStore,
  id: string,
  claim: Claim,
  tx: SqlExecutor,
): MaybePromise<Entered> {
  const sides = { inside: store.within(tx), outside: store.within() }
  return chain(sides.inside.acquire(id, claim), (acquired) =>
    acquired.outcome === 'new' ? { acquired, hold: within(sides, id, claim, acquired.attempt) } : { acquired },
  )
}

/** Opens a transaction and takes the key inside it; without the key, it is closed again. */
export function openTransaction(
  store: TransactionalStore,
  id: string,
  claim: Claim,
  timeoutMs: number,
): MaybePromise<Entered> {
  return chain(withTimeout(store.open(), timeoutMs, drop), (tx) => {
    const inside = store.within(tx)
    const taken = orElse(
      () => withTimeout(inside.acquire(id, claim), timeoutMs),
      (error) => {
        drop(tx)
        throw error
      },
    )
    return chain(taken, (acquired) =>
      acquired.outcome === 'new'
        ? { acquired, hold: opened(tx, { inside, outside: store.within() }, id, claim, acquired.attempt) }
        : chain(withTimeout(tx.rollback(), timeoutMs), () => ({ acquired })),
    )
  })
}

/** Gives a transaction up without waiting for it: its connection may not answer any more. */
function drop(tx: OpenTransaction): void {
  quietly(() => (tx.abandon ? tx.abandon() : tx.rollback()))
}
