import { array, assert, constantFrom, integer, property, record, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Algorithm, AlgorithmName, CounterState, Policy } from './algorithm.ts'
import { concurrency } from './concurrency.ts'
import { fixedWindow } from './fixed-window.ts'
import { gcra } from './gcra.ts'
import { definePolicy } from './policy.ts'
import { slidingCounter } from './sliding-counter.ts'
import { slidingLog } from './sliding-log.ts'
import { tokenBucket } from './token-bucket.ts'
import { traces } from './traces.fixture.ts'

const define = (algorithm: AlgorithmName, rate: string, burst?: number): Policy =>
  definePolicy({ name: 'x', group: 'g', rate, burst, algorithm })

const byName: Record<string, Algorithm> = {
  gcra,
  'fixed-window': fixedWindow,
  'sliding-log': slidingLog,
  'sliding-counter': slidingCounter,
  'token-bucket': tokenBucket,
}

test.each(traces)('$algorithm follows the trace $trace', ({ algorithm, rows, policyIn }) => {
  const policy = policyIn('g')
  const { take } = byName[algorithm] as Algorithm
  let state: CounterState = []
  expect(rows.length).toBeGreaterThan(5)
  for (const [now, cost, allowed, remaining, resetMs, retryMs, extra] of rows) {
    const [next, outcome] = take(state, now, policy, cost)
    state = next
    expect(outcome, `at ${now} ms, ${cost} units`).toEqual({ allowed, remaining, resetMs, retryMs })
    if (algorithm === 'gcra') expect((state[0] ?? 0) / policy.scale).toBe(extra)
  }
})

const steps = (mostMs: number, mostUnits: number) =>
  array(tuple(integer({ min: 0, max: mostMs }), integer({ min: 0, max: mostUnits })), { maxLength: 120 })

const rates = record({ limit: integer({ min: 1, max: 30 }), windowMs: integer({ min: 1, max: 20_000 }) })

describe.each(Object.entries(byName))('%s', (name, { take, shift, endsAt }) => {
  const algorithm = name as AlgorithmName

  test('allows a rejected request exactly after retryMs, not a millisecond earlier', () => {
    assert(
      property(rates, steps(3000, 12), integer({ min: 0, max: 20_000 }), (rate, trace, phase) => {
        const policy = definePolicy({ name: 'x', group: 'g', rate, burst: undefined, algorithm })
        let state: CounterState = []
        let now = 1_000_000
        for (const [ms, cost] of trace) {
          now += ms
          const [next, { allowed, retryMs }] = take(state, now, policy, cost, phase)
          state = next
          if (allowed) expect(retryMs).toBe(0)
          else if (retryMs === -1) expect(cost).toBeGreaterThan(policy.burst)
          else {
            expect(take(state, now + retryMs, policy, cost, phase)[1].allowed).toBe(true)
            expect(take(state, now + retryMs - 1, policy, cost, phase)[1].allowed).toBe(false)
          }
        }
      }),
    )
  })

  // The exact bounds over any window: the log L; what refills 2L - 1; the counter and fixed windows
  // at most 2L.
  test('never allows more than its maximum in any window', () => {
    assert(
      property(rates, steps(3000, 12), ({ limit, windowMs }, trace) => {
        const policy = definePolicy({ name: 'x', group: 'g', rate: { limit, windowMs }, burst: undefined, algorithm })
        const bound = { 'sliding-log': limit, gcra: 2 * limit - 1, 'token-bucket': 2 * limit - 1 }[name] ?? 2 * limit
        const admitted: [now: number, units: number][] = []
        let state: CounterState = []
        let now = 1_000_000
        for (const [ms, cost] of trace) {
          now += ms
          const [next, { allowed }] = take(state, now, policy, cost)
          state = next
          if (allowed) admitted.push([now, cost])
          const inWindow = admitted.filter(([at]) => at > now - windowMs).reduce((sum, [, units]) => sum + units, 0)
          expect(inWindow).toBeLessThanOrEqual(bound)
        }
      }),
    )
  })

  test('allows nothing more when the clock is set back, and rejects nothing for longer than that', () => {
    const backwards = array(tuple(integer({ min: 0, max: 40_000 }), integer({ min: 1, max: 12 })), { minLength: 1 })
    assert(
      property(rates, backwards, integer({ min: 0, max: 30_000 }), (rate, trace, phase) => {
        const policy = definePolicy({ name: 'x', group: 'g', rate, burst: undefined, algorithm })
        let state: CounterState = []
        let now = 1_790_000_000_000
        let admitted = 0
        for (const [ms, cost] of trace) {
          now -= ms
          const [next, { allowed }] = take(state, now, policy, cost, phase)
          state = next
          if (allowed) admitted += cost
        }
        expect(admitted).toBeLessThanOrEqual(policy.limit)
        state = take(state, now, policy, policy.limit, phase)[0]
        expect(take(state, now + 2 * policy.windowMs, policy, policy.limit, phase)[1].allowed).toBe(true)
      }),
    )
  })

  test('allows nothing more in the window after the clock is set back', () => {
    const policy = define(algorithm, '10/m')
    const start = 1_800_000_000_000
    let [state] = take([], start, policy, 10)
    let now = start + 90_000
    while (take(state, now, policy, 1)[1].allowed) state = take(state, now, policy, 1)[0]
    now -= 31_000
    expect(take(state, now, policy, 1)[1].allowed).toBe(false)
  })

  test('refunds units, never above the quota', () => {
    const policy = define(algorithm, '10/10s')
    const now = 5_000_001
    const [taken] = take([], now, policy, 7)
    expect(take(shift(taken, now, policy, -3), now, policy, 0)[1].remaining).toBe(6)
    expect(take(shift(taken, now, policy, -99), now, policy, 0)[1].remaining).toBe(10)
    expect(take(shift(taken, now, policy, 99), now, policy, 0)[1].remaining).toBe(0)
  })

  test('treats an expired state as no state', () => {
    assert(
      property(rates, steps(3000, 12), integer({ min: 0, max: 30 }), (rate, trace, cost) => {
        const policy = definePolicy({ name: 'x', group: 'g', rate, burst: undefined, algorithm })
        let state: CounterState = []
        let now = 1_000_000
        for (const [ms, units] of trace) {
          now += ms
          state = take(state, now, policy, units)[0]
        }
        if (state.length === 0) return
        const end = Math.max(now, endsAt(state, policy))
        expect(take(state, end, policy, cost)[1]).toEqual(take([], end, policy, cost)[1])
      }),
    )
  })
})

test.each(['786432/s', '999999/s', '65537/s', '999999999/17m', '1000000000/1000001ms', '1000003/d'] as const)(
  'gcra and token-bucket restore %s within 0.1 percent, and never early',
  (rate) => {
    for (const algorithm of ['gcra', 'token-bucket'] as const) {
      const policy = define(algorithm, rate)
      const now = 1_790_000_000_000
      const { take } = byName[algorithm] as Algorithm
      const [state, { resetMs }] = take([], now, policy, policy.limit)
      expect(resetMs).toBeGreaterThanOrEqual(policy.windowMs)
      expect(resetMs).toBeLessThanOrEqual(Math.ceil(policy.windowMs * 1.001))
      expect(take(state, now + policy.windowMs, policy, 0)[1].remaining).toBeGreaterThan(policy.limit * 0.999 - 1)
    }
  },
)

test('gcra and token-bucket decide alike for any rate and burst', () => {
  const bursts = constantFrom(undefined, 1, 3, 50)
  assert(
    property(rates, bursts, steps(5000, 8), ({ limit, windowMs }, burst, trace) => {
      const init = { name: 'x', group: 'g', rate: { limit, windowMs }, burst }
      const one = definePolicy({ ...init, algorithm: 'gcra' })
      const other = definePolicy({ ...init, algorithm: 'token-bucket' })
      let arrival: CounterState = []
      let bucket: CounterState = []
      let now = 1_790_000_000_000
      for (const [ms, cost] of trace) {
        now += ms
        const [nextArrival, a] = gcra.take(arrival, now, one, cost)
        const [nextBucket, b] = tokenBucket.take(bucket, now, other, cost)
        expect(a).toEqual(b)
        arrival = nextArrival
        bucket = nextBucket
      }
    }),
    { numRuns: 300 },
  )
})

test('sliding-log counts no request for less than the window after a refund of another', () => {
  const policy = define('sliding-log', '2/10s')
  let [state] = slidingLog.take([], 0, policy, 1)
  ;[state] = slidingLog.take(state, 9000, policy, 1)
  state = slidingLog.shift(state, 9100, policy, -1)
  const allowed: boolean[] = []
  for (let request = 0; request < 3; request++) {
    const [next, outcome] = slidingLog.take(state, 10_001, policy, 1)
    state = next
    allowed.push(outcome.allowed)
  }
  expect(allowed).toEqual([true, false, false])
})

describe('concurrency', () => {
  const policy = define('concurrency', '2/30s')

  test('allows the next request when a lease is returned', () => {
    let [state, outcome] = concurrency.take([], 1000, policy, 1, 11)
    expect(outcome).toMatchObject({ allowed: true, remaining: 1 })
    ;[state, outcome] = concurrency.take(state, 2000, policy, 1, 12)
    expect(outcome).toMatchObject({ allowed: true, remaining: 0 })
    ;[state, outcome] = concurrency.take(state, 3000, policy, 1, 13)
    expect(outcome).toEqual({ allowed: false, remaining: 0, resetMs: 29_000, retryMs: 28_000 })
    state = concurrency.shift(state, 3000, policy, -1, 12)
    ;[state, outcome] = concurrency.take(state, 3000, policy, 1, 13)
    expect(outcome).toMatchObject({ allowed: true, remaining: 0 })
  })

  test('expires a lease that is not returned, and returns none twice', () => {
    let [state] = concurrency.take([], 1000, policy, 2, 11)
    expect(concurrency.take(state, 30_999, policy, 1)[1]).toMatchObject({ allowed: false, retryMs: 1 })
    expect(concurrency.take(state, 31_000, policy, 1)[1].allowed).toBe(true)
    expect(concurrency.endsAt(state, policy)).toBe(31_000)
    state = concurrency.shift(concurrency.shift(state, 1000, policy, -1, 11), 1000, policy, -1, 11)
    expect(concurrency.take(state, 1000, policy, 0)[1].remaining).toBe(2)
    expect(concurrency.take(state, 1000, policy, 3)[1]).toMatchObject({ allowed: false, retryMs: -1 })
  })
})
