import { isPromise } from './guard.ts'
import type { MaybePromise } from './maybe-promise.ts'

export interface TimeoutHandlers<T> {
  /** Creates the error of the rejection. */
  createError: (ms: number) => Error
  /** Called with a value that arrives after the timeout. Late rejections are dropped. */
  onLate?: (value: T) => void
}

/**
 * Returns the value if it arrives within `ms`, otherwise rejects. A value that is not a promise is
 * returned as is.
 */
export function withTimeout<T>(
  value: MaybePromise<T>,
  ms: number,
  { createError, onLate }: TimeoutHandlers<T>,
): MaybePromise<T> {
  if (!isPromise(value)) return value
  return new Promise((resolve, reject) => {
    let isOver = false
    const expire = (): void => {
      isOver = true
      reject(createError(ms))
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
