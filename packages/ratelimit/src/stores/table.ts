import type { CounterState } from '../algorithm.ts'

/** When a state may be given up. */
export interface Forget {
  /** Whether it says no more than no state. */
  isOver(state: CounterState, now: number): boolean
  /** What its key has left: the more, the less is lost with it. */
  remaining(state: CounterState, now: number): number
}

/** The states of one policy in memory. */
export interface Table {
  readonly size: number
  /** How many calls of `sweep` go through all of it. */
  readonly parts: number
  read(key: string): CounterState | undefined
  write(key: string, state: CounterState, now: number): void
  delete(key: string): void
  /** Forgets what is over in one part, in a bounded time. */
  sweep(now: number): void
  /** Gives up one key, one that used little: a flood of new keys pushes out itself, not a client at its limit. */
  evict(now: number): void
}
