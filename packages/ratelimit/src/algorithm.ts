/** Algorithm that counts units. */
export type AlgorithmName = 'gcra' | 'sliding-counter' | 'sliding-log' | 'fixed-window' | 'token-bucket' | 'concurrency'

/** One limit in the form that algorithms and stores compute with: whole numbers alone. */
export interface Policy {
  /**
   * Id of the counters: equal ids share them. It contains the numbers, so another rate starts another counter.
   */
  readonly id: string
  /** The name that clients see. */
  readonly name: string
  /** Name of the counted unit, as clients see it: `requests`, `content-bytes`. */
  readonly unit: string
  /** Algorithm of the limit. */
  readonly algorithm: AlgorithmName
  /** Units in a window; leases at once for `concurrency`. */
  readonly limit: number
  /** Milliseconds; the length of a lease for `concurrency`. */
  readonly windowMs: number
  /** Units that may come at once. */
  readonly burst: number
  /** Ticks in a millisecond, chosen so that `interval` is whole. */
  readonly scale: number
  /** Ticks in which one unit is regained. */
  readonly interval: number
}

/** State of one key: a few integers, none for a new key. */
export type CounterState = readonly number[]

/** Result of one limit. */
export interface LimitResult {
  /** Whether the units were there. */
  allowed: boolean
  /** Whole units left. */
  remaining: number
  /** Milliseconds until nothing is used any more. */
  resetMs: number
  /** Milliseconds until the same request is allowed, 0 when it is now, -1 when it never is. */
  retryMs: number
}

/**
 * Pure functions in whole numbers: the same truth for every store. Times are milliseconds of the store's clock. `own` is
 * what a charge alone knows: the id of a lease, the phase of a fixed window.
 */
export interface Algorithm {
  /**
   * Takes `cost` units if they are there. Where they are not, the state is another one only if it comes from a clock
   * that was set back since: then it is to be kept, so that it ends a window later at most.
   */
  take(state: CounterState, now: number, policy: Policy, cost: number, own?: number): [CounterState, LimitResult]
  /** Takes `units` without asking, or gives them back when negative; never below nothing or above the quota. */
  shift(state: CounterState, now: number, policy: Policy, units: number, own?: number): CounterState
  /** The time from which the state says no more than no state. */
  endsAt(state: CounterState, policy: Policy): number
}
