/** The store did not answer in time. */
export class StoreTimeout extends Error {
  readonly code = 'ERR_RATELIMIT_STORE_TIMEOUT'

  constructor(ms: number) {
    super(`no answer after ${ms} ms`)
    this.name = 'StoreTimeout'
  }
}

/** The value of a promise, or a rejection when it takes longer. What comes later is dropped. */
export function withDeadline<T>(promise: PromiseLike<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    // After a stall of the process its timers run before what has arrived is read: an answer that is there counts.
    const timer = setTimeout(() => setImmediate(() => reject(new StoreTimeout(ms))), ms)
    promise.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
