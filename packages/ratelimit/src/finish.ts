import { callSafely } from '../../internal/guard.ts'
import { chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import type { Evaluation } from './evaluate.ts'
import { checkCost } from './limits.ts'
import { adjustReceipt, type ConsumeReceipt } from './receipt.ts'
import type { Settings } from './settings.ts'

/**
 * Called once, when the response has ended. `cost`: its actual cost, if one is known, or a call
 * that returns it.
 */
export type Finish = (cost?: number | (() => MaybePromise<number>)) => void

/** Whether something must happen when a response has ended. */
export function needsFinish<Req extends object, Res>({ finalCost, counter }: Settings<Req, Res>): boolean {
  return finalCost !== undefined || counter.hasLeases
}

/**
 * Returns the call for the end of the response: it returns leases, and the actual cost replaces the
 * charged one. `undefined` if the request has charged nothing.
 */
export function createFinish<Req extends object, Res>(
  { diagnose }: Settings<Req, Res>,
  { decision, receipt }: Evaluation,
): Finish | undefined {
  if (!decision.allowed || receipt.source === 'none') return undefined
  let isFinished = false
  return (cost) => {
    if (isFinished) return
    isFinished = true
    callSafely(
      () => chain(typeof cost === 'function' ? cost() : (cost ?? decision.cost), checkCost),
      (units) => settle(receipt, units),
      (error) => {
        diagnose.finalCostFailed(error)
        settle(receipt, decision.cost)
      },
    )
  }
}

function settle(receipt: ConsumeReceipt, units: number): void {
  if (receipt.isRefunded) return
  receipt.isRefunded = receipt.charges.some(({ cost }) => units < cost)
  const adjust = (): MaybePromise<unknown> =>
    adjustReceipt(receipt, ({ policy, cost }) => Math.min(units, policy.burst) - cost)
  // A store that fails here has been reported already; leases expire on their own.
  callSafely(adjust, ignore, ignore)
}

function ignore(): void {}
