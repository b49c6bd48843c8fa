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
  let isLifted = false
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const result = work(() => {
    if (isOver) throw tooLong()
    isLifted = true
    clearTimeout(timer)
  })
  if (!isPromise(result) || isLifted) return result
  return new Promise((resolve, reject) => {
    timer = setTimeout(() => {
      isOver = true
      reject(tooLong())
    }, milliseconds)
    const stop = (): void => clearTimeout(timer)
    result.then(resolve, reject).then(stop, stop)
  })
}

function tooLong(): Error {
  return failure('SERVICE_UNAVAILABLE.deadline', undefined, { retryAfter: 1 })
}
