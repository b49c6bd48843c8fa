import type { CounterState } from '../algorithm.ts'

/** Decides when a state may be deleted. */
export interface Expiry {
  /** Whether the state is equal to no state. */
  isExpired(state: CounterState, now: number): boolean
  /** Returns the units left: the more, the less is lost with the key. */
  remaining(state: CounterState, now: number): number
}

/** The states of one policy in memory. */
export interface Table {
  readonly size: number
  /** Number of calls of `sweep` that check the whole table. */
  readonly parts: number
  read(key: string): CounterState | undefined
  /** Returns whether the key is new. */
  write(key: string, state: CounterState, now: number): boolean
  delete(key: string): void
  /** Deletes expired states in one part, in a bounded time. */
  sweep(now: number): void
  /**
   * Deletes one key that has used little: a flood of new keys evicts itself, not a client at its
   * limit.
   */
  evict(now: number): void
}
