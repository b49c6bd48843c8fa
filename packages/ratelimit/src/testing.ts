import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import type { AlgorithmName, LimitResult } from './algorithm.ts'
import { ALGORITHM_NAMES, definePolicy } from './policy.ts'
import type { RateText } from './rate.ts'
import type { Charge, RateLimitStore } from './store.ts'
import { memoryStore } from './stores/memory.ts'

/**
 * Opens a store that counts with the given clock. Each case opens one, and needs keys that no other
 * case has used.
 */
export type OpenStore = (now: () => number) => RateLimitStore | Promise<RateLimitStore>

/** A case that every store must pass. */
export interface StoreCase {
  /** The behavior that is tested, as a sentence. */
  name: string
  /** Rejects with an AssertionError if the store fails. */
  run: () => Promise<void>
}

const START = Date.UTC(2030, 0, 1)

/**
 * Returns the cases that every store must pass, for any test runner:
 * `for (const { name, run } of storeCases(open)) test(name, run)`.
 */
export function storeCases(open: OpenStore): StoreCase[] {
  const cases: StoreCase[] = []
  let opened = 0
  const add = (name: string, run: (lab: Lab) => Promise<void>): void => {
    cases.push({
      name,
      async run() {
        const lab: Lab = { time: START, store: memoryStore(), group: `case-${process.pid}-${++opened}-${Date.now()}` }
        lab.store = await open(() => lab.time)
        try {
          await run(lab)
        } finally {
          await lab.store.close?.()
        }
      },
    })
  }
  for (const algorithm of ALGORITHM_NAMES)
    add(`decides as the algorithm does: ${algorithm}`, (lab) => followsReference(lab, algorithm))
  add('takes all charges of a call or none', allOrNothing)
  add('takes nothing for a cost of 0', readsOnly)
  add('refunds, charges unconditionally, blocks and resets', manages)
  add('separates keys of any length and characters', separatesKeys)
  add('allows exactly the quota to concurrent calls', allowsExactly)
  for (const algorithm of ALGORITHM_NAMES)
    add(`allows nothing more when the clock is set back: ${algorithm}`, (lab) => survivesClockChange(lab, algorithm))
  return cases
}

interface Lab {
  time: number
  store: RateLimitStore
  group: string
}

function createCharge(
  { group }: Lab,
  key: string,
  cost: number,
  rate: RateText,
  algorithm: AlgorithmName = 'gcra',
): Charge {
  const policy = definePolicy({ name: rate, group, rate, burst: undefined, algorithm })
  return { policy, key, cost, slot: key }
}

/** Compares a reproducible pseudorandom trace with the memory store. */
async function followsReference(lab: Lab, algorithm: AlgorithmName): Promise<void> {
  const reference = memoryStore({ now: () => lab.time })
  let seed = 42
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return (seed >>> 8) % below
  }
  const leases: number[] = []
  for (let step = 0; step < 200; step++) {
    lab.time += random(4) === 0 ? random(9000) : random(400)
    const back = random(8) === 0 && leases.length > 0
    const id = back ? (leases.splice(random(leases.length), 1)[0] ?? 0) : random(2 ** 22) + step
    const cost = back ? -1 - random(2) : random(4)
    const charge = {
      ...createCharge(lab, `key${random(2)}`, cost, algorithm === 'gcra' ? '7/5s' : '10/5s', algorithm),
      id,
    }
    if (!back && cost > 0) leases.push(id)
    const action = back ? 'adjust' : 'consume'
    const expected = await reference[action]([charge])
    deepStrictEqual(plain(await lab.store[action]([charge])), plain(expected), `step ${step} of ${algorithm}`)
  }
}

async function allOrNothing(lab: Lab): Promise<void> {
  const both = [createCharge(lab, 'a', 1, '5/m'), createCharge(lab, 'b', 1, '2/m')]
  const slots = both.map((charge) => ({ ...charge, slot: 'ab' }))
  for (const remaining of [4, 3]) strictEqual((await lab.store.consume(slots))[0]?.remaining, remaining)
  const [first, second] = await lab.store.consume(slots)
  deepStrictEqual([first?.allowed, first?.remaining, second?.allowed], [true, 3, false])
  const [left] = await lab.store.consume(slots.slice(0, 1).map((charge) => ({ ...charge, cost: 0 })))
  strictEqual(left?.remaining, 3, 'a rejected call must take nothing')
}

async function readsOnly(lab: Lab): Promise<void> {
  const look = [createCharge(lab, 'a', 0, '2/m')]
  for (let time = 0; time < 3; time++) strictEqual((await lab.store.consume(look))[0]?.remaining, 2)
}

async function manages(lab: Lab): Promise<void> {
  const [one, three, back] = [1, 3, -2].map((cost) => [createCharge(lab, 'a', cost, '5/m')])
  if (!one || !three || !back) return
  await lab.store.consume(three)
  strictEqual((await lab.store.adjust(back))[0]?.remaining, 4)
  strictEqual((await lab.store.adjust(three))[0]?.remaining, 1)
  strictEqual((await lab.store.adjust(three))[0]?.remaining, 0, 'never below zero')
  await lab.store.block(one, 90_000)
  lab.time += 89_999
  const blocked: LimitResult = { allowed: false, remaining: 0, resetMs: 1, retryMs: 1 }
  deepStrictEqual(plain(await lab.store.consume(one)), [blocked])
  lab.time += 1
  strictEqual((await lab.store.consume(one))[0]?.remaining, 4, 'an expired block leaves nothing behind')
  await lab.store.block(one, 90_000)
  await lab.store.reset(one)
  strictEqual((await lab.store.consume(one))[0]?.remaining, 4)
}

async function separatesKeys(lab: Lab): Promise<void> {
  const long = Array.from({ length: 5000 }, (_, index) => String.fromCharCode(33 + ((index * index) % 89))).join('')
  const keys = [
    '',
    ' ',
    '__proto__',
    'constructor',
    'a',
    'A',
    'a b',
    '{a}',
    'ä',
    'a\u0308',
    '💥',
    '\0',
    '\ud800',
    long,
    `${long}x`,
  ]
  for (const key of keys) {
    const [outcome] = await lab.store.consume([createCharge(lab, key, 1, '3/m')])
    strictEqual(outcome?.remaining, 2, `the key ${JSON.stringify(key.slice(0, 20))} shares a counter`)
  }
}

async function allowsExactly(lab: Lab): Promise<void> {
  const charge = [createCharge(lab, 'hot', 1, '20/m')]
  const replies = await Promise.all(Array.from({ length: 60 }, async () => lab.store.consume(charge)))
  strictEqual(replies.filter(([outcome]) => outcome?.allowed).length, 20)
}

async function survivesClockChange(lab: Lab, algorithm: AlgorithmName): Promise<void> {
  const ask = async (id: number): Promise<boolean | undefined> => {
    const charge = { ...createCharge(lab, 'a', 5, '5/10s', algorithm), id }
    return (await lab.store.consume([charge]))[0]?.allowed
  }
  strictEqual(await ask(1), true)
  lab.time -= 3_600_000
  strictEqual(await ask(2), false)
  lab.time += 20_000
  strictEqual(await ask(3), true, 'counts from before the clock was set back must expire within two windows')
}

function plain(outcomes: readonly LimitResult[]): LimitResult[] {
  return outcomes.map(({ allowed, remaining, resetMs, retryMs }) => ({ allowed, remaining, resetMs, retryMs }))
}
