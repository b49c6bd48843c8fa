import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withDeadline } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const later = <T>(milliseconds: number, value: T): Promise<T> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds, value))

test('gives what is done in time, and leaves no timer behind', async () => {
  const result = withDeadline(100, () => later(99, 'done'))
  await vi.advanceTimersByTimeAsync(99)
  await expect(result).resolves.toBe('done')
  expect(vi.getTimerCount()).toBe(0)
})

test('refuses what is late, and what is late cannot commit', async () => {
  let isCommitted = false
  let failure: unknown
  const work = async (lift: () => void): Promise<void> => {
    await later(101, undefined)
    try {
      lift()
      isCommitted = true
    } catch (error) {
      failure = error
    }
  }
  const result = withDeadline(100, work)
  const refused = expect(result).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '1' } })
  await vi.advanceTimersByTimeAsync(200)
  await refused
  expect(failure).toMatchObject({ status: 503 })
  expect(isCommitted).toBe(false)
})

test('waits for what commits in time, however long that takes', async () => {
  const result = withDeadline(100, async (lift) => {
    await later(99, undefined)
    lift()
    return later(60_000, 'committed')
  })
  await vi.advanceTimersByTimeAsync(60_099)
  await expect(result).resolves.toBe('committed')
})

test('gives the failure of the work', async () => {
  await expect(withDeadline(100, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(vi.getTimerCount()).toBe(0)
})
