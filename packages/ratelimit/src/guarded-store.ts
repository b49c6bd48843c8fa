import { isPromise } from '../../internal/guard.ts'
import { type MaybePromise, orElse } from '../../internal/maybe-promise.ts'
import type { LimitResult } from './algorithm.ts'
import { circuitBreaker } from './breaker.ts'
import { withDeadline } from './deadline.ts'
import { type Diagnose, outageReport } from './diagnose.ts'
import { isUnsupported, storeDown } from './errors.ts'
import { localStore } from './local-store.ts'
import type { ConsumeReceipt, CountSource, GuardedStore, OnStoreError } from './receipt.ts'
import type { Charge, RateLimitStore } from './store.ts'
import { CounterMemory } from './stores/memory.ts'

export interface StoreGuard {
  store: RateLimitStore
  timeoutMs: number
  onError: OnStoreError
  /** Number of processes that share the limits. */
  instances: number
  now: () => number
  diagnose: Diagnose
}

type CountMethod = 'consume' | 'adjust'

/** Wraps a store with a timeout, a circuit breaker and a substitute. */
export function guardStore(guard: StoreGuard): GuardedStore {
  const { store, timeoutMs, onError, instances, now } = guard
  const health = watchHealth(guard)
  const local = localStore(instances, now)
  const createReceipt = (
    outcomes: ConsumeReceipt['outcomes'],
    charges: readonly Charge[],
    source: CountSource,
  ): ConsumeReceipt => ({ outcomes, charges, source, time: now(), by: guarded })
  /** Counts charges that are already this process's share. */
  const countLocally = (method: CountMethod, charges: readonly Charge[]): ConsumeReceipt =>
    createReceipt(local.run(method, charges), charges, 'local')
  const substitute = (
    method: CountMethod,
    charges: readonly Charge[],
    policy: OnStoreError,
    error?: unknown,
  ): ConsumeReceipt => {
    if (policy === 'reject') throw storeDown(error)
    if (policy === 'allow') return createReceipt(undefined, charges, 'none')
    return countLocally(method, local.shared(charges))
  }
  const toReceipt = (outcomes: readonly LimitResult[], charges: readonly Charge[]): ConsumeReceipt => {
    const checked = checkOutcomes(outcomes, charges.length)
    health.succeed()
    return createReceipt(checked, charges, 'store')
  }
  // Called once per request: it creates closures only if the store returns a promise.
  const count = (
    method: CountMethod,
    charges: readonly Charge[],
    policy: OnStoreError,
  ): MaybePromise<ConsumeReceipt> => {
    if (!health.isUsable()) return substitute(method, charges, policy)
    try {
      const reply = store[method](charges)
      if (!isPromise(reply)) return toReceipt(reply, charges)
      return withDeadline(reply, timeoutMs)
        .then((outcomes) => toReceipt(outcomes, charges))
        .then(undefined, (error: unknown) => {
          health.fail(error)
          return substitute(method, charges, policy, error)
        })
    } catch (error) {
      health.fail(error)
      return substitute(method, charges, policy, error)
    }
  }
  const guarded: GuardedStore = {
    now,
    consume: (charges, policy = onError) => count('consume', charges, policy),
    adjust: (charges, source) =>
      source === 'local' ? countLocally('adjust', charges) : count('adjust', charges, onError),
    manage(call) {
      if (!health.isUsable()) throw storeDown()
      return orElse(
        () => {
          const done = call(store)
          return isPromise(done) ? withDeadline(done, timeoutMs).then(health.succeed) : health.succeed()
        },
        (error) => {
          health.fail(error)
          throw storeDown(error)
        },
      )
    },
  }
  return guarded
}

/** The default store. It counts in this process and cannot fail: it needs no guard. */
export function memoryWithoutGuard(now: () => number): GuardedStore {
  const memory = new CounterMemory()
  const managed = {
    block: (charges: readonly Charge[], ms: number) => memory.block(charges, ms, now()),
    reset: (charges: readonly Charge[]) => memory.reset(charges),
  }
  const counter: GuardedStore = {
    now,
    consume(charges) {
      const time = now()
      return { outcomes: memory.consume(charges, time), charges, source: 'store', time, by: counter }
    },
    adjust(charges) {
      const time = now()
      return { outcomes: memory.adjust(charges, time), charges, source: 'store', time, by: counter }
    },
    manage: (call) => call(managed),
  }
  return counter
}

interface Health {
  isUsable(): boolean
  succeed(): void
  fail(error: unknown): void
}

/** Tracks whether the store works, and reports changes. */
function watchHealth({ onError, now, diagnose }: StoreGuard): Health {
  const breaker = circuitBreaker()
  const outages = outageReport(diagnose, onError, now)
  return {
    isUsable: () => breaker.isClosed || breaker.allows(now()),
    succeed() {
      breaker.succeed()
      outages.succeed()
    },
    fail(error) {
      // A mistake of the caller must not make all requests leave the store.
      if (isUnsupported(error)) throw error
      breaker.fail(now())
      outages.fail(error)
    },
  }
}

/** A custom store may return anything. Throws unless there is one result for each charge. */
function checkOutcomes(outcomes: readonly LimitResult[], count: number): readonly LimitResult[] {
  if (outcomes?.length === count && outcomes.every((outcome) => typeof outcome?.allowed === 'boolean')) return outcomes
  throw new TypeError('ratelimit: the store must return one result for each charge')
}
