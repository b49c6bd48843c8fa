import { array, assert, constantFrom, integer, property, record, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { consumeAll, type Ledger, NO_STATE } from '../decide.ts'
import { definePolicy } from '../policy.ts'
import type { Charge } from '../store.ts'
import { rejectedKeys } from './rejected-keys.ts'

const rates = record({ limit: integer({ min: 1, max: 12 }), windowMs: integer({ min: 1, max: 9000 }) })
const steps = array(tuple(integer({ min: 0, max: 900 }), integer({ min: 1, max: 4 })), { maxLength: 60 })
const algorithms = constantFrom('gcra', 'token-bucket', 'fixed-window', 'sliding-counter', 'sliding-log' as const)

const policy = definePolicy({ name: 'x', group: 'g', rate: '1/10s', burst: undefined, algorithm: 'gcra' })
const createCharge = (more: Partial<Charge> = {}): Charge => ({ policy, key: 'k', cost: 1, slot: 'k', ...more })
const rejection = { allowed: false, remaining: 0, resetMs: 9000, retryMs: 5000 }

describe('rejectedKeys', () => {
  test('never rejects a key that would be allowed, with any algorithm', () => {
    assert(
      property(algorithms, rates, steps, integer({ min: 1, max: 20_000 }), (algorithm, rate, trace, maxMs) => {
        const own = definePolicy({ name: 'x', group: 'g', rate, burst: undefined, algorithm })
        const rejected = rejectedKeys(maxMs)
        let state = NO_STATE
        const ledger: Ledger = { read: () => state, write: (_charge, next) => void (state = next) }
        let now = 1_800_000_000_000
        for (const [ms, cost] of trace) {
          now += ms
          const charges = [createCharge({ policy: own, cost })]
          const cached = rejected.find(charges, now)
          const [outcome] = consumeAll(charges, now, ledger)
          if (cached) expect(cached).toEqual({ ...outcome, remaining: 0 })
          else rejected.add(charges, outcome as typeof rejection, now)
        }
      }),
      { numRuns: 500 },
    )
  })

  test.each<{ what: string; charges: Charge[]; outcome: typeof rejection }>([
    { what: 'several units', charges: [createCharge({ cost: 2 })], outcome: rejection },
    { what: 'several limits', charges: [createCharge(), createCharge({ key: 'j' })], outcome: rejection },
    {
      what: 'leases',
      charges: [createCharge({ policy: { ...policy, algorithm: 'concurrency' } })],
      outcome: rejection,
    },
    { what: 'what was allowed', charges: [createCharge()], outcome: { ...rejection, allowed: true, retryMs: 0 } },
    { what: 'what is never allowed', charges: [createCharge()], outcome: { ...rejection, retryMs: -1 } },
  ])('does not cache $what', ({ charges, outcome }) => {
    const rejected = rejectedKeys(1000)
    rejected.add(charges, outcome, 0)
    for (const list of [charges, [createCharge()]]) expect(rejected.find(list, 1)).toBeUndefined()
  })

  test('caches a rejection for a limited time, and returns the remaining wait', () => {
    const rejected = rejectedKeys(1000)
    rejected.add([createCharge()], rejection, 0)
    expect(rejected.find([createCharge({ key: '__proto__' })], 1)).toBeUndefined()
    expect(rejected.find([createCharge({ cost: 0 })], 1)).toBeUndefined()
    expect(rejected.find([createCharge()], 999)).toEqual({
      allowed: false,
      remaining: 0,
      resetMs: 8001,
      retryMs: 4001,
    })
    expect(rejected.find([createCharge()], 1000)).toBeUndefined()
    expect(rejected.find([createCharge()], 0)).toBeUndefined()
  })

  test.each<[string, Charge[]]>([
    ['one unit', [createCharge()]],
    ['several units', [createCharge({ cost: 2 })]],
    ['several limits', [createCharge({ key: 'j' }), createCharge()]],
  ])('drops entries if the clock was set back, for a charge of %s', (_name, charges) => {
    const rejected = rejectedKeys(1000)
    rejected.add([createCharge()], rejection, 500)
    expect(rejected.find(charges, 499)).toBeUndefined()
    expect(rejected.find([createCharge()], 500)).toBeUndefined()
  })

  test('drops all keys at its maximum', () => {
    const rejected = rejectedKeys(1000)
    for (let key = 0; key <= 10_000; key++) rejected.add([createCharge({ key: `k${key}` })], rejection, 0)
    expect(rejected.find([createCharge({ key: 'k0' })], 1)).toBeUndefined()
    expect(rejected.find([createCharge({ key: 'k10000' })], 1)).toBeDefined()
  })
})
