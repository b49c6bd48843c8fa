import { isPromise } from '../../internal/guard.ts'

/** A value, or a promise of it: a store that answers at once costs nobody a turn of the event loop. */
export type Awaitable<T> = T | PromiseLike<T>

/** Goes on with a value as soon as it is there: in the same tick where nothing has to be waited for. */
export function chain<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? value.then(next) : next(value)
}
