import { type MaybePromise, quietly } from '../../internal/maybe-promise.ts'
import { withTimeout as withLimit } from '../../internal/with-timeout.ts'
import type { OpenTransaction } from './transaction.ts'

/**
 * Waits for the store for `ms` at most. `onLate` gets a value that arrives later. `tx` is a
 * transaction that begins or ends: without a reply, it is abandoned.
 */
export function withTimeout<T>(
  value: MaybePromise<T>,
  ms: number,
  onLate?: (value: T) => void,
  tx?: Pick<OpenTransaction, 'abandon'>,
): MaybePromise<T> {
  const createError = (): Error => {
    quietly(() => tx?.abandon?.())
    return new Error(`the store did not reply within ${ms} ms`)
  }
  return withLimit(value, ms, createError, onLate)
}
