import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Policy } from './algorithm.ts'
import type { ConsumeReceipt } from './consume-receipt.ts'
import type { Charge } from './store.ts'

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
