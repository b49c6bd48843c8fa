import { isPromise } from '../../internal/guard.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { type BeginInput, type BeginResult, publishResult } from './begin-result.ts'
import { createSteps, type TakeStep } from './checkpoints.ts'
import { storeDown } from './errors.ts'
import { type Publish, publishStored } from './events.ts'
import { createStorageId } from './key.ts'
import type { Lease } from './lease.ts'
import type { EngineSettings } from './options.ts'
import { packResponse } from './response.ts'
import type { AcquireResult, Claim } from './state.ts'
import type { TransactionalStore } from './store.ts'
import { withTimeout } from './timeout.ts'
import type { SqlExecutor, TransactionSteps } from './transaction.ts'
import type { Waiting } from './waiting.ts'

/** Begins work inside a transaction of the caller. */
export type BeginInside = (input: BeginInput, tx: SqlExecutor) => MaybePromise<BeginResult>

/**
 * Creates the function that begins work inside a transaction of the caller: a look at the key now,
 * and one statement that stores it with the response. In between there is nothing that others could
 * see, and nothing to renew.
 */
export function createBeginInside(
  { transactions, storeTimeoutMs: timeoutMs }: EngineSettings,
  inProcess: Waiting,
  buildClaim: (fingerprint: string) => Claim,
  publish: Publish,
): BeginInside {
  let checked: TransactionalStore | undefined
  const beginInside: BeginInside = (input, tx) => {
    const store = checked ?? transactions('a transaction')
    checked = store
    const inside = store.within(tx)
    const id = createStorageId(input)
    const { maxWaitMs = 0 } = input
    if (maxWaitMs > 0 && inside.canWait !== false)
      return inProcess.lookUntil(id, maxWaitMs, () => beginInside({ ...input, maxWaitMs: 0 }, tx))
    const claim = buildClaim(input.fingerprint)
    const parts: AttemptParts = { id, claim, store, inside, publish, timeoutMs }
    // Work that shares a transaction with its key cannot go on without it.
    const refuse = (error: unknown): BeginResult => {
      publish({ type: 'failed', id, error })
      return { outcome: 'refused', error: storeDown(error) }
    }
    try {
      const acquired = inside.acquire(id, claim)
      if (!isPromise(acquired)) return beginAttempt(parts, acquired)
      return acquired.then((settled) => beginAttempt(parts, settled)).then(undefined, refuse)
    } catch (error) {
      return refuse(error)
    }
  }
  return beginInside
}

interface AttemptParts {
  id: string
  claim: Claim
  store: TransactionalStore
  inside: TransactionSteps
  publish: Publish
  /** Maximum time to wait for the store, in milliseconds. */
  timeoutMs: number
}

// It is unknown when a transaction of the caller is rolled back, so no one must wait for it here.
function beginAttempt(parts: AttemptParts, acquired: AcquireResult): BeginResult {
  const { id, claim, store, inside, publish, timeoutMs } = parts
  if (acquired.outcome !== 'new') return publishResult(id, acquired, publish)
  const { attempt, checkpoints } = acquired
  publish({ type: attempt === 1 ? 'run' : 'takeover', id, attempt })
  let isOver = false
  let steps: TakeStep | undefined
  const fail = (error: unknown): never => {
    publish({ type: 'failed', id, attempt, error })
    throw error
  }
  const lease: Lease = {
    id,
    attempt,
    transaction: undefined,
    complete(response, { effects = 'commit' } = {}) {
      isOver = true
      let isHeld: MaybePromise<boolean>
      try {
        const steps = effects === 'rollback' ? store.within() : inside
        isHeld = steps.complete(id, claim, attempt, packResponse(response))
      } catch (error) {
        return fail(error)
      }
      if (!isPromise(isHeld)) return publishStored(isHeld, id, attempt, publish)
      const inTime = Promise.resolve(withTimeout(isHeld, timeoutMs))
      return inTime.then((held) => publishStored(held, id, attempt, publish), fail)
    },
    release() {
      if (!isOver) publish({ type: 'released', id, attempt })
      isOver = true
    },
    checkpoint(name, take) {
      const save = (packed: string) => withTimeout(store.within().checkpoint(id, claim, attempt, packed), timeoutMs)
      steps ??= createSteps(checkpoints, save)
      return steps(name, take)
    },
  }
  return { outcome: 'new', lease }
}
