import { failure } from '../../../internal/failure.ts'
import { guard } from '../../../internal/guard.ts'

/** Work whose end nobody waits for: the messages of one-way operations. */
export interface PendingWork {
  /** Starts work; its failure goes to `onError`. Throws a failure with 503 when too much is in work already. */
  start(work: () => unknown, onError: (error: unknown) => void): void
  /** Resolves when nothing is in work. */
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
      guard(work, done, (error) => {
        onError(error)
        done()
      })
    },
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}

function tooMuch(): Error {
  const message = 'Too many messages are in work.'
  return failure({
    status: 503,
    code: 'ERR_SOAP_ENVELOPE_OVERLOADED',
    message,
    expose: true,
    headers: { 'Retry-After': '1' },
  })
}
