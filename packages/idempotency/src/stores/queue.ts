import { chain, type MaybePromise } from '../../../internal/maybe-promise.ts'

/** One at a time, in the order of arrival. */
export interface Queue {
  /** Waits for a turn; the turn lasts until `leave` is called. Immediately if no one is in. */
  enter(): MaybePromise<() => void>
  /** Runs something short in a turn of its own. */
  run<T>(work: () => T): MaybePromise<T>
}

/** Makes a queue. */
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
