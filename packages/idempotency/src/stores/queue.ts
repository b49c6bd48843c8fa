import { chain, type MaybePromise } from '../../../internal/maybe-promise.ts'

/** Turns, one at a time, in the order of arrival. */
export interface Queue {
  /**
   * Waits for a turn, which lasts until the returned function is called. Returns in the same tick
   * if there is no other.
   */
  enter(): MaybePromise<() => void>
  /** Runs a short call in its own turn. */
  run<T>(work: () => T): MaybePromise<T>
}

/** Creates a queue. */
export function queue(): Queue {
  const waiting: (() => void)[] = []
  let busy = false
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else busy = false
  }
  const enter = (): MaybePromise<() => void> => {
    if (busy) return new Promise((resolve) => waiting.push(() => resolve(leave)))
    busy = true
    return leave
  }
  return {
    enter,
    run(work) {
      if (!busy) return work()
      return chain(enter(), () => {
        try {
          return work()
        } finally {
          leave()
        }
      })
    },
  }
}
