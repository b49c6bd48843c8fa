import type { MaybePromise } from '@svc/errors'

/** A result that is there already, or a promise of it: on SQLite reads return in the same tick. */
export type { MaybePromise }

/** Returns whether a value has to be awaited. */
export function isPromise<T>(value: MaybePromise<T>): value is PromiseLike<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}

/** Passes a result to the next step: in the same tick if the result is already there. */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isPromise(value) ? value.then(next) : next(value)
}

/**
 * Waits for a result and for that of a second step, which begins before the first one has ended. An
 * error that the second step throws in the same tick is a rejection too: the first promise would be
 * left without a handler.
 */
export function both<A, B>(first: MaybePromise<A>, second: () => MaybePromise<B>): MaybePromise<[A, B]> {
  if (isPromise(first)) return Promise.all([first, (async () => second())()])
  return chain(second(), (value): [A, B] => [first, value])
}
