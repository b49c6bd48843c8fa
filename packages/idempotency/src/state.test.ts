import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { acquire, type Claim, checkpoint, complete, type KeyEntry, release, renew, type Step } from './state.ts'
import { openStores } from './testing/stores.ts'

const { kinds, close } = await openStores()
let serial = 0

afterAll(close)

// What may happen to a key: attempts of several owners and with several requests, in any order, and
// time.
type Event =
  | { kind: 'acquire'; owner: number; fingerprint: 'f' | 'g'; onLeaseExpired: 'retry' | 'reject' }
  | { kind: 'complete' | 'release' | 'renew' | 'checkpoint'; owner: number }
  | { kind: 'time'; ms: number }

const LEASE_MS = 100
const TTL_MS = 1000
const owner = fc.integer({ min: 0, max: 3 })
const events: fc.Arbitrary<Event[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('acquire' as const),
      owner,
      fingerprint: fc.constantFrom('f' as const, 'f' as const, 'g' as const),
      onLeaseExpired: fc.constantFrom('retry' as const, 'retry' as const, 'reject' as const),
    }),
    fc.record({ kind: fc.constantFrom('complete', 'release', 'renew', 'checkpoint'), owner }),
    fc.record({ kind: fc.constant('time' as const), ms: fc.constantFrom(1, 60, 99, 100, 500, 1000) }),
  ),
  { maxLength: 40 },
)

/** Each attempt has a name of its own: the latest of an owner is the one that acts. */
function names(): { next(owner: number): string; current(owner: number): string } {
  const counts = [0, 0, 0, 0]
  const current = (owner: number): string => `${owner}-${counts[owner]}`
  const next = (owner: number): string => {
    counts[owner] = (counts[owner] ?? 0) + 1
    return current(owner)
  }
  return { next, current }
}

function toClaim(event: Extract<Event, { kind: 'acquire' }>, owner: string): Claim {
  return {
    fingerprint: event.fingerprint,
    owner,
    leaseMs: LEASE_MS,
    ttlMs: TTL_MS,
    onLeaseExpired: event.onLeaseExpired,
  }
}

describe('the state machine', () => {
  test('never grants two unexpired leases, and never changes a stored response', () => {
    fc.assert(
      fc.property(events, (history) => {
        let entry: KeyEntry | undefined
        let now = 1_000_000
        let response: string | undefined
        let leaseUntil = 0
        const take = <T>([next, result]: Step<T>): T => {
          entry = next
          return result
        }
        const attempts = names()
        for (const event of history) {
          if (event.kind === 'time') now += event.ms
          if (entry && entry.expiresAt <= now) response = undefined
          if (event.kind === 'acquire') {
            const result = take(acquire(entry, toClaim(event, attempts.next(event.owner)), now))
            if (result.outcome === 'new') {
              expect(leaseUntil).toBeLessThanOrEqual(now)
              expect(response).toBeUndefined()
              leaseUntil = now + LEASE_MS
            }
            if (result.outcome === 'done') expect(result.response).toBe(response)
          }
          const name = 'owner' in event ? attempts.current(event.owner) : ''
          if (event.kind === 'renew' && take(renew(entry, name, LEASE_MS, now))) leaseUntil = now + LEASE_MS
          if (event.kind === 'checkpoint') take(checkpoint(entry, name, 'steps'))
          if (event.kind === 'release' && take(release(entry, name))) leaseUntil = 0
          if (event.kind === 'complete' && take(complete(entry, name, name, TTL_MS, now))) {
            expect(response).toBeUndefined()
            response = name
            leaseUntil = 0
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  test.for(Object.entries(kinds))('equals %s, step by step', async ([, create], { skip }) => {
    if (!create) return skip('its server is not installed')
    if (!create) return
    await fc.assert(
      fc.asyncProperty(events, async (history) => {
        let entry: KeyEntry | undefined
        let now = Date.now()
        const store = await create(() => now)
        const id = `key-${serial++}`
        const attempts = names()
        const same = async <T>([next, result]: Step<T>, stored: unknown): Promise<void> => {
          entry = next
          expect(await stored).toEqual(result)
        }
        for (const event of history) {
          const name = 'owner' in event ? attempts.current(event.owner) : ''
          if (event.kind === 'time') now += event.ms
          else if (event.kind === 'acquire') {
            const claim = toClaim(event, attempts.next(event.owner))
            await same(acquire(entry, claim, now), store.acquire(id, claim))
          } else if (event.kind === 'renew')
            await same(renew(entry, name, LEASE_MS, now), store.renew(id, name, LEASE_MS))
          else if (event.kind === 'checkpoint')
            await same(checkpoint(entry, name, 's'), store.checkpoint(id, name, 's'))
          else if (event.kind === 'release') await same(release(entry, name), store.release(id, name))
          else await same(complete(entry, name, name, TTL_MS, now), store.complete(id, name, name, TTL_MS))
        }
      }),
      { numRuns: 100 },
    )
  })
})
