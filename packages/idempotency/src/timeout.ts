import { isPromise } from '../../internal/guard.ts'
import type { Awaitable } from './chain.ts'

/**
 * Waits for a value no longer than `ms`; a value that is there already is handed on as it is. A value that comes too
 * late goes to `late`.
 */
export function withTimeout<T>(value: Awaitable<T>, ms: number, late: (value: T) => void = () => {}): Awaitable<T> {
  if (!isPromise(value)) return value
  return new Promise((resolve, reject) => {
    let over = false
    const timer = setTimeout(() => {
      over = true
      reject(new Error(`the store did not answer within ${ms} ms`))
    }, ms)
    value.then(
      (result) => {
        clearTimeout(timer)
        if (over) late(result)
        else resolve(result)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
