import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { withTimeout as withLimit } from '../../internal/with-timeout.ts'

/** Waits for the store for `ms` at most. `onLate` gets a value that arrives later. */
export function withTimeout<T>(value: MaybePromise<T>, ms: number, onLate?: (value: T) => void): MaybePromise<T> {
  const createError = (): Error => new Error(`the store did not reply within ${ms} ms`)
  return withLimit(value, ms, { createError, ...(onLate && { onLate }) })
}
