import { isPromise } from './guard.ts'

/**
 * A value, or a promise of it. Values are never wrapped in promises, so nothing waits without need.
 */
export type MaybePromise<T> = T | PromiseLike<T>

/** Passes a value to `next`: in the same tick unless it is a promise. */
export function chain<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return isPromise(value) ? value.then(next) : next(value)
}

/** Returns all values, as a promise only if one of them is a promise. */
export function all<T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> {
  return values.some(isPromise) ? Promise.all(values) : (values as readonly T[])
}

/** Runs a call, and `recover` if it throws or rejects. */
export function orElse<T>(call: () => MaybePromise<T>, recover: (error: unknown) => MaybePromise<T>): MaybePromise<T> {
  try {
    const value = call()
    return isPromise(value) ? value.then(undefined, recover) : value
  } catch (error) {
    return recover(error)
  }
}

/** Work in steps: it yields what may be a promise, and gets its value. */
export type Steps<T> = Generator<unknown, T, unknown>

/**
 * Runs steps: in the same tick unless one of them yields a promise. A rejection is thrown where the
 * promise was yielded.
 */
export function runSteps<T>(steps: Steps<T>, first: IteratorResult<unknown, T> = steps.next()): MaybePromise<T> {
  let step = first
  while (!step.done) {
    const { value } = step
    if (isPromise(value))
      return value.then(
        (settled) => runSteps(steps, steps.next(settled)),
        (error) => runSteps(steps, steps.throw(error)),
      )
    step = steps.next(value)
  }
  return step.value
}

/** Runs a call and ignores its errors. `done` gets its result, if there is one. */
export function quietly<T>(call: () => MaybePromise<T>, done: (value: T) => void = () => {}): void {
  const result = orElse<T | undefined>(call, () => undefined)
  if (isPromise(result)) result.then((value) => value !== undefined && done(value))
  else if (result !== undefined) done(result)
}
