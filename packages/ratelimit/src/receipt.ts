import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { LimitResult, Policy } from './algorithm.ts'
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
  /** Whether the charge was refunded: a handler and the actual cost must not both refund it. */
  isRefunded?: boolean
}

/** A store that always returns: within its timeout, or by the policy `onError`. */
export interface GuardedStore {
  /** Returns the time in milliseconds, by a monotonic clock. */
  now(): number
  /** `onError`: policy for this request if the store fails. */
  consume(charges: readonly Charge[], onError?: OnStoreError): MaybePromise<ConsumeReceipt>
  adjust(charges: readonly Charge[], source: CountSource): MaybePromise<ConsumeReceipt>
  /** Runs another call of the store, within its timeout. Throws or rejects if the store fails. */
  manage(call: (store: Pick<RateLimitStore, 'block' | 'reset'>) => MaybePromise<void>): MaybePromise<void>
}

/**
 * Adds a difference to each charge of a receipt, in the place where it was counted. A lease is
 * returned as a whole. What time has restored already is not refunded: it would count twice.
 */
export function adjustReceipt(
  { charges, outcomes, source, time, by }: ConsumeReceipt,
  getDifference: (charge: Charge) => number,
): MaybePromise<unknown> {
  const elapsedMs = by.now() - time
  const adjustments = charges.flatMap((charge, index) => {
    const { policy, cost } = charge
    const difference =
      policy.algorithm === 'concurrency'
        ? -cost
        : Math.max(getDifference(charge), -countRefundable(policy, outcomes?.[index]?.resetMs ?? 0, elapsedMs))
    return difference === 0 ? [] : [{ ...charge, cost: difference }]
  })
  return adjustments.length === 0 ? undefined : by.adjust(adjustments, source)
}

/** Returns the units of a charge that still count. `resetMs`: that of its result. */
function countRefundable({ algorithm, windowMs, scale, interval }: Policy, resetMs: number, elapsedMs: number): number {
  // Rounded up: a unit that is restored in part is still missing.
  if (algorithm === 'gcra' || algorithm === 'token-bucket')
    return Math.max(0, Math.ceil(((resetMs - elapsedMs) * scale) / interval))
  // A log keeps a charge for the whole window. The windows of the others end.
  return elapsedMs < (algorithm === 'sliding-log' ? windowMs : resetMs) ? Number.POSITIVE_INFINITY : 0
}
