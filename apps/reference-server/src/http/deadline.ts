import { isPromise, type MaybePromise } from '../database/maybe-promise.ts'
import { failure } from '../messages/errors.ts'

/** How long the work of a request may take. */
export const DEADLINE_MS = 15_000

/**
 * Runs work within a time: 503 if it takes longer. Work that does not wait needs no timer. The work calls `lift` right
 * before it commits: past the deadline that throws, so that nothing happens which the client was told had failed; before
 * it, there is no deadline any more.
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
