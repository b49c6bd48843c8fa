import { rateLimit } from '@svc/ratelimit'
import { describe, expect, test } from 'vitest'
import { clock } from '../../internal/testing/clock.ts'
import type { AlgorithmName } from './algorithm.ts'

const make = (algorithm: AlgorithmName) => {
  // A multiple of the window.
  const time = clock(1_790_000_000_000)
  const options = { rate: '5/10s', algorithm, by: 'global', finalCost: () => 0 } as const
  const windowStart = algorithm === 'fixed-window' && ({ windowStart: 'epoch' } as const)
  return { time, limiter: rateLimit({ ...options, ...windowStart, now: time.now }) }
}

type Limiter = ReturnType<typeof make>['limiter']

/** Charges five units, and returns what gives them back. */
const charges: Record<string, (limiter: Limiter) => Promise<() => unknown>> = {
  async refund(limiter) {
    const decision = await limiter.consume('k', 5)
    return () => limiter.refund(decision)
  },
  async 'a final cost of 0'(limiter) {
    const { finish } = await limiter.checkKey('k', 5)
    return () => finish(0)
  },
}

describe.each(Object.entries(charges))('%s', (_name, charge) => {
  // A unit of gcra is restored every two seconds.
  test.each<{ algorithm: AlgorithmName; ms: number; refunded: number }>([
    { algorithm: 'gcra', ms: 0, refunded: 5 },
    { algorithm: 'gcra', ms: 4000, refunded: 3 },
    { algorithm: 'gcra', ms: 9999, refunded: 1 },
    { algorithm: 'gcra', ms: 10_000, refunded: 0 },
    { algorithm: 'gcra', ms: 60_000, refunded: 0 },
    { algorithm: 'token-bucket', ms: 4000, refunded: 3 },
    { algorithm: 'token-bucket', ms: 10_000, refunded: 0 },
    { algorithm: 'fixed-window', ms: 9999, refunded: 5 },
    { algorithm: 'fixed-window', ms: 10_000, refunded: 0 },
    { algorithm: 'sliding-log', ms: 9999, refunded: 5 },
    { algorithm: 'sliding-log', ms: 10_000, refunded: 0 },
    { algorithm: 'sliding-counter', ms: 9999, refunded: 5 },
    { algorithm: 'sliding-counter', ms: 15_000, refunded: 0 },
    { algorithm: 'concurrency', ms: 9999, refunded: 5 },
  ])('gives back what time has not restored after $ms ms: $algorithm', async ({ algorithm, ms, refunded }) => {
    const { limiter, time } = make(algorithm)
    const giveBack = await charge(limiter)
    time.advance(ms)
    while ((await limiter.consume('k')).allowed);
    await giveBack()
    expect((await limiter.peek('k')).remaining).toBe(refunded)
  })
})

test('a final cost above the cost is charged, however late', async () => {
  const { limiter, time } = make('gcra')
  const { finish } = await limiter.checkKey('k', 1)
  time.advance(60_000)
  finish(4)
  expect((await limiter.peek('k')).remaining).toBe(2)
})
