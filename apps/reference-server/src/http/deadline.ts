import { isPromise, type MaybePromise } from '../database/maybe-promise.ts'
import { failure } from '../messages/errors.ts'

/** Maximum time for the work of a request. */
export const DEADLINE_MS = 15_000

/**
 * Runs work with a deadline: 503 if it takes longer. Work that does not wait needs no timer. The
 * work calls `lift` right before it commits. After the deadline `lift` throws, so that nothing is
 * stored after the client received an error. Before it, `lift` cancels the deadline.
 */
export function withDeadline<T>(milliseconds: number, work: (lift: () => void) => MaybePromise<T>): MaybePromise<T> {
  let state: 'running' | 'lifted' | 'over' = 'running'
  let timer: NodeJS.Timeout | undefined
  const result = work(() => {
    if (state === 'over') throw tooLong()
    state = 'lifted'
    clearTimeout(timer)
  })
  if (!isPromise(result) || hasCommitted()) return result
  return new Promise((resolve, reject) => {
    timer = setTimeout(() => {
      state = 'over'
      reject(tooLong())
    }, milliseconds)
    const stop = (): void => clearTimeout(timer)
    result.then(resolve, reject).then(stop, stop)
  })

  function hasCommitted(): boolean {
    return state === 'lifted'
  }
}

function tooLong(): Error {
  return failure('SERVICE_UNAVAILABLE.deadline', undefined, { retryAfter: 1 })
}
