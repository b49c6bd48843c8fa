import { isPromise } from '../../internal/guard.ts'
import { chain, type MaybePromise, orElse } from '../../internal/maybe-promise.ts'
import { acquireAndOpen, acquireLease, type Conclude } from './acquire.ts'
import { createBeginInside } from './begin-inside.ts'
import { type BeginInput, type BeginResult, publishResult } from './begin-result.ts'
import { storeDown } from './errors.ts'
import { createPublish, type Publish } from './events.ts'
import { holdLeases } from './hold.ts'
import { createClaimBuilder, createStorageId, type ScopedKey } from './key.ts'
import { createHeartbeat, createLease, createUnprotectedLease, type LeaseTerms } from './lease.ts'
import { type EngineOptions, type EngineSettings, resolveEngineOptions } from './options.ts'
import { createRun, type Run } from './run.ts'
import { createRunOnce, type RunOnce } from './run-once.ts'
import type { AcquireResult, Claim } from './state.ts'
import type { KeyStatus } from './store.ts'
import { memoryStore } from './stores/memory.ts'
import { withTimeout } from './timeout.ts'
import type { SqlExecutor } from './transaction.ts'
import { type Waiting, waiting } from './waiting.ts'

/**
 * Idempotency without HTTP: for services that write their own responses, for jobs, and for
 * administration.
 */
export interface IdempotencyEngine {
  /**
   * Runs work under a key and returns its value, or the value of an earlier run. Stores the value
   * together with the effects if there is a transaction. Rejects with an error that has `status`
   * and `code` if the key cannot be used, and with the error of the work.
   */
  run: Run
  /**
   * Runs a job once. Its result, a JSON value, is stored and returned to every later call with the
   * key.
   */
  runOnce: RunOnce
  /**
   * Returns what to do about a request: its work, a stored response, or an error. Returns in the
   * same tick if the store does. With `tx`, a transaction of the caller, key and effects are
   * committed together: call `lease.complete`, then commit; if it throws, roll back. Throws a
   * `TypeError` if the store has no transactions.
   */
  begin(input: BeginInput, tx?: SqlExecutor): MaybePromise<BeginResult>
  /** Returns the status of a key. */
  inspect(name: ScopedKey): MaybePromise<KeyStatus | undefined>
  /** Returns keys of the store, at most `limit`. @defaultValue 100 */
  list(limit?: number): MaybePromise<KeyStatus[]>
  /** Deletes a key: the next request with it runs. */
  delete(name: ScopedKey): MaybePromise<boolean>
}

/** Creates the engine behind `idempotency()`. Throws a `TypeError` if an option is invalid. */
export function idempotencyEngine(options: EngineOptions = {}): IdempotencyEngine {
  const settings = resolveEngineOptions('idempotency', options)
  const { store, storeTimeoutMs, now } = settings
  const inTime = <T>(value: MaybePromise<T>): MaybePromise<T> => withTimeout(value, storeTimeoutMs)
  const publish = createPublish(settings.onEvent, settings.warn)
  const inProcess = waiting()
  const buildClaim = createClaimBuilder(settings)
  const begin = createBegin(settings, inProcess, buildClaim, publish)
  const beginInside = createBeginInside(settings, inProcess, buildClaim, publish)
  const run = createRun(begin, beginInside, now)
  return {
    begin: (input, tx) => (tx ? beginInside(input, tx) : begin(input)),
    run,
    runOnce: createRunOnce(run),
    inspect: (name) => inTime(store.inspect(createStorageId(name))),
    list: (limit = 100) => inTime(store.list(limit)),
    delete: (name) => inTime(store.delete(createStorageId(name))),
  }
}

function createBegin(
  settings: EngineSettings,
  inProcess: Waiting,
  buildClaim: (fingerprint: string) => Claim,
  publish: Publish,
): (input: BeginInput) => MaybePromise<BeginResult> {
  const { now, storeTimeoutMs } = settings
  const conclude = createConclude(settings, inProcess, publish)
  const acquire = createAcquire(settings, inProcess, conclude)
  const local = memoryStore({ now })
  const localLeases = holdLeases(local)
  const look = (id: string, input: BeginInput): MaybePromise<BeginResult> => {
    const { fingerprint, onStoreError = settings.onStoreError } = input
    const claim = buildClaim(fingerprint)
    return orElse(
      () => acquire(id, claim),
      (error) => {
        publish({ type: 'failed', id, error })
        if (onStoreError === 'reject') return { outcome: 'refused', error: storeDown(error) }
        publish({ type: onStoreError === 'local' ? 'local' : 'unprotected', id, error })
        if (onStoreError !== 'local') return { outcome: 'new', lease: createUnprotectedLease(id) }
        return chain(acquireLease(local, id, claim, storeTimeoutMs), (acquired) =>
          conclude(id, claim, acquired, localLeases),
        )
      },
    )
  }
  return (input) => {
    const { maxWaitMs = 0 } = input
    const id = createStorageId(input)
    return maxWaitMs > 0 ? inProcess.lookUntil(id, maxWaitMs, () => look(id, input)) : look(id, input)
  }
}

type Acquire = (id: string, claim: Claim) => MaybePromise<BeginResult>

function createAcquire(settings: EngineSettings, inProcess: Waiting, conclude: Conclude): Acquire {
  const { store, transactions, transaction, leaseMs, storeTimeoutMs } = settings
  const busy: AcquireResult = { outcome: 'busy', leaseLeftMs: leaseMs }
  const leases = holdLeases(store)
  const acquiring = new Map<string, PromiseLike<BeginResult>>()
  const acquire: Acquire = (id, claim) => {
    const isInProcess = inProcess.has(id)
    if (!transaction) {
      // A clock that jumps ends the lease of work that this process is still doing.
      const duplicate: Claim = isInProcess ? { ...claim, onLeaseExpired: 'reject' } : claim
      return chain(acquireLease(store, id, duplicate, storeTimeoutMs), (acquired) =>
        conclude(id, claim, isInProcess && acquired.outcome === 'orphan' ? busy : acquired, leases),
      )
    }
    // A duplicate of work in progress in this process needs no connection to learn that.
    if (isInProcess) return conclude(id, claim, busy, leases)
    // Whether there is work or a response is known when the other one has acquired the key.
    const again = (): MaybePromise<BeginResult> => acquire(id, claim)
    const earlier = acquiring.get(id)
    if (earlier) return earlier.then(again, again)
    const result = acquireAndOpen(transactions('transaction'), id, claim, storeTimeoutMs, conclude)
    if (!isPromise(result)) return result
    acquiring.set(id, result)
    const end = (): void => void acquiring.delete(id)
    result.then(end, end)
    return result
  }
  return acquire
}

function createConclude(
  { heartbeatMs, maxBeats, storeTimeoutMs }: EngineSettings,
  inProcess: Waiting,
  publish: Publish,
): Conclude {
  const terms: LeaseTerms = {
    heartbeat: createHeartbeat(heartbeatMs),
    maxBeats,
    timeoutMs: storeTimeoutMs,
    inProcess,
    publish,
  }
  return (id, claim, acquired, hold) =>
    acquired.outcome === 'new'
      ? { outcome: 'new', lease: createLease(id, claim, acquired, hold, terms) }
      : publishResult(id, acquired, publish)
}
