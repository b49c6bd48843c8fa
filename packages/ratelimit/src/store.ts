import type { LimitResult, Policy } from './algorithm.ts'

/** So many units of one limit for one key. */
export interface Charge {
  /** The limit that is charged. */
  readonly policy: Policy
  /** What is counted. */
  readonly key: string
  /** Whole units; 0 looks without taking. */
  readonly cost: number
  /** Charges of one call with equal slots lie together in a store that is spread over several machines. */
  readonly slot: string
  /** Which lease, where the algorithm is `concurrency`. */
  readonly id?: number
  /** By how many milliseconds the windows of this key are moved, where the algorithm is `fixed-window`. */
  readonly phase?: number
}

/**
 * Where units are counted. Every method may answer at once or with a promise; a promise that is late or rejects is the
 * limiter's to handle, a store needs no time limit of its own. The store's clock is the one that counts.
 */
export interface RateLimitStore {
  /** Takes all charges if all of them are allowed, else none: one atomic step. */
  consume(charges: readonly Charge[]): readonly LimitResult[] | PromiseLike<readonly LimitResult[]>
  /** Takes without asking, or gives back where the cost is negative. */
  adjust(charges: readonly Charge[]): readonly LimitResult[] | PromiseLike<readonly LimitResult[]>
  /** Refuses the keys for so long, whatever they have left. What they used is forgotten. */
  block(charges: readonly Charge[], ms: number): void | PromiseLike<void>
  /** Forgets the keys, blocks included. */
  reset(charges: readonly Charge[]): void | PromiseLike<void>
  /** Ends what the store itself began; a client that was passed in is left to its owner. */
  close?(): void | PromiseLike<void>
}
