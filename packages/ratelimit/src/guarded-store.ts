import { isPromise } from '../../internal/guard.ts'
import type { Policy } from './algorithm.ts'
import { circuitBreaker } from './breaker.ts'
import { withDeadline } from './deadline.ts'
import type { Diagnose } from './diagnose.ts'
import { definePolicy } from './policy.ts'
import { storeDown } from './refusal.ts'
import { after, type Soon } from './soon.ts'
import type { Charge, Outcomes, RateLimitStore } from './store.ts'
import { memoryStore } from './stores/memory.ts'

/**
 * What happens while the store does not answer. `local`: this process counts alone, each limit divided by `instances`.
 * `open`: nothing is limited. `closed`: everything is refused with 503.
 */
export type OnStoreError = 'local' | 'open' | 'closed'

export interface StoreGuard {
  store: RateLimitStore
  timeoutMs: number
  onError: OnStoreError
  /** Processes that share the limits. */
  instances: number
  now: () => number
  diagnose: Diagnose
}

/** What was counted, and where: giving back goes to the same place. `undefined` outcomes: nobody counted. */
export interface Counted {
  outcomes: Outcomes | undefined
  charges: readonly Charge[]
  source: 'store' | 'local' | 'none'
}

/** A store that always answers: within its time limit, or by what `onError` says. */
export interface GuardedStore {
  consume(charges: readonly Charge[]): Soon<Counted>
  adjust(charges: readonly Charge[], source: Counted['source']): Soon<Counted>
  /** Runs another call of the store, within its time limit. Rejects when the store fails. */
  manage(call: (store: RateLimitStore) => Soon<void>): Soon<void>
}

const QUIET_MS = 60_000

/** Puts a time limit, a circuit breaker and a substitute around a store. */
export function guardStore({ store, timeoutMs, onError, instances, now, diagnose }: StoreGuard): GuardedStore {
  const breaker = circuitBreaker()
  const local = localStore(instances)
  let downSince: number | undefined
  let quietUntil = 0

  const succeed = (): void => {
    breaker.succeed()
    if (downSince === undefined) return
    diagnose.storeUp(now() - downSince)
    downSince = undefined
  }
  const fail = (error: unknown): void => {
    breaker.fail(now())
    if (downSince !== undefined) return
    downSince = now()
    // A store that comes and goes is spoken of once a minute.
    if (downSince < quietUntil) return
    quietUntil = downSince + QUIET_MS
    diagnose.storeDown(error, onError)
  }
  const without = (method: 'consume' | 'adjust', charges: readonly Charge[], error?: unknown): Counted => {
    if (onError === 'closed') throw storeDown(error)
    if (onError === 'open') return { outcomes: undefined, charges, source: 'none' }
    return local.run(method, local.shared(charges))
  }
  /** Asks the store; whatever goes wrong is remembered, and `otherwise` answers. */
  const attempt = <T, U>(call: () => Soon<T>, done: (value: T) => U, otherwise: (error?: unknown) => U): Soon<U> => {
    if (!breaker.allows(now())) return otherwise()
    const succeeded = (value: T): U => {
      succeed()
      return done(value)
    }
    const failed = (error: unknown): U => {
      fail(error)
      return otherwise(error)
    }
    let answer: Soon<T>
    try {
      answer = call()
    } catch (error) {
      return failed(error)
    }
    return isPromise(answer) ? withDeadline(answer, timeoutMs).then(succeeded, failed) : succeeded(answer)
  }
  const ask = (method: 'consume' | 'adjust', charges: readonly Charge[]): Soon<Counted> =>
    attempt(
      () => after(store[method](charges), (outcomes) => checkOutcomes(outcomes, charges.length)),
      (outcomes): Counted => ({ outcomes, charges, source: 'store' }),
      (error) => without(method, charges, error),
    )

  return {
    consume: (charges) => ask('consume', charges),
    adjust: (charges, source) => (source === 'local' ? local.run('adjust', charges) : ask('adjust', charges)),
    manage: (call) =>
      attempt(
        () => call(store),
        () => undefined,
        (error) => {
          throw storeDown(error)
        },
      ),
  }
}

/** A store of somebody's own may answer anything: what is no outcome for each charge is a failure of the store. */
function checkOutcomes(outcomes: Outcomes, count: number): Outcomes {
  if (outcomes?.length === count && outcomes.every((outcome) => typeof outcome?.allowed === 'boolean')) return outcomes
  throw new TypeError('no outcome for each charge')
}

const MOST_POLICIES = 1000

/** The store that takes over: it counts in this process, and each limit is this process's part. */
function localStore(instances: number) {
  const memory = memoryStore()
  const shares = new Map<string, Policy>()
  const shareOf = (policy: Policy): Policy => {
    const known = shares.get(policy.id)
    if (known) return known
    if (shares.size >= MOST_POLICIES) shares.clear()
    const { name, algorithm, windowMs } = policy
    const limit = Math.ceil(policy.limit / instances)
    const burst = policy.burst === policy.limit ? undefined : Math.ceil(policy.burst / instances)
    const share = definePolicy({ name, group: policy.id, rate: { limit, windowMs }, burst, algorithm })
    shares.set(policy.id, share)
    return share
  }
  /** Counts charges that are this process's part already. */
  const run = (method: 'consume' | 'adjust', charges: readonly Charge[]): Counted => {
    // A memory store never answers with a promise.
    return { outcomes: memory[method](charges) as Outcomes, charges, source: 'local' }
  }
  const shared = (charges: readonly Charge[]): Charge[] =>
    charges.map((charge) => {
      const policy = shareOf(charge.policy)
      return { ...charge, policy, cost: Math.min(charge.cost, policy.burst) }
    })
  return { run, shared }
}
