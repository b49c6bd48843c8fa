import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withTimeout } from './with-timeout.ts'

const createError = (): Error => new Error('no reply')

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('returns a value as is, and the value of a promise', async () => {
  expect(withTimeout(5, 10, createError)).toBe(5)
  expect(await withTimeout(Promise.resolve(5), 10, createError)).toBe(5)
  expect(vi.getTimerCount()).toBe(0)
})

test('passes on a rejection, and leaves no timer', async () => {
  await expect(withTimeout(Promise.reject(new Error('down')), 10, createError)).rejects.toThrow('down')
  expect(vi.getTimerCount()).toBe(0)
})

test('rejects after the timeout, and passes a late value to onLate', async () => {
  const { promise, resolve } = Promise.withResolvers<number>()
  const late: number[] = []
  const outcome = expect(withTimeout(promise, 10, createError, (value) => void late.push(value))).rejects.toThrow(
    'no reply',
  )
  await vi.advanceTimersByTimeAsync(11)
  await outcome
  resolve(7)
  await promise
  expect(late).toEqual([7])
})

test('drops a late rejection', async () => {
  const { promise, reject } = Promise.withResolvers<number>()
  const outcome = expect(withTimeout(promise, 10, createError)).rejects.toThrow('no reply')
  await vi.advanceTimersByTimeAsync(11)
  await outcome
  reject(new Error('late'))
  await expect(promise).rejects.toThrow('late')
})

test('accepts a value that arrives in the turn in which the timer fires', async () => {
  const { promise, resolve } = Promise.withResolvers<number>()
  setTimeout(() => resolve(7), 10)
  const value = withTimeout(promise, 10, createError)
  await vi.advanceTimersByTimeAsync(11)
  expect(await value).toBe(7)
})
