import { array, assert, constantFrom, integer, property, record, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import type { CounterState } from './algorithm.ts'
import { adjustAll, blockUntil, consumeAll, getEnd, type Ledger, NO_STATE } from './decide.ts'
import { ALGORITHM_NAMES, definePolicy } from './policy.ts'
import type { Charge } from './store.ts'

/** States in a Map, by key. */
function openLedger(): Ledger & { states: Map<string, CounterState> } {
  const states = new Map<string, CounterState>()
  return {
    states,
    read: ({ key }) => states.get(key) ?? NO_STATE,
    write: ({ key }, state) => void states.set(key, state),
  }
}

const limit = record({
  algorithm: constantFrom(...ALGORITHM_NAMES),
  limit: integer({ min: 1, max: 9 }),
  windowMs: integer({ min: 1, max: 5000 }),
})

test('charges several limits or none, and reports what each has left', () => {
  const step = tuple(integer({ min: 0, max: 900 }), array(integer({ min: 0, max: 4 }), { minLength: 4, maxLength: 4 }))
  assert(
    property(array(limit, { minLength: 2, maxLength: 4 }), array(step, { maxLength: 40 }), (limits, steps) => {
      const policies = limits.map(({ algorithm, ...rate }, at) =>
        definePolicy({ name: `limit${at}`, group: 'g', rate, burst: undefined, algorithm }),
      )
      const ledger = openLedger()
      let now = 1_800_000_000_000
      for (const [at, [ms, costs]] of steps.entries()) {
        now += ms
        const charges = policies.map((policy, index): Charge => {
          return { policy, key: policy.name, cost: costs[index] ?? 0, slot: '', id: at }
        })
        const looks = charges.map((charge) => ({ ...charge, cost: 0 }))
        const before = consumeAll(looks, now, ledger)
        const alone = charges.map((charge) => {
          const own = openLedger()
          own.states.set(charge.key, ledger.read(charge))
          return consumeAll([charge], now, own)[0]
        })
        const outcomes = consumeAll(charges, now, ledger)
        if (alone.every((outcome) => outcome?.allowed)) expect(outcomes).toEqual(alone)
        else {
          expect(consumeAll(looks, now, ledger)).toEqual(before)
          expect(outcomes).toEqual(alone.map((outcome, index) => (outcome?.allowed ? before[index] : outcome)))
        }
      }
    }),
    { numRuns: 300 },
  )
})

test.each(ALGORITHM_NAMES)('rejects a blocked key of %s until its block ends, and then starts over', (algorithm) => {
  const policy = definePolicy({ name: 'x', group: 'g', rate: '5/10s', burst: undefined, algorithm })
  const ledger = openLedger()
  const charge: Charge = { policy, key: 'k', cost: 2, slot: 'k', id: 7 }
  const until = 1_800_000_060_000
  ledger.write(charge, blockUntil(until), until - 60_000)
  const rejected = { allowed: false, remaining: 0, resetMs: 1, retryMs: 1 }
  expect(consumeAll([charge], until - 1, ledger)).toEqual([rejected])
  expect(adjustAll([{ ...charge, cost: -5 }], until - 1, ledger)).toEqual([rejected])
  expect(getEnd(ledger.read(charge), policy)).toBe(until)
  expect(consumeAll([charge], until, ledger)).toMatchObject([{ allowed: true, remaining: 3 }])
})

test('deletes the state of a key whose units were all refunded', () => {
  for (const algorithm of ALGORITHM_NAMES) {
    const policy = definePolicy({ name: 'x', group: 'g', rate: '5/10s', burst: undefined, algorithm })
    const ledger = openLedger()
    const charge: Charge = { policy, key: 'k', cost: 2, slot: 'k', id: 7 }
    consumeAll([charge], 1_800_000_000_000, ledger)
    const [left] = adjustAll([{ ...charge, cost: -2 }], 1_800_000_000_000, ledger)
    expect(left, algorithm).toMatchObject({ allowed: true, remaining: 5 })
  }
})
