import { isPromise } from './guard.ts'
import type { MaybePromise } from './maybe-promise.ts'

/**
 * Returns the value if it arrives within `ms`, otherwise rejects with the error of `createError`.
 * `onLate` gets a value that arrives later; late rejections are dropped. A value that is not a
 * promise is returned as is.
 */
export function withTimeout<T>(
  value: MaybePromise<T>,
  ms: number,
  createError: () => Error,
  onLate?: (value: T) => void,
): MaybePromise<T> {
  if (!isPromise(value)) return value
  return new Promise((resolve, reject) => {
    let isOver = false
    const expire = (): void => {
      isOver = true
      reject(createError())
    }
    // After a stall of the process its timers run before pending replies are read: a reply that has
    // arrived counts.
    let pending: NodeJS.Immediate | undefined
    const timer = setTimeout(() => {
      pending = setImmediate(expire)
    }, ms)
    const settle = (): void => {
      clearTimeout(timer)
      clearImmediate(pending)
    }
    value.then(
      (result) => {
        settle()
        if (isOver) onLate?.(result)
        else resolve(result)
      },
      (error: unknown) => {
        settle()
        reject(error)
      },
    )
  })
}
