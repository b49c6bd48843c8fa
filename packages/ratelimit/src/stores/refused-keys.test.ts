import { array, assert, constantFrom, integer, property, record, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { consumeAll, type Ledger, NOTHING } from '../decide.ts'
import { definePolicy } from '../policy.ts'
import type { Charge } from '../store.ts'
import { refusedKeys } from './refused-keys.ts'

const rates = record({ limit: integer({ min: 1, max: 12 }), windowMs: integer({ min: 1, max: 9000 }) })
const steps = array(tuple(integer({ min: 0, max: 900 }), integer({ min: 1, max: 4 })), { maxLength: 60 })
const algorithms = constantFrom('gcra', 'token-bucket', 'fixed-window', 'sliding-counter', 'sliding-log' as const)

const policy = definePolicy({ name: 'x', group: 'g', rate: '1/10s', burst: undefined, algorithm: 'gcra' })
const createCharge = (more: Partial<Charge> = {}): Charge => ({ policy, key: 'k', cost: 1, slot: 'k', ...more })
const refusal = { allowed: false, remaining: 0, resetMs: 9000, retryMs: 5000 }

describe('refusedKeys', () => {
  test('says of no key that it is refused which would be allowed, whatever the algorithm', () => {
    assert(
      property(algorithms, rates, steps, integer({ min: 1, max: 20_000 }), (algorithm, rate, trace, longestMs) => {
        const own = definePolicy({ name: 'x', group: 'g', rate, burst: undefined, algorithm })
        const refused = refusedKeys(longestMs)
        let state = NOTHING
        const ledger: Ledger = { read: () => state, write: (_charge, next) => void (state = next) }
        let now = 1_800_000_000_000
        for (const [ms, cost] of trace) {
          now += ms
          const charges = [createCharge({ policy: own, cost })]
          const recalled = refused.recall(charges, now)
          const [outcome] = consumeAll(charges, now, ledger)
          if (recalled) expect(recalled).toEqual({ ...outcome, remaining: 0 })
          else refused.remember(charges, outcome as typeof refusal, now)
        }
      }),
      { numRuns: 500 },
    )
  })

  test.each<{ what: string; charges: Charge[]; outcome: typeof refusal }>([
    { what: 'several units', charges: [createCharge({ cost: 2 })], outcome: refusal },
    { what: 'several limits', charges: [createCharge(), createCharge({ key: 'j' })], outcome: refusal },
    { what: 'leases', charges: [createCharge({ policy: { ...policy, algorithm: 'concurrency' } })], outcome: refusal },
    { what: 'what was allowed', charges: [createCharge()], outcome: { ...refusal, allowed: true, retryMs: 0 } },
    { what: 'what is never allowed', charges: [createCharge()], outcome: { ...refusal, retryMs: -1 } },
  ])('does not remember $what', ({ charges, outcome }) => {
    const refused = refusedKeys(1000)
    refused.remember(charges, outcome, 0)
    for (const one of [charges, [createCharge()]]) expect(refused.recall(one, 1)).toBeUndefined()
  })

  test('remembers for so long and no longer, and tells how long there is to wait', () => {
    const refused = refusedKeys(1000)
    refused.remember([createCharge()], refusal, 0)
    expect(refused.recall([createCharge({ key: '__proto__' })], 1)).toBeUndefined()
    expect(refused.recall([createCharge({ cost: 0 })], 1)).toBeUndefined()
    expect(refused.recall([createCharge()], 999)).toEqual({
      allowed: false,
      remaining: 0,
      resetMs: 8001,
      retryMs: 4001,
    })
    expect(refused.recall([createCharge()], 1000)).toBeUndefined()
    expect(refused.recall([createCharge()], 0)).toBeUndefined()
  })

  test('asks again where the clock was set back', () => {
    const refused = refusedKeys(1000)
    refused.remember([createCharge()], refusal, 500)
    expect(refused.recall([createCharge()], 499)).toBeUndefined()
  })

  test('forgets all keys rather than to remember more and more of them', () => {
    const refused = refusedKeys(1000)
    for (let key = 0; key <= 10_000; key++) refused.remember([createCharge({ key: `k${key}` })], refusal, 0)
    expect(refused.recall([createCharge({ key: 'k0' })], 1)).toBeUndefined()
    expect(refused.recall([createCharge({ key: 'k10000' })], 1)).toBeDefined()
  })
})
