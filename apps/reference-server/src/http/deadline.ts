import { failure } from '../messages/errors.ts'

/** How long the work of a request may take. */
export const DEADLINE_MS = 15_000

/**
 * Does work within a time: 503 where it takes longer. The work calls `lift` right before it commits: past the deadline
 * that throws, so that nothing happens which the client was told had failed; before it, there is no deadline any more.
 */
export function withDeadline<T>(milliseconds: number, work: (lift: () => void) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isOver = false
    const timer = setTimeout(() => {
      isOver = true
      reject(tooLong())
    }, milliseconds)
    const lift = (): void => {
      if (isOver) throw tooLong()
      clearTimeout(timer)
    }
    work(lift)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

function tooLong(): Error {
  return failure('SERVICE_UNAVAILABLE.deadline', undefined, { retryAfter: 1 })
}
