import { chain, type MaybePromise } from '../../../internal/maybe-promise.ts'

/** Turns, a limited number at a time, in the order of arrival. */
export interface Queue {
  /**
   * Waits for a turn, which lasts until the returned function is called. Returns in the same tick
   * if one is free.
   */
  enter(): MaybePromise<() => void>
  /** Runs a short call in its own turn. */
  run<T>(work: () => T): MaybePromise<T>
}

/** Creates a queue with a number of turns at a time. */
export function queue(turns = 1): Queue {
  const waiting: (() => void)[] = []
  let left = turns
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else left++
  }
  const enter = (): MaybePromise<() => void> => {
    if (left === 0) return new Promise((resolve) => waiting.push(() => resolve(leave)))
    left--
    return leave
  }
  return {
    enter,
    run(work) {
      if (left > 0) return work()
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
