import { isPromise } from '../../internal/guard.ts'
import { chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import type { LimitResult } from './algorithm.ts'
import { circuitBreaker } from './breaker.ts'
import type { ConsumeReceipt, GuardedStore, OnStoreError } from './consume-receipt.ts'
import { withDeadline } from './deadline.ts'
import type { Diagnose } from './diagnose.ts'
import { storeDown } from './errors.ts'
import { localStore } from './local-store.ts'
import type { Charge, RateLimitStore } from './store.ts'

export interface StoreGuard {
  store: RateLimitStore
  timeoutMs: number
  onError: OnStoreError
  /** Processes that share the limits. */
  instances: number
  now: () => number
  diagnose: Diagnose
}

const QUIET_MS = 60_000

/** Puts a time limit, a circuit breaker and a substitute around a store. */
export function guardStore(guard: StoreGuard): GuardedStore {
  const { store, timeoutMs, onError, instances } = guard
  const health = watchHealth(guard)
  const local = localStore(instances)
  const without = (
    method: Counting,
    charges: readonly Charge[],
    policy: OnStoreError,
    error?: unknown,
  ): ConsumeReceipt => {
    if (policy === 'reject') throw storeDown(error)
    if (policy === 'allow') return { outcomes: undefined, charges, source: 'none', by: guarded }
    return locally(method, local.shared(charges))
  }
  /** Counts charges that are this process's part already. */
  const locally = (method: Counting, charges: readonly Charge[]): ConsumeReceipt => {
    return { outcomes: local.run(method, charges), charges, source: 'local', by: guarded }
  }
  const ask = (method: Counting, charges: readonly Charge[], policy: OnStoreError): MaybePromise<ConsumeReceipt> =>
    attempt(
      health,
      timeoutMs,
      () => chain(store[method](charges), (outcomes) => checkOutcomes(outcomes, charges.length)),
      (outcomes): ConsumeReceipt => ({ outcomes, charges, source: 'store', by: guarded }),
      (error) => without(method, charges, policy, error),
    )
  const guarded: GuardedStore = {
    consume: (charges, policy = onError) => ask('consume', charges, policy),
    adjust: (charges, source) => (source === 'local' ? locally('adjust', charges) : ask('adjust', charges, onError)),
    manage: (call) =>
      attempt(
        health,
        timeoutMs,
        () => call(store),
        () => undefined,
        (error) => {
          throw storeDown(error)
        },
      ),
  }
  return guarded
}

type Counting = 'consume' | 'adjust'

/** Asks the store; whatever goes wrong is remembered, and `otherwise` answers. */
function attempt<T, U>(
  health: Health,
  timeoutMs: number,
  call: () => MaybePromise<T>,
  done: (value: T) => U,
  otherwise: (error?: unknown) => U,
): MaybePromise<U> {
  if (!health.isWorthAsking()) return otherwise()
  const succeeded = (value: T): U => {
    health.succeed()
    return done(value)
  }
  const failed = (error: unknown): U => {
    health.fail(error)
    return otherwise(error)
  }
  let answer: MaybePromise<T>
  try {
    answer = call()
  } catch (error) {
    return failed(error)
  }
  return isPromise(answer) ? withDeadline(answer, timeoutMs).then(succeeded, failed) : succeeded(answer)
}

interface Health {
  isWorthAsking(): boolean
  succeed(): void
  fail(error: unknown): void
}

/** Remembers how the store is doing, and says when that changes. */
function watchHealth({ onError, now, diagnose }: StoreGuard): Health {
  const breaker = circuitBreaker()
  let downSince: number | undefined
  let quietUntil = 0
  return {
    isWorthAsking: () => breaker.allows(now()),
    succeed() {
      breaker.succeed()
      if (downSince === undefined) return
      diagnose.storeRecovered(now() - downSince)
      downSince = undefined
    },
    fail(error) {
      breaker.fail(now())
      if (downSince !== undefined) return
      downSince = now()
      // A store that comes and goes is spoken of once a minute.
      if (downSince < quietUntil) return
      quietUntil = downSince + QUIET_MS
      diagnose.storeDown(error, onError)
    },
  }
}

/** A custom store may return anything: a reply without a result for each charge is a failure of the store. */
function checkOutcomes(outcomes: readonly LimitResult[], count: number): readonly LimitResult[] {
  if (outcomes?.length === count && outcomes.every((outcome) => typeof outcome?.allowed === 'boolean')) return outcomes
  throw new TypeError('the reply has no result for each charge')
}
