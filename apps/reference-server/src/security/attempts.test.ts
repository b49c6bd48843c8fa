import { afterEach, expect, test, vi } from 'vitest'
import { createAttempts } from './attempts.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('an attempt counts for a quarter of an hour, and then for nothing', async () => {
  let now = 1000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const pass = (minutes: number): void => {
    now += minutes * 60_000
    vi.advanceTimersByTime(minutes * 60_000)
  }
  const attempts = createAttempts()
  await attempts.begin('ada')
  pass(14)
  expect(attempts.counted.size).toBe(1)
  pass(2)
  expect(attempts.counted.size).toBe(0)
})
