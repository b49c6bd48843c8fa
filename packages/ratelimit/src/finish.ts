import { callSafely } from '../../internal/guard.ts'
import { chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import type { Evaluation } from './evaluate.ts'
import { checkCost } from './limiter.ts'
import type { Settings } from './settings.ts'

/** Called once, when the response has ended. `cost`: its actual cost, if one is known. */
export type Finish = (cost?: () => MaybePromise<number>) => void

/**
 * Returns what must happen when the response has ended: leases are returned, and the actual cost
 * replaces the charged one. `undefined` if nothing must.
 */
export function createFinish<Req extends object, Res>(
  { counter, finalCost, diagnose }: Settings<Req, Res>,
  { decision, receipt }: Evaluation,
): Finish | undefined {
  if (!finalCost && !counter.hasLeases) return undefined
  const { charges, source } = receipt
  if (!decision.allowed || source === 'none') return undefined
  const hasLease = charges.some(({ policy, cost }) => policy.algorithm === 'concurrency' && cost > 0)
  if (!hasLease && !finalCost) return undefined
  const settle = (units: number): void => {
    const adjustments = charges.flatMap((charge) => {
      if (charge.policy.algorithm === 'concurrency') return charge.cost > 0 ? [{ ...charge, cost: -charge.cost }] : []
      const difference = Math.min(units, charge.policy.burst) - charge.cost
      return difference === 0 ? [] : [{ ...charge, cost: difference }]
    })
    // A store that fails here has been reported already; leases expire on their own.
    if (adjustments.length > 0) callSafely(() => counter.store.adjust(adjustments, source), ignore, ignore)
  }
  let isFinished = false
  return (cost) => {
    if (isFinished) return
    isFinished = true
    callSafely(
      () => (cost ? chain(cost(), checkCost) : decision.cost),
      settle,
      (error) => {
        diagnose.finalCostFailed(error)
        settle(decision.cost)
      },
    )
  }
}

function ignore(): void {}
