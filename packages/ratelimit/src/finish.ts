import { callSafely } from '../../internal/guard.ts'
import { chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import type { Evaluation } from './evaluate.ts'
import { checkCost } from './limits.ts'
import { adjustReceipt } from './receipt.ts'
import type { Settings } from './settings.ts'

/**
 * Called once, when the response has ended. `cost`: its actual cost, if one is known, or a call
 * that returns it.
 */
export type Finish = (cost?: number | (() => MaybePromise<number>)) => void

/**
 * Returns what must happen when the response has ended: leases are returned, and the actual cost
 * replaces the charged one. `undefined` if nothing must.
 */
export function createFinish<Req extends object, Res>(
  { finalCost, diagnose }: Settings<Req, Res>,
  { decision, receipt }: Evaluation,
): Finish | undefined {
  const { charges, source } = receipt
  if (!decision.allowed || source === 'none') return undefined
  const hasLease = charges.some(({ policy, cost }) => policy.algorithm === 'concurrency' && cost > 0)
  if (!hasLease && !finalCost) return undefined
  const settle = (units: number): void => {
    const adjust = (): MaybePromise<unknown> =>
      adjustReceipt(receipt, ({ policy, cost }) => Math.min(units, policy.burst) - cost)
    // A store that fails here has been reported already; leases expire on their own.
    callSafely(adjust, ignore, ignore)
  }
  let isFinished = false
  return (cost) => {
    if (isFinished) return
    isFinished = true
    callSafely(
      () => chain(typeof cost === 'function' ? cost() : (cost ?? decision.cost), checkCost),
      settle,
      (error) => {
        diagnose.finalCostFailed(error)
        settle(decision.cost)
      },
    )
  }
}

function ignore(): void {}
