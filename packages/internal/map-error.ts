import { isPromise } from './guard.ts'

/**
 * Returns what `map` returns or throws: the error to use instead. The error stays if that is
 * `undefined` or a promise, whose rejection must not end the process.
 */
export function mapOrThrown(map: () => unknown, error: unknown): unknown {
  try {
    const mapped = map()
    if (!isPromise(mapped)) return mapped ?? error
    mapped.then(undefined, () => {})
    return error
  } catch (thrown) {
    return thrown
  }
}
