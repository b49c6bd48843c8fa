import { isPromise } from '../../internal/guard.ts'

/**
 * A value now, or one to wait for. What is there at once is never turned into a promise: a request waits for nothing.
 */
export type Soon<T> = T | PromiseLike<T>

/** Goes on with a value: in the same tick where it is there. */
export function after<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return isPromise(value) ? value.then(next) : next(value)
}

/** All values, at once where none has to be waited for. */
export function together<T>(values: readonly Soon<T>[]): Soon<readonly T[]> {
  return values.some(isPromise) ? Promise.all(values) : (values as readonly T[])
}
