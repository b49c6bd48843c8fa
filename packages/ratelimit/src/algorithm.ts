/** Algorithm that counts units. */
export type AlgorithmName = 'gcra' | 'sliding-counter' | 'sliding-log' | 'fixed-window' | 'token-bucket' | 'concurrency'

/** One limit in the form that algorithms and stores compute with: integers only. */
export interface Policy {
  /**
   * Id of the counters: equal ids share them. It contains the numbers, so another rate starts
   * another counter.
   */
  readonly id: string
  /** The name that clients see. */
  readonly name: string
  /** Name of the counted unit, as clients see it: `requests`, `content-bytes`. */
  readonly unit: string
  /** Algorithm of the limit. */
  readonly algorithm: AlgorithmName
  /** Units per window; for `concurrency`, the number of concurrent leases. */
  readonly limit: number
  /** Length of the window in milliseconds; for `concurrency`, of a lease. */
  readonly windowMs: number
  /** Units available at once. */
  readonly burst: number
  /** Ticks per millisecond, chosen so that `interval` is an integer. */
  readonly scale: number
  /** Ticks that restore one unit. */
  readonly interval: number
}

/** State of one key: a few integers; empty for a new key. */
export type CounterState = readonly number[]

/** Result of one limit. */
export interface LimitResult {
  /** Whether enough units were left. */
  allowed: boolean
  /** Units left, rounded down. */
  remaining: number
  /**
   * Milliseconds until all units are restored; with `sliding-counter`, until its window ends, and
   * with `sliding-log`, until the oldest units are restored.
   */
  resetMs: number
  /** Milliseconds until the same request is allowed: 0 for now, -1 for never. */
  retryMs: number
}

/**
 * Pure functions on integers, which decide alike for every store. Times are milliseconds of the
 * store's clock. `parameter` is a property of the charge: the id of its lease, or the phase of its
 * fixed window.
 */
export interface Algorithm {
  /**
   * Takes `cost` units if they are left. If they are not, the state changes only if the clock was
   * set back since it was written: the new state must be stored, so that it expires one window
   * later at most.
   */
  take(state: CounterState, now: number, policy: Policy, cost: number, parameter?: number): [CounterState, LimitResult]
  /**
   * Takes `units` unconditionally, or refunds them if negative: never below zero or above the
   * quota.
   */
  shift(state: CounterState, now: number, policy: Policy, units: number, parameter?: number): CounterState
  /** Returns the time from which the state is equal to no state. */
  endsAt(state: CounterState, policy: Policy): number
}
