import { array, assert, constantFrom, integer, property, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import type { CounterState } from './algorithm.ts'
import { concurrency } from './concurrency.ts'
import { definePolicy } from './policy.ts'

const action = tuple(constantFrom('take', 'give back'), integer({ min: 0, max: 4000 }), integer({ min: 1, max: 4 }))

test('never leases more units than the limit, for any sequence of leases, returns and losses', () => {
  const limits = integer({ min: 1, max: 6 })
  assert(
    property(limits, integer({ min: 1, max: 9000 }), array(action, { maxLength: 80 }), (limit, windowMs, actions) => {
      const rate = { limit, windowMs }
      const policy = definePolicy({ name: 'x', group: 'g', rate, burst: undefined, algorithm: 'concurrency' })
      const held = new Map<number, { until: number; units: number }>()
      let state: CounterState = []
      let now = 1_800_000_000_000
      for (const [id, [what, ms, units]] of actions.entries()) {
        now += ms
        for (const [lease, { until }] of held) if (until <= now) held.delete(lease)
        const used = [...held.values()].reduce((sum, lease) => sum + lease.units, 0)
        const [oldest] = held.keys()
        if (what === 'give back' && oldest !== undefined) {
          state = concurrency.shift(state, now, policy, -1, oldest)
          held.delete(oldest)
          continue
        }
        const [next, outcome] = concurrency.take(state, now, policy, units, id)
        expect(outcome.allowed).toBe(used + units <= limit)
        expect(outcome.remaining).toBe(limit - used - (outcome.allowed ? units : 0))
        if (outcome.allowed) held.set(id, { until: now + windowMs, units })
        else if (outcome.retryMs === -1) expect(units).toBeGreaterThan(limit)
        else {
          expect(concurrency.take(state, now + outcome.retryMs, policy, units, id)[1].allowed).toBe(true)
          expect(concurrency.take(state, now + outcome.retryMs - 1, policy, units, id)[1].allowed).toBe(false)
        }
        state = next
      }
    }),
    { numRuns: 500 },
  )
})

test('a penalty takes at most what is left, so that returned leases free all units', () => {
  const policy = definePolicy({ name: 'x', group: 'g', rate: '3/30s', burst: undefined, algorithm: 'concurrency' })
  const now = 1_800_000_000_000
  let state: CounterState = []
  for (const id of [1, 2]) state = concurrency.take(state, now, policy, 1, id)[0]
  state = concurrency.shift(state, now, policy, 3, 9)
  expect(concurrency.take(state, now, policy, 0)[1].remaining).toBe(0)
  expect(concurrency.shift(state, now, policy, 3, 10)).toEqual(state)
  for (const id of [1, 2]) state = concurrency.shift(state, now, policy, -1, id)
  expect(concurrency.take(state, now, policy, 0)[1].remaining).toBe(2)
})

test('a lease from before the clock was set back expires within the length of a lease', () => {
  const policy = definePolicy({ name: 'x', group: 'g', rate: '1/30s', burst: undefined, algorithm: 'concurrency' })
  const [leased] = concurrency.take([], 1_800_000_000_000, policy, 1, 1)
  const back = 1_700_000_000_000
  const [state, rejected] = concurrency.take(leased, back, policy, 1, 2)
  expect(rejected).toEqual({ allowed: false, remaining: 0, resetMs: 30_000, retryMs: 30_000 })
  expect(concurrency.take(state, back + 29_999, policy, 1, 2)[1].allowed).toBe(false)
  expect(concurrency.take(state, back + 30_000, policy, 1, 2)[1].allowed).toBe(true)
})
