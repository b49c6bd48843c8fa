import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { LimitResult } from './algorithm.ts'
import type { Charge, RateLimitStore } from './store.ts'

/**
 * Policy if the store fails. `local`: this process counts on its own, with each limit divided by
 * `instances`. `allow`: requests are not limited. `reject`: requests get 503.
 */
export type OnStoreError = 'local' | 'allow' | 'reject'

/** Source of counts: the store, this process while the store is down, or none. */
export type CountSource = 'store' | 'local' | 'none'

/**
 * Receipt of a charge: refunds go to the same place. `outcomes` is `undefined` if it was not
 * counted.
 */
export interface ConsumeReceipt {
  outcomes: readonly LimitResult[] | undefined
  charges: readonly Charge[]
  source: CountSource
  /** Time of the charge, by the clock of `by`. */
  time: number
  /** The store that counted, for refunds. */
  by: GuardedStore
}

/** A store that always returns: within its timeout, or by the policy `onError`. */
export interface GuardedStore {
  /** Returns the time in milliseconds, by a monotonic clock. */
  now(): number
  /** `onError`: policy for this request if the store fails. */
  consume(charges: readonly Charge[], onError?: OnStoreError): MaybePromise<ConsumeReceipt>
  adjust(charges: readonly Charge[], source: CountSource): MaybePromise<ConsumeReceipt>
  /** Runs another call of the store, within its timeout. Throws or rejects if the store fails. */
  manage(call: (store: RateLimitStore) => MaybePromise<void>): MaybePromise<void>
}
