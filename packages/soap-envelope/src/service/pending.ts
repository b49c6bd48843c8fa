import { callSafely } from '../../../internal/guard.ts'
import { SoapFault } from '../fault.ts'

/** Work that no request waits for: the messages of one-way operations. */
export interface PendingWork {
  /**
   * Starts work; its failure goes to `onError`. Throws a fault with 503 if too much is in
   * progress already.
   */
  start(work: () => unknown, onError: (error: unknown) => void): void
  /** Resolves when no work is in progress. */
  idle(): Promise<void>
}

export function pendingWork(max: number): PendingWork {
  const waiting: (() => void)[] = []
  let running = 0
  const done = (): void => {
    running--
    if (running === 0) for (const resolve of waiting.splice(0)) resolve()
  }
  return {
    start: (work, onError) => {
      if (running >= max) throw tooMuch()
      running++
      callSafely(work, done, (error) => {
        onError(error)
        done()
      })
    },
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}

function tooMuch(): Error {
  return new SoapFault({
    code: 'Receiver',
    subcodes: ['Unavailable'],
    reason: 'Too many one-way messages are in progress.',
    status: 503,
    httpStatus: 503,
    headers: { 'Retry-After': '1' },
  })
}
