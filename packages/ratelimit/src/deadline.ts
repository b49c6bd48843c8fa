import { withTimeout } from '../../internal/with-timeout.ts'

/** Error of a store that did not reply in time. */
export class StoreTimeout extends Error {
  override readonly name = 'StoreTimeout'
  readonly code = 'ERR_RATELIMIT_STORE_TIMEOUT'

  constructor(ms: number) {
    super(`no reply after ${ms} ms`)
  }
}

/** Returns the value of a promise, or rejects if it takes longer. A late value is dropped. */
export function withDeadline<T>(promise: PromiseLike<T>, ms: number): PromiseLike<T> {
  return withTimeout<T>(promise, ms, () => new StoreTimeout(ms)) as PromiseLike<T>
}
