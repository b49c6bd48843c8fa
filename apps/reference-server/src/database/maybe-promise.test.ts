import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { both, isPromise } from './maybe-promise.ts'

describe('both', () => {
  test('returns two results that are there in the same tick', () => {
    expect(both(1, () => 2)).toEqual([1, 2])
  })

  test.each([
    ['the first', Promise.resolve(1), () => 2],
    ['the second', 1, () => Promise.resolve(2)],
    ['each', Promise.resolve(1), () => Promise.resolve(2)],
  ])('waits if %s is a promise', async (_title, first, second) => {
    const result = both(first, second)
    expect(isPromise(result)).toBe(true)
    expect(await result).toEqual([1, 2])
  })

  test('leaves no rejection without a handler if the second step throws in the same tick', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    const first = Promise.reject(new Error('first'))
    const result = (async () =>
      both(first, () => {
        throw new Error('second')
      }))()
    await expect(result).rejects.toThrow()
    await setImmediate()
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})
