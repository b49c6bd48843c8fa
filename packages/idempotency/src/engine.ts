import { randomBytes } from 'node:crypto'
import { chain, type MaybePromise, orElse } from '../../internal/maybe-promise.ts'
import { type Entered, enterStore, enterTransaction, openTransaction } from './acquire.ts'
import { type BeginInput, type BeginResult, toResult } from './begin-result.ts'
import { storeDown } from './errors.ts'
import { createPublish, type Publish } from './events.ts'
import { heartbeat } from './heartbeat.ts'
import { unprotected } from './hold.ts'
import { lease } from './lease.ts'
import { type EngineOptions, type EngineSettings, type OnStoreError, resolveEngineOptions } from './options.ts'
import { createRun, type Run } from './run.ts'
import { createRunOnce, type RunOnce } from './run-once.ts'
import type { Claim } from './state.ts'
import { createStorageId, type ScopedKey } from './storage-id.ts'
import type { KeyStatus } from './store.ts'
import { memoryStore } from './stores/memory.ts'
import { withTimeout } from './timeout.ts'
import type { SqlExecutor } from './transaction.ts'
import { type Waiting, waiting } from './waiting.ts'

/** Idempotency without HTTP: for services that write their own responses, for jobs, and for administration. */
export interface IdempotencyEngine {
  /**
   * Runs work under a key and returns its value, or the value of an earlier run. Stores the value together with the
   * effects if there is a transaction. Rejects with an error that has `status` and `code` if the key cannot be used, and
   * with the error of the work.
   */
  run: Run
  /** Runs a job once. Its result, a JSON value, is stored and returned to every later call with the key. */
  runOnce: RunOnce
  /**
   * Returns what to do about a request: its work, a stored response, or an error. Returns in the same tick if the store
   * does. With `tx`, a transaction of the caller, key and effects are committed together: call `lease.complete`, then
   * commit; if it throws, roll back. Throws a `TypeError` if the store has no transactions.
   */
  begin(input: BeginInput, tx?: SqlExecutor): MaybePromise<BeginResult>
  /** Returns what is known about a key. */
  inspect(name: ScopedKey): MaybePromise<KeyStatus | undefined>
  /** Returns some keys of the store, at most `limit`. @defaultValue 100 */
  list(limit?: number): MaybePromise<KeyStatus[]>
  /** Deletes a key: the next request with it runs. */
  delete(name: ScopedKey): MaybePromise<boolean>
}

/** Creates the engine behind `idempotency()`. Throws a `TypeError` if an option is invalid. */
export function idempotencyEngine(options: EngineOptions = {}): IdempotencyEngine {
  const settings = resolveEngineOptions('idempotency', options)
  const { store, storeTimeoutMs } = settings
  const inTime = <T>(value: MaybePromise<T>): MaybePromise<T> => withTimeout(value, storeTimeoutMs)
  const begin = createBegin(settings)
  return {
    begin,
    run: createRun(begin, settings.now),
    runOnce: createRunOnce(createRun(begin, settings.now)),
    inspect: (name) => inTime(store.inspect(createStorageId(name))),
    list: (limit = 100) => inTime(store.list(limit)),
    delete: (name) => inTime(store.delete(createStorageId(name))),
  }
}

function createBegin(settings: EngineSettings): IdempotencyEngine['begin'] {
  const publish = createPublish(settings.onEvent)
  const here = waiting()
  const leases = createLeases(settings, here, publish)
  const claims = createClaims(settings)
  const enter = createEnter(settings, here, leases)
  const substitute = createSubstitute(settings, leases, publish)
  return ({ scope, key, fingerprint, maxWaitMs = 0, onStoreError = settings.onStoreError }, tx) => {
    const mayWait = !tx || settings.transactions('a transaction').within(tx).canWait !== false
    const id = createStorageId({ scope, key })
    const look = (): MaybePromise<BeginResult> => {
      const claim = claims(fingerprint)
      return orElse(
        () => enter(id, claim, tx),
        (cause) => {
          publish({ type: 'failed', id, error: cause })
          // Work that shares a transaction with its key cannot go on without it.
          return substitute(tx ? 'reject' : onStoreError, id, claim, cause)
        },
      )
    }
    return maxWaitMs > 0 && mayWait ? here.lookUntil(id, maxWaitMs, look) : look()
  }
}

function createClaims({ leaseMs, ttlMs, onLeaseExpired }: EngineSettings): (fingerprint: string) => Claim {
  const owners = randomBytes(9).toString('base64url')
  let attempts = 0
  return (fingerprint) => ({ fingerprint, owner: `${owners}.${++attempts}`, leaseMs, ttlMs, onLeaseExpired })
}

type CreateLease = (id: string, entered: Entered) => BeginResult

type Enter = (id: string, claim: Claim, tx: SqlExecutor | undefined) => MaybePromise<BeginResult>

function createEnter(settings: EngineSettings, here: Waiting, leases: CreateLease): Enter {
  const { store, transactions, transaction, leaseMs, storeTimeoutMs } = settings
  return (id, claim, tx) => {
    if (tx)
      return chain(enterTransaction(transactions('a transaction'), id, claim, tx), (entered) => leases(id, entered))
    if (!transaction) return chain(enterStore(store, id, claim, storeTimeoutMs), (entered) => leases(id, entered))
    // A duplicate of work in progress in this process needs no connection to learn that.
    if (here.isHere(id)) return leases(id, { acquired: { outcome: 'busy', leaseLeftMs: leaseMs } })
    here.began(id)
    const opened = orElse(
      () => openTransaction(transactions('transaction'), id, claim, storeTimeoutMs),
      (error) => {
        here.ended(id)
        throw error
      },
    )
    return chain(opened, (entered) => {
      if (!entered.hold) here.ended(id)
      return leases(id, entered)
    })
  }
}

/** Creates what replaces a store that fails. */
function createSubstitute({ now, storeTimeoutMs }: EngineSettings, leases: CreateLease, publish: Publish) {
  const local = memoryStore({ now })
  return (policy: OnStoreError, id: string, claim: Claim, cause: unknown): MaybePromise<BeginResult> => {
    if (policy === 'reject') return { outcome: 'refused', error: storeDown(cause) }
    publish({ type: policy === 'local' ? 'local' : 'unprotected', id, error: cause })
    if (policy === 'local') return chain(enterStore(local, id, claim, storeTimeoutMs), (entered) => leases(id, entered))
    return leases(id, { acquired: { outcome: 'new', attempt: 1, checkpoints: '' }, hold: unprotected() })
  }
}

function createLeases(
  { heartbeatMs, maxBeats, storeTimeoutMs }: EngineSettings,
  here: Waiting,
  publish: Publish,
): CreateLease {
  const beats = heartbeat(heartbeatMs)
  return (id, { acquired, hold }) => {
    if (!hold) {
      const result = toResult(acquired)
      publish(result.outcome === 'replay' ? { type: 'replay', id } : { type: 'refused', id, code: result.error.code })
      return result
    }
    const { attempt, checkpoints } = acquired
    const parts = { id, attempt, checkpoints, hold, heartbeat: beats, maxBeats, timeoutMs: storeTimeoutMs }
    if (hold.isUnprotected) return { outcome: 'new', lease: lease({ ...parts, publish: () => {}, onEnd: () => {} }) }
    publish({ type: attempt === 1 ? 'run' : 'takeover', id, attempt })
    // It is unknown when a transaction of the caller is rolled back, so no one must wait for it here.
    if (hold.isForeign) return { outcome: 'new', lease: lease({ ...parts, publish, onEnd: () => {} }) }
    here.began(id)
    return { outcome: 'new', lease: lease({ ...parts, publish, onEnd: () => here.ended(id) }) }
  }
}
