import type { AlgorithmName, LimitResult, Policy } from './algorithm.ts'

/** Units of one limit that a key is charged. */
export interface Charge {
  /** The limit that is charged. */
  readonly policy: Policy
  /** Key that is counted. */
  readonly key: string
  /** Units, an integer; 0 reads without taking. */
  readonly cost: number
  /** Charges of one call with equal slots are on the same node of a clustered store. */
  readonly slot: string
  /** Id of the lease, if the algorithm is `concurrency`. */
  readonly id?: number
  /** Offset of the windows of this key in milliseconds, if the algorithm is `fixed-window`. */
  readonly phase?: number
}

/**
 * A store that counts units, by its own clock. Every method may return a value or a promise; the
 * limiter handles promises that are late or reject, so a store needs no timeout.
 */
export interface RateLimitStore {
  /** The only algorithm of the store, whatever the limits name. @defaultValue that of each limit */
  readonly algorithm?: AlgorithmName
  /** Charges all if all of them are allowed, otherwise none, in one atomic step. */
  consume(charges: readonly Charge[]): readonly LimitResult[] | PromiseLike<readonly LimitResult[]>
  /** Charges unconditionally, or refunds if the cost is negative. */
  adjust(charges: readonly Charge[]): readonly LimitResult[] | PromiseLike<readonly LimitResult[]>
  /** Rejects the keys for `ms`, regardless of what they have left. Their counts are deleted. */
  block(charges: readonly Charge[], ms: number): void | PromiseLike<void>
  /** Deletes the counts of the keys, blocks included. */
  reset(charges: readonly Charge[]): void | PromiseLike<void>
  /** Closes what the store opened; a client that was passed in belongs to its owner. */
  close?(): void | PromiseLike<void>
}
