import { chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import { type BeginResult, isInProgress } from './begin-result.ts'

/** Who waits for whom: duplicates that would rather have the answer than a refusal. */
export interface Waiting {
  /** A key is being worked on in this process. */
  began(id: string): void
  /** The work has ended: waiting calls look again. */
  ended(id: string): void
  /** Whether the key is being worked on in this process. */
  isHere(id: string): boolean
  /** Looks again and again while the key is in progress, for `maxWaitMs` at most. */
  lookUntil(id: string, maxWaitMs: number, look: () => MaybePromise<BeginResult>): MaybePromise<BeginResult>
}

const FIRST_LOOK_MS = 20
const SLOWEST_LOOK_MS = 250

/** Keeps the keys of one engine that are being worked on in this process. */
export function waiting(): Waiting {
  const here = new Map<string, (() => void)[] | undefined>()
  // Work of another process does not notify this process when it ends: the store is asked, less often each time.
  const turn = (id: string, round: number, leftMs: number): Promise<void> =>
    new Promise((resolve) => {
      const pauseMs = here.has(id) ? leftMs : Math.min(leftMs, SLOWEST_LOOK_MS, FIRST_LOOK_MS * 2 ** round)
      const timer = setTimeout(resolve, pauseMs)
      if (!here.has(id)) return
      const wake = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const waiters = here.get(id)
      if (waiters) waiters.push(wake)
      else here.set(id, [wake])
    })
  return {
    began(id) {
      if (!here.has(id)) here.set(id, undefined)
    },
    ended(id) {
      const waiters = here.get(id)
      here.delete(id)
      for (const wake of waiters ?? []) wake()
    },
    isHere: (id) => here.has(id),
    lookUntil(id, maxWaitMs, look) {
      const until = performance.now() + maxWaitMs
      const lookAgain = (round: number): MaybePromise<BeginResult> =>
        chain(look(), (begun) => {
          const leftMs = until - performance.now()
          if (isInProgress(begun) && leftMs > 0) return turn(id, round, leftMs).then(() => lookAgain(round + 1))
          return begun.outcome === 'replay' && round > 0 ? { ...begun, waited: true } : begun
        })
      return lookAgain(0)
    },
  }
}
