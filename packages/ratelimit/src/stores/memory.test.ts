import { memoryStore, rateLimit } from '@svc/ratelimit'
import { array, assert, constantFrom, integer, property, tuple } from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { clock } from '../../../internal/testing/clock.ts'
import { FlatTable } from './flat-table.ts'
import { KeyHash } from './key-hash.ts'
import { MapTable } from './map-table.ts'
import type { Expiry, Table } from './table.ts'

const forget: Expiry = {
  isExpired: ([end = 0], now) => end <= now,
  remaining: ([end = 0], now) => -Math.max(0, end - now),
}

describe.each<[string, () => Table]>([
  ['FlatTable of one number', () => new FlatTable(1, new KeyHash(1, 2), forget)],
  ['FlatTable of three numbers', () => new FlatTable(3, new KeyHash(3, 4), forget)],
  ['MapTable', () => new MapTable(forget)],
])('%s', (_name, make) => {
  test('equals a Map after any sequence of writes, deletions and sweeps', () => {
    const step = tuple(constantFrom('write', 'delete', 'read', 'sweep'), integer({ min: 0, max: 400 }))
    assert(
      property(array(step, { minLength: 50, maxLength: 500, size: 'max' }), (steps) => {
        const table = make()
        const map = new Map<string, number>()
        let now = 0
        for (const [action, number] of steps) {
          const key = `10.0.0.${number}`
          now++
          if (action === 'write') {
            table.write(key, [now + number], now)
            map.set(key, now + number)
          } else if (action === 'delete') {
            table.delete(key)
            map.delete(key)
          } else if (action === 'sweep') table.sweep(now)
          else if ((map.get(key) ?? 0) > now) expect(table.read(key)?.[0]).toBe(map.get(key))
        }
        for (const [key, end] of map) if (end > now) expect(table.read(key)?.[0]).toBe(end)
        expect(table.size).toBeLessThanOrEqual(map.size)
      }),
      { numRuns: 40 },
    )
  })

  test('separates 50,000 keys while it grows', () => {
    const table = make()
    for (let key = 0; key < 50_000; key++) table.write(`k${key}`, [1e6 + key], 0)
    expect(table.size).toBe(50_000)
    for (let key = 0; key < 50_000; key += 7) expect(table.read(`k${key}`)?.[0]).toBe(1e6 + key)
    expect(table.read('k50000')).toBeUndefined()
  })

  test('keeps what has not expired while it grows, is swept and shrinks', () => {
    const table = make()
    const ends = new Map<string, number>()
    for (let now = 0; now < 90_000; now++) {
      const key = `k${(now * 7919) % 40_009}`
      // Of 20,000 live keys few are left in the last third.
      const end = now + (now < 60_000 ? 20_000 : 500)
      table.write(key, [end], now)
      ends.set(key, end)
      if (now % 20 === 0) table.sweep(now)
    }
    const live = [...ends].filter(([, end]) => end > 90_000)
    expect(live).toHaveLength(499)
    for (const [key, end] of live) expect(table.read(key)?.[0]).toBe(end)
    for (let part = table.parts * 2; part > 0; part--) table.sweep(90_000)
    expect(table.size).toBe(live.length)
  })

  test('is empty after all states expired and all parts were swept', () => {
    const table = make()
    for (let key = 0; key < 20_000; key++) table.write(`k${key}`, [100], 0)
    for (let part = table.parts * 3; part > 0; part--) table.sweep(100)
    expect(table.size).toBe(0)
  })
})

test('FlatTable checks a quarter of a segment in one sweep', () => {
  const isExpired = vi.fn(() => false)
  const table = new FlatTable(1, new KeyHash(5, 6), { isExpired, remaining: () => 0 })
  for (let key = 0; key < 2000; key++) table.write(`k${key}`, [1], 0)
  const checks = Array.from({ length: table.parts }, () => {
    isExpired.mockClear()
    table.sweep(0)
    return isExpired.mock.calls.length
  })
  expect(checks).toHaveLength(4)
  expect(checks.reduce((sum, count) => sum + count)).toBe(2000)
  for (const count of checks) expect(count).toBeLessThanOrEqual(1024)
})

test('hashes similar keys without patterns in the bits', () => {
  const hash = new KeyHash(123, 456)
  const count = new Uint32Array(256)
  const seen = new Set<string>()
  for (let key = 0; key < 65_536; key++) {
    hash.update(`10.0.${key >> 8}.${key & 255}`)
    seen.add(`${hash.high}:${hash.low}`)
    count[hash.high & 127] = (count[hash.high & 127] ?? 0) + 1
    count[128 + (hash.low >>> 25)] = (count[128 + (hash.low >>> 25)] ?? 0) + 1
  }
  expect(seen.size).toBe(65_536)
  // 512 in each on average, deviation 22.5.
  for (const keys of count) expect(Math.abs(keys - 512)).toBeLessThan(6 * 22.5)
})

describe('memoryStore', () => {
  test.each(['gcra', 'fixed-window', 'token-bucket', 'sliding-counter', 'sliding-log'] as const)(
    'never exceeds maxKeys, and a flood of new keys evicts no client at its limit: %s',
    async (algorithm) => {
      const time = clock()
      const store = memoryStore({ maxKeys: 1000, now: time.now })
      const limiter = rateLimit({ rate: '5/1h', algorithm, store })
      for (let hit = 0; hit < 5; hit++) await limiter.consume('attacker')
      for (let key = 0; key < 20_000; key++) {
        await limiter.consume(`flood${key}`)
        if (key % 1000 === 0) expect((await limiter.consume('attacker')).allowed).toBe(false)
      }
      expect(store.size).toBeLessThanOrEqual(1000)
      expect((await limiter.consume('attacker')).allowed).toBe(false)
    },
  )

  test('deletes expired states when requests arrive, without a timer', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const time = clock()
    const store = memoryStore({ now: time.now })
    const limiter = rateLimit({ rate: '5/10s', store })
    for (let key = 0; key < 30_000; key++) await limiter.consume(`k${key}`)
    expect(store.size).toBe(30_000)
    for (let minute = 0; minute < 200; minute++) {
      time.advance(6000)
      await limiter.consume('still here')
    }
    expect(store.size).toBeLessThan(10)
    expect(timers()).toBe(before)
  })

  test('obeys fake timers that were installed after its creation', async () => {
    const limiter = rateLimit({ rate: '1/1m', store: memoryStore() })
    vi.useFakeTimers()
    try {
      expect((await limiter.consume('a')).allowed).toBe(true)
      vi.advanceTimersByTime(59_000)
      expect((await limiter.consume('a')).allowed).toBe(false)
      vi.advanceTimersByTime(1000)
      expect((await limiter.consume('a')).allowed).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })

  test.each([0, -1, 1.5, '5'])('rejects maxKeys %j', (maxKeys) => {
    expect(() => memoryStore({ maxKeys: maxKeys as number })).toThrow(
      'ratelimit: maxKeys must be an integer of 1 or more',
    )
  })
})
