/**
 * Runs a callback of the app: a throw and a rejection both reach `fail`, on every host, although
 * connect, polka and Express 4 ignore promises. A result that is not a promise is passed on in the
 * same tick.
 */
export function callSafely<T>(
  call: () => T | PromiseLike<T>,
  done: (value: T) => void,
  fail: (error: unknown) => void,
): void {
  let value: T | PromiseLike<T>
  try {
    value = call()
  } catch (error) {
    fail(error)
    return
  }
  if (isPromise(value)) value.then(done, fail)
  else done(value)
}

/**
 * Runs a step that may follow after its caller has returned: a throw reaches `fail` instead of
 * ending the process.
 */
export function attempt(step: () => void, fail: (error: unknown) => void): void {
  try {
    step()
  } catch (error) {
    fail(error)
  }
}

/** Whether a value must be awaited. */
export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}
