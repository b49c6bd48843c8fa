import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clock } from '../../internal/testing/clock.ts'
import { openDatabases } from './testing/databases.ts'
import { Life, type World } from './testing/life.ts'
import type { Model } from './testing/model.ts'
import { openStores } from './testing/stores.ts'

const leaseMs = 90_000
const ttlMs = 100_000_000

// What may happen to the keys of a service of three processes, in any order.
type Event =
  | { kind: 'send'; by: number; key: string; body: string }
  | { kind: 'finish' | 'release'; attempt: number }
  | { kind: 'crash'; by: number }
  // `pass`: time passes, and living processes renew their leases. `jump`: time jumps, and no lease
  // is renewed.
  | { kind: 'pass'; beats: number }
  | { kind: 'jump'; ms: number }

const by = fc.integer({ min: 0, max: 2 })
const key = fc.constantFrom('k', 'k', 'k', 'l')
const body = fc.constantFrom('a', 'a', 'a', 'b')
const histories: fc.Arbitrary<Event[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('send' as const), by, key, body }) },
    fc.record({ kind: fc.constantFrom('finish' as const, 'release' as const), attempt: fc.nat(9) }),
    fc.record({ kind: fc.constant('crash' as const), by }),
    fc.record({ kind: fc.constant('pass' as const), beats: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ kind: fc.constant('jump' as const), ms: fc.constantFrom(1, leaseMs - 1, leaseMs, ttlMs) }),
  ),
  { maxLength: 40 },
)

async function live(history: readonly Event[], world: Omit<World, 'leaseMs' | 'ttlMs'>): Promise<Model> {
  vi.clearAllTimers()
  const life = new Life({ ...world, leaseMs, ttlMs })
  for (const event of history) {
    if (event.kind === 'send') await life.send(event.by, event.key, event.body)
    else if (event.kind === 'crash') await life.crash(event.by)
    else if (event.kind === 'pass') await life.pass(event.beats)
    else if (event.kind === 'jump') life.jump(event.ms)
    else await life[event.kind](event.attempt)
  }
  await life.end()
  return life.model
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

describe('any history of requests, crashes and clock changes matches the model', () => {
  describe('with leases', async () => {
    const { kinds, close } = await openStores()
    afterAll(close)
    test.for(Object.entries(kinds))('in %s', async ([name, open], { skip }) => {
      if (!open) return skip('its server is not installed')
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          const time = clock()
          await live(history, { store: await open(time.now), transaction: false, processes: 3, time })
        }),
        { numRuns: name === 'memory' || name === 'sqlite' ? 500 : 100 },
      )
    })
  })

  describe('with transactions, and each effect happens once', async () => {
    const databases = await openDatabases()
    test.for(databases)('in %s', async ([name, { store, write, rows, clear, close }]) => {
      const processes = name === 'sqlite' ? 1 : 3
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          await clear()
          const { kept } = await live(history, { store, transaction: true, processes, time: clock(), write })
          expect((await rows()).sort()).toEqual(kept.map(String).sort())
        }),
        { numRuns: 100 },
      )
      await close()
    })
  })
})
