import { type Awaitable, chain, orElse, quietly } from './chain.ts'
import { stepsOf } from './checkpoints.ts'
import type { Beating, Heartbeat } from './heartbeat.ts'
import type { Hold } from './hold.ts'
import { leaseLost } from './refusals.ts'
import { packResponse, type StoredResponse } from './response.ts'
import { withTimeout } from './timeout.ts'

/** The right to do the work of one key. It ends with `complete` or `release`, or when its owner goes silent. */
export interface Lease {
  /** The stored key: a hash of scope and key. */
  readonly id: string
  /** 1 for the first attempt, one more for each that took over. */
  readonly generation: number
  /** The client of the transaction in which key, answer and effect are committed together, where there is one. */
  readonly transaction: unknown
  /**
   * Keeps the answer for retries, and commits the transaction, if there is one of our own. Throws or rejects with
   * ERR_IDEMPOTENCY_LEASE_LOST where another attempt took over meanwhile: roll back what can be rolled back.
   */
  complete(response: StoredResponse, options?: CompleteOptions): Awaitable<void>
  /** Gives up, and rolls back: the next attempt runs, from the last checkpoint on. */
  release(): Awaitable<void>
  /**
   * Takes a step once over all attempts: runs `take` and keeps its result (a JSON value), or gives the result that an
   * earlier attempt kept.
   */
  checkpoint<T>(name: string, take: () => Awaitable<T>): Promise<T>
}

/** How work ends. */
export interface CompleteOptions {
  /**
   * `'undo'`: keep the answer, and nothing of what was written in the transaction. A transaction of the caller's must
   * have been rolled back before. @defaultValue 'commit'
   */
  effects?: 'commit' | 'undo'
}

export interface LeaseParts {
  id: string
  generation: number
  /** Packed results of earlier attempts. */
  checkpoints: string
  hold: Hold
  heartbeat: Heartbeat
  /** How long the store may take to answer. */
  timeoutMs: number
  /** How many beats an attempt lives at most. */
  maxBeats: number
  /** Called once, when the lease is over. */
  onEnd: () => void
}

/** Makes the lease of an attempt, and keeps it alive. */
export function lease({ id, generation, checkpoints, hold, heartbeat, maxBeats, timeoutMs, onEnd }: LeaseParts): Lease {
  let isOver = false
  let beats = 0
  const beating: Beating = {
    beat() {
      beats++
      if (beats > maxBeats) abandon()
      else if (hold.renew) quietly(hold.renew, (held) => held || end())
      return !isOver
    },
  }
  const end = (): void => {
    if (isOver) return
    isOver = true
    heartbeat.remove(beating)
    onEnd()
  }
  // A lease runs out by itself; a transaction must not stay open for a handler that never answers.
  const abandon = (): void => {
    if (hold.abandon) quietly(hold.abandon)
    end()
  }
  const ending = <T>(call: () => Awaitable<T>): Awaitable<T> =>
    chain(
      orElse(call, (error) => {
        end()
        throw error
      }),
      (result) => {
        end()
        return result
      },
    )
  if (!hold.isForeign) heartbeat.add(beating)
  return {
    id,
    generation,
    transaction: hold.transaction,
    complete(response, { effects = 'commit' } = {}) {
      if (isOver && hold.transaction !== undefined) throw leaseLost()
      return chain(
        ending(() => withTimeout(hold.complete(packResponse(response), effects === 'undo'), timeoutMs)),
        (isHeld) => {
          if (!isHeld) throw leaseLost()
        },
      )
    },
    release() {
      if (isOver) return
      return chain(
        ending(() => withTimeout(hold.release(), timeoutMs)),
        () => {},
      )
    },
    checkpoint: stepsOf(checkpoints, (packed) => withTimeout(hold.checkpoint(packed), timeoutMs)),
  }
}
