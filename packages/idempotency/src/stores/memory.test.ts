import { type Claim, memoryStore } from '@svc/idempotency'
import { describe, expect, test } from 'vitest'
import { clock } from '../../../internal/testing/clock.ts'

const claim = (owner: string, ttlMs = 60_000): Claim => ({
  fingerprint: 'f',
  owner,
  leaseMs: 30_000,
  ttlMs,
  onLeaseExpired: 'retry',
})

function answered(store: ReturnType<typeof memoryStore>, id: string, response = 'x', ttlMs = 60_000): void {
  store.acquire(id, claim(id, ttlMs))
  store.complete(id, id, response, ttlMs)
}

describe('memory', () => {
  test('deletes expired keys without a timer, a few at a time', () => {
    const time = clock()
    const store = memoryStore({ now: time.now })
    for (let id = 0; id < 1000; id++) answered(store, `old-${id}`)
    expect(store.size).toBe(1000)
    time.advance(70_000)
    let before = store.size
    for (let id = 0; id < 100; id++) {
      answered(store, `new-${id}`)
      expect(before - store.size).toBeLessThanOrEqual(16)
      before = store.size
    }
    expect(store.size).toBe(100)
  })

  test('leaves no more of keys that were released or deleted than of others', () => {
    const time = clock()
    const store = memoryStore({ now: time.now })
    for (let id = 0; id < 50_000; id++) {
      store.acquire(`released-${id}`, claim('a'))
      store.release(`released-${id}`, 'a')
      answered(store, `deleted-${id}`)
      store.delete(`deleted-${id}`)
    }
    answered(store, 'old')
    time.advance(70_000)
    // A call deletes up to 16 keys, and what is left of others comes first.
    for (let calls = 0; calls < 1100 / 16; calls++) answered(store, 'new')
    expect(store.list(9).map(({ id }) => id)).toEqual(['new'])
    expect(store.size).toBe(1)
  })

  test('deletes keys of every lifetime', () => {
    const time = clock()
    const store = memoryStore({ now: time.now })
    for (let id = 0; id < 200; id++) answered(store, `k-${id}`, 'x', (id % 10) * 100_000 + 1000)
    for (let step = 0; step < 100; step++) {
      time.advance(10_010)
      answered(store, 'probe', 'x', 1)
    }
    expect(store.size).toBeLessThanOrEqual(1)
  })

  test('evicts the responses that would expire first, never keys in progress', () => {
    const time = clock()
    const store = memoryStore({ maxKeys: 3, now: time.now })
    store.acquire('working', claim('w'))
    answered(store, 'long', 'x', 3_600_000)
    answered(store, 'short', 'x', 60_000)
    answered(store, 'next', 'x', 3_600_000)
    expect(
      store
        .list(9)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['long', 'next', 'working'])
    expect(store.acquire('working', claim('other')).outcome).toBe('busy')
  })

  test('throws if every key is in progress', () => {
    const store = memoryStore({ maxKeys: 2 })
    store.acquire('a', claim('a'))
    store.acquire('b', claim('b'))
    expect(() => store.acquire('c', claim('c'))).toThrow('all 2 keys are in use')
    store.release('a', 'a')
    expect(store.acquire('c', claim('c')).outcome).toBe('new')
  })

  test('stores responses up to maxBytes', () => {
    const store = memoryStore({ maxBytes: 1000 })
    for (let id = 0; id < 100; id++) answered(store, `k-${id}`, 'x'.repeat(100))
    expect(store.size).toBe(10)
    answered(store, 'huge', 'x'.repeat(2000))
    expect(store.size).toBe(0)
  })

  test.each([
    [{ maxKeys: 0 }, 'idempotency: memoryStore: maxKeys must be an integer of 1 or more, got 0'],
    [{ maxbytes: 1 }, 'idempotency: memoryStore: unknown option "maxbytes", did you mean "maxBytes"?'],
  ])('rejects the options %j', (options, message) => {
    expect(() => memoryStore(options as never)).toThrow(new TypeError(message))
  })
})
