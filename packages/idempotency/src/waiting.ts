import { chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import { type BeginResult, isInProgress } from './begin-result.ts'
import { IdMap } from './id-map.ts'
import { MAX_TIMER_MS } from './options.ts'

/** Work in progress in this process, and the duplicates that wait for it. */
export interface Waiting {
  /** Adds a key whose work starts in this process. */
  add(id: string): void
  /** Removes a key whose work has ended: waiting calls look again. */
  remove(id: string): void
  /** Whether the work of a key is in progress in this process. */
  has(id: string): boolean
  /** Repeats `look` while the key is in progress, for `maxWaitMs` at most. */
  lookUntil(id: string, maxWaitMs: number, look: () => MaybePromise<BeginResult>): MaybePromise<BeginResult>
}

const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 250

/** Creates the list of keys of one engine whose work is in progress in this process. */
export function waiting(): Waiting {
  const keys = new IdMap<(() => void)[]>()
  // Work of another process sends no notification when it ends: the store is polled, less often
  // each time.
  const turn = (id: string, round: number, leftMs: number): Promise<void> =>
    new Promise((resolve) => {
      const waiters = keys.get(id)
      const pauseMs = waiters ? MAX_TIMER_MS : Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** round)
      const timer = setTimeout(resolve, Math.min(leftMs, pauseMs))
      waiters?.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  return {
    add(id) {
      if (!keys.get(id)) keys.set(id, [])
    },
    remove(id) {
      const waiters = keys.get(id)
      keys.delete(id)
      for (const wake of waiters ?? []) wake()
    },
    has: (id) => Boolean(keys.get(id)),
    lookUntil(id, maxWaitMs, look) {
      const until = performance.now() + maxWaitMs
      const lookAgain = (round: number): MaybePromise<BeginResult> =>
        chain(look(), (result) => {
          const leftMs = until - performance.now()
          if (isInProgress(result) && leftMs > 0) return turn(id, round, leftMs).then(() => lookAgain(round + 1))
          return result.outcome === 'replay' && round > 0 ? { ...result, waited: true } : result
        })
      return lookAgain(0)
    },
  }
}
