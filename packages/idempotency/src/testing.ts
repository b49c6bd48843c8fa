import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Claim } from './state.ts'
import type { IdempotencyStore } from './store.ts'

/** Opens an empty store that reads the time from the given clock. Each case opens one. */
export type OpenStore = (now: () => number) => IdempotencyStore | Promise<IdempotencyStore>

/** A case that every store must pass. */
export interface StoreCase {
  /** The behavior that is tested, as a sentence. */
  name: string
  /** Rejects with an AssertionError if the store fails. */
  run(): Promise<void>
}

const START = Date.UTC(2030, 0, 1)

/**
 * Returns the cases that every store must pass, for any test runner:
 * `for (const { name, run } of storeCases(open)) test(name, run)`.
 */
export function storeCases(open: OpenStore): StoreCase[] {
  return Object.entries(CASES).map(([name, prove]) => ({
    name,
    run: async () => {
      let time = START
      const store = await open(() => time)
      await prove(store, (ms) => {
        time += ms
      })
    },
  }))
}

const DAY = 86_400_000

function claim(owner: string, rest: Partial<Claim> = {}): Claim {
  return { fingerprint: 'f'.repeat(64), owner, leaseMs: 30_000, ttlMs: DAY, onLeaseExpired: 'retry', ...rest }
}

type Proof = (store: IdempotencyStore, advance: (ms: number) => void) => Promise<void>

const CASES: Record<string, Proof> = {
  'gives a new key to one of many concurrent attempts': async (store) => {
    const owners = Array.from({ length: 64 }, (_, index) => `owner-${index}`)
    const acquired = await Promise.all(owners.map(async (owner) => store.acquire('k', claim(owner))))
    equal(acquired.filter(({ outcome }) => outcome === 'new').length, 1)
    equal(acquired.filter(({ outcome }) => outcome === 'busy').length, 63)
  },
  'reports to a duplicate the time left of the lease': async (store, advance) => {
    deepEqual(await store.acquire('k', claim('a')), { outcome: 'new', attempt: 1, checkpoints: '' })
    advance(10_000)
    deepEqual(await store.acquire('k', claim('b')), { outcome: 'busy', leaseLeftMs: 20_000 })
  },
  'rejects another request with the key, in any state': async (store) => {
    const other = claim('b', { fingerprint: '0'.repeat(64) })
    await store.acquire('k', claim('a'))
    deepEqual(await store.acquire('k', other), { outcome: 'mismatch' })
    await store.complete('k', 'a', 'response', DAY)
    deepEqual(await store.acquire('k', other), { outcome: 'mismatch' })
  },
  'stores a response of any characters from 0 to 255': async (store) => {
    const response = String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code)).repeat(5)
    await store.acquire('k', claim('a'))
    equal(await store.complete('k', 'a', response, DAY), true)
    deepEqual(await store.acquire('k', claim('b')), { outcome: 'done', response })
    equal(await store.complete('k', 'a', 'second', DAY), false)
  },
  'stores a response of a megabyte': async (store) => {
    const response = 'ÿ'.repeat(1024 * 1024)
    await store.acquire('k', claim('a'))
    equal(await store.complete('k', 'a', response, DAY), true)
    deepEqual(await store.acquire('k', claim('b')), { outcome: 'done', response })
  },
  'takes over a key when its lease has expired, not earlier': async (store, advance) => {
    await store.acquire('k', claim('a'))
    advance(29_999)
    equal((await store.acquire('k', claim('b'))).outcome, 'busy')
    advance(1)
    deepEqual(await store.acquire('k', claim('c')), { outcome: 'new', attempt: 2, checkpoints: '' })
  },
  'rejects a late owner after the takeover': async (store, advance) => {
    await store.acquire('k', claim('a'))
    advance(30_000)
    await store.acquire('k', claim('b'))
    equal(await store.complete('k', 'a', 'old', DAY), false)
    equal(await store.renew('k', 'a', 30_000), false)
    equal(await store.checkpoint('k', 'a', 'old'), false)
    equal(await store.release('k', 'a'), false)
    equal(await store.complete('k', 'b', 'new', DAY), true)
    deepEqual(await store.acquire('k', claim('c')), { outcome: 'done', response: 'new' })
  },
  'lets a late owner complete its key if no attempt took over': async (store, advance) => {
    await store.acquire('k', claim('a'))
    advance(60_000)
    equal(await store.complete('k', 'a', 'late', DAY), true)
  },
  'rejects every attempt at an expired lease with onLeaseExpired reject': async (store, advance) => {
    await store.acquire('k', claim('a'))
    advance(30_000)
    deepEqual(await store.acquire('k', claim('b', { onLeaseExpired: 'reject' })), { outcome: 'orphan' })
    equal((await store.acquire('k', claim('c'))).outcome, 'new')
  },
  'extends a renewed lease': async (store, advance) => {
    await store.acquire('k', claim('a'))
    advance(20_000)
    equal(await store.renew('k', 'a', 30_000), true)
    advance(20_000)
    deepEqual(await store.acquire('k', claim('b')), { outcome: 'busy', leaseLeftMs: 10_000 })
  },
  'extends a renewed lease beyond the lifetime of the key': async (store, advance) => {
    await store.acquire('k', claim('a', { ttlMs: 40_000 }))
    advance(25_000)
    equal(await store.renew('k', 'a', 30_000), true)
    advance(20_000)
    equal((await store.acquire('k', claim('b'))).outcome, 'busy')
  },
  'deletes a released key': async (store) => {
    await store.acquire('k', claim('a'))
    equal(await store.release('k', 'a'), true)
    const other = claim('b', { fingerprint: '0'.repeat(64) })
    deepEqual(await store.acquire('k', other), { outcome: 'new', attempt: 1, checkpoints: '' })
  },
  'returns checkpoints to the attempt after a release': async (store) => {
    const steps = '[["charged\u0000\u00e9\u{1f4b6}","{}"]]'
    await store.acquire('k', claim('a'))
    equal(await store.checkpoint('k', 'a', 'first'), true)
    equal(await store.checkpoint('k', 'a', JSON.stringify(steps)), true)
    equal(await store.release('k', 'a'), true)
    deepEqual(await store.acquire('k', claim('x', { fingerprint: '0'.repeat(64) })), { outcome: 'mismatch' })
    const next = await store.acquire('k', claim('b', { onLeaseExpired: 'reject' }))
    deepEqual(next, { outcome: 'new', attempt: 2, checkpoints: JSON.stringify(steps) })
  },
  'returns checkpoints to the attempt that takes over': async (store, advance) => {
    await store.acquire('k', claim('a'))
    await store.checkpoint('k', 'a', 'steps')
    advance(30_000)
    deepEqual(await store.acquire('k', claim('b')), { outcome: 'new', attempt: 2, checkpoints: 'steps' })
  },
  'deletes a key at the end of its lifetime, counted from the response': async (store, advance) => {
    await store.acquire('k', claim('a', { ttlMs: 60_000 }))
    advance(10_000)
    await store.complete('k', 'a', 'response', 60_000)
    advance(59_999)
    equal((await store.acquire('k', claim('b'))).outcome, 'done')
    advance(1)
    const attempts = await Promise.all(['c', 'd', 'e'].map(async (owner) => store.acquire('k', claim(owner))))
    equal(attempts.filter(({ outcome }) => outcome === 'new').length, 1)
  },
  'inspects, lists and deletes keys': async (store, advance) => {
    equal(await store.inspect('k'), undefined)
    await store.acquire('k', claim('a'))
    await store.acquire('l', claim('b', { ttlMs: 60_000, fingerprint: '1'.repeat(64) }))
    await store.complete('l', 'b', 'response', 60_000)
    const shown = await store.inspect('l')
    deepEqual({ ...shown, expiresAt: 0 }, status('l', 'done', '1'))
    equal((await store.inspect('k'))?.state, 'locked')
    deepEqual((await store.list(10)).map(({ id }) => id).sort(), ['k', 'l'])
    equal((await store.list(1)).length, 1)
    equal(await store.delete('k'), true)
    equal(await store.delete('k'), false)
    deepEqual(await store.acquire('k', claim('c')), { outcome: 'new', attempt: 1, checkpoints: '' })
    advance(60_000)
    equal(await store.inspect('l'), undefined)
    ok((await store.list(10)).every(({ id }) => id === 'k'))
  },
  'separates keys that are names of JavaScript, such as __proto__': async (store) => {
    for (const id of ['__proto__', 'constructor', 'a*', '']) {
      equal((await store.acquire(id, claim('a'))).outcome, 'new')
      equal(await store.complete(id, 'a', id, DAY), true)
    }
    deepEqual(await store.acquire('__proto__', claim('b')), { outcome: 'done', response: '__proto__' })
  },
}

function status(id: string, state: string, digit: string) {
  return { id, state, fingerprint: digit.repeat(64), attempt: 1, leaseUntil: 0, expiresAt: 0 }
}
