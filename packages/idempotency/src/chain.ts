import { isPromise } from '../../internal/guard.ts'

/** A value, or a promise of it: a store that answers at once costs nobody a turn of the event loop. */
export type Awaitable<T> = T | PromiseLike<T>

/** Goes on with a value as soon as it is there: in the same tick where nothing has to be waited for. */
export function chain<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? value.then(next) : next(value)
}

/** Runs a call, and `failed` where it throws or rejects. */
export function orElse<T>(call: () => Awaitable<T>, failed: (error: unknown) => Awaitable<T>): Awaitable<T> {
  try {
    const value = call()
    return isPromise(value) ? value.then(undefined, failed) : value
  } catch (error) {
    return failed(error)
  }
}

/** Runs a call whose failure changes nothing: `done` gets its result, if there is one. */
export function quietly<T>(call: () => Awaitable<T>, done: (value: T) => void = () => {}): void {
  const result = orElse<T | undefined>(call, () => undefined)
  if (isPromise(result)) result.then((value) => value !== undefined && done(value))
  else if (result !== undefined) done(result)
}
