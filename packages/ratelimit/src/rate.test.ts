import { parseRate, type RateText, rateLimit } from '@svc/ratelimit'
import { describe, expect, test } from 'vitest'
import type { AlgorithmName } from './algorithm.ts'
import { definePolicy } from './policy.ts'

test.each([
  { text: '100/15m', limit: 100, windowMs: 900_000 },
  { text: '10/s', limit: 10, windowMs: 1000 },
  { text: '1/250ms', limit: 1, windowMs: 250 },
  { text: '5000/h', limit: 5000, windowMs: 3_600_000 },
  { text: '10000/7d', limit: 10_000, windowMs: 604_800_000 },
])('parses $text', ({ text, ...rate }) => {
  expect(parseRate(text)).toEqual(rate)
})

test.each([
  '',
  '100',
  '100/',
  '/s',
  '100/15x',
  '100/15 m',
  '-1/s',
  '1.5/s',
  '0/s',
  '1/0s',
  '١/s',
  '1e3/s',
  '100/15m ',
  '100/400d',
  '9999999999/d',
  '2000/ms',
  'x'.repeat(10_000),
  '__proto__',
])('rejects %j', (text) => {
  expect(() => parseRate(text)).toThrow(TypeError)
})

test('shows the invalid value', () => {
  expect(() => parseRate('100/15x')).toThrow(
    'rate must be a string such as \'100/15m\' (units ms, s, m, h, d), got "100/15x"',
  )
  expect(() => parseRate({ limit: '10' as never, windowMs: 1 })).toThrow(
    'ratelimit: rate.limit must be an integer from 1 to 1000000000, got "10"',
  )
  expect(() => parseRate({ limit: 1, windowMs: 0.5 })).toThrow('windowMs must be an integer')
})

test('types rates so that an invalid one does not compile', () => {
  const right: RateText[] = ['100/15m', '10/s']
  // @ts-expect-error: there is no such unit
  const wrong: RateText = '100/15x'
  // @ts-expect-error: there is no such unit
  expect(() => rateLimit('100/15x')).toThrow(TypeError)
  expect([right.length, wrong]).toEqual([2, '100/15x'])
})

const define = (rate: string, burst?: number, algorithm: AlgorithmName = 'gcra') =>
  definePolicy({ name: 'x', group: 'g', rate, burst, algorithm })

describe('a policy', () => {
  test.each([
    { rate: '100/15m', scale: 1, interval: 9000 },
    { rate: '7/s', scale: 7, interval: 1000 },
    { rate: '3000/s', scale: 3, interval: 1 },
    { rate: '1000000/d', scale: 5, interval: 432 },
  ])('counts $rate in integer ticks', ({ rate, scale, interval }) => {
    expect(define(rate)).toMatchObject({ scale, interval })
  })

  test('rounds the interval up if ticks would be too small, so that no unit is restored early', () => {
    expect(define('333333/d')).toMatchObject({ scale: 1000, interval: Math.ceil(86_400_000_000 / 333_333) })
  })

  test.each([
    { rate: '15/30s', burst: undefined, quota: 15, windowMs: 30_000 },
    { rate: '15/30s', burst: 4, quota: 4, windowMs: 8000 },
    { rate: '15/30s', burst: 16, quota: 16, windowMs: 32_000 },
    { rate: '7/s', burst: 2, quota: 2, windowMs: 286 },
  ])('publishes $rate with burst $burst as $quota in $windowMs ms', async ({ rate, burst, quota, windowMs }) => {
    const limiter = rateLimit({ rate: rate as RateText, ...(burst !== undefined && { burst }) })
    expect(await limiter.peek('k')).toMatchObject({ limit: quota, windowMs })
  })

  test('counts another rate separately', () => {
    const ids = [define('5/s'), define('6/s'), define('5/m'), define('5/s', 2), define('5/s', undefined, 'sliding-log')]
    expect(new Set(ids.map(({ id }) => id)).size).toBe(5)
  })

  test.each([
    { what: 'burst must be an integer', rate: '5/s', burst: 0 },
    { what: 'burst must be combined with gcra or token-bucket', rate: '5/s', burst: 2, algorithm: 'fixed-window' },
    { what: 'algorithm must be one of', rate: '5/s', algorithm: 'leaky' },
    { what: 'limit must be at most 10000', rate: '10001/s', algorithm: 'sliding-log' },
    { what: 'too large for sliding-counter', rate: '1000000000/366d', algorithm: 'sliding-counter' },
    { what: 'takes too long to restore', rate: '1/366d', burst: 1_000_000_000 },
  ])('is rejected: $what', ({ what, rate, burst, algorithm }) => {
    expect(() => define(rate, burst, algorithm as AlgorithmName)).toThrow(what)
  })

  test.each(['', 'a"b', 'a\\b', 'ä', 'a\nb', 'x'.repeat(65)])('cannot have the name %j', (name) => {
    const init = { name, group: 'g', rate: '1/s', burst: undefined, algorithm: 'gcra' } as const
    expect(() => definePolicy(init)).toThrow('printable ASCII')
  })
})
