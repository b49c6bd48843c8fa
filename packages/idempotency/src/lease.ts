import { chain, type MaybePromise, orElse, quietly } from '../../internal/maybe-promise.ts'
import { createSteps, type TakeStep } from './checkpoints.ts'
import { type Publish, publishStored } from './events.ts'
import type { Heartbeat, HeartbeatTarget } from './heartbeat.ts'
import { abandon, type Hold } from './hold.ts'
import { packResponse, type StoredResponse } from './response.ts'
import { withTimeout } from './timeout.ts'

/** The right to do the work of a key. It ends with `complete` or `release`, or when it expires. */
export interface Lease {
  /** The stored key: a hash of scope and key. */
  readonly id: string
  /** Number of the attempt, from 1; each takeover adds one. */
  readonly attempt: number
  /**
   * The client of the transaction that commits key, response and effects together, if the store
   * opened one.
   */
  readonly transaction: unknown
  /**
   * Stores the response for retries, and commits the transaction if the store opened one. Throws or
   * rejects with ERR_IDEMPOTENCY_LEASE_LOST if another attempt took over: roll back what can be
   * rolled back.
   */
  complete(response: StoredResponse, options?: CompleteOptions): MaybePromise<void>
  /** Releases the key and rolls back: the next attempt runs, from the last checkpoint. */
  release(): MaybePromise<void>
  /**
   * Takes a step once over all attempts: runs `take` and stores its result (a JSON value), or
   * returns the result that an earlier attempt stored.
   */
  checkpoint<T>(name: string, take: () => MaybePromise<T>): Promise<T>
}

/** Options for `lease.complete()`. */
export interface CompleteOptions {
  /**
   * `'rollback'`: store the response, and nothing of what was written in the transaction. A
   * transaction of the caller must have been rolled back before. @defaultValue 'commit'
   */
  effects?: 'commit' | 'rollback'
}

export interface LeaseParts {
  id: string
  attempt: number
  /** Packed results of earlier attempts. */
  checkpoints: string
  hold: Hold
  heartbeat: Heartbeat
  /** Maximum time to wait for the store, in milliseconds. */
  timeoutMs: number
  /** Maximum number of beats of an attempt. */
  maxBeats: number
}

/** Creates the lease of an attempt, and renews it. `onEnd` is called once, when it is over. */
export function createLease(parts: LeaseParts, publish: Publish = () => {}, onEnd: () => void = () => {}): Lease {
  const { id, attempt, checkpoints, hold, heartbeat, maxBeats, timeoutMs } = parts
  const { tx } = hold
  let isOver = false
  let beats = 0
  let steps: TakeStep | undefined
  // Set if the store failed to store the response: the work is done, and must not run again.
  let storeAgain: (() => MaybePromise<void>) | undefined
  const target: HeartbeatTarget = {
    beat() {
      beats++
      if (beats > maxBeats) expire()
      else if (hold.renew) quietly(hold.renew, (held) => (held ? storeAgain && quietly(storeAgain) : end()))
      return !isOver
    },
  }
  const end = (): void => {
    if (isOver) return
    isOver = true
    heartbeat.remove(target)
    onEnd()
  }
  // A lease expires automatically; a transaction must not stay open for a handler that never
  // responds.
  const expire = (): void => {
    if (tx) quietly(() => abandon(tx))
    end()
  }
  const confirm = (isHeld: boolean): void => publishStored(isHeld, id, attempt, publish)
  const ending = <T>(call: () => MaybePromise<T>, onFail = end): MaybePromise<T> =>
    chain(
      orElse(call, (error) => {
        onFail()
        publish({ type: 'failed', id, attempt, error })
        throw error
      }),
      (result) => {
        end()
        return result
      },
    )
  if (!hold.isUnprotected) heartbeat.add(target)
  return {
    id,
    attempt,
    transaction: tx?.client,
    complete(response, { effects = 'commit' } = {}) {
      if (isOver && tx) return confirm(false)
      const store = () =>
        withTimeout(hold.complete(packResponse(response), effects === 'rollback'), timeoutMs, undefined, tx)
      const repeat = (): void => {
        storeAgain = () =>
          chain(store(), (isHeld) => {
            if (isOver) return
            end()
            confirm(isHeld)
          })
      }
      return chain(ending(store, hold.renew ? repeat : end), confirm)
    },
    release() {
      if (isOver || storeAgain) return
      return chain(
        ending(() => withTimeout(hold.release(), timeoutMs, undefined, tx)),
        () => publish({ type: 'released', id, attempt }),
      )
    },
    checkpoint(name, take) {
      // A transaction that has ended holds nothing that the store could check.
      const save = (packed: string) => (isOver && tx ? false : withTimeout(hold.checkpoint(packed), timeoutMs))
      steps ??= createSteps(checkpoints, save)
      return steps(name, take)
    },
  }
}
