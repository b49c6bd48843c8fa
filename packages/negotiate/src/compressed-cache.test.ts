import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compressedCache } from './compressed-cache.ts'

const form = (size: number): Buffer => Buffer.alloc(size)

test('returns stored bodies by content and encoding', () => {
  const cache = compressedCache()
  const coded = form(3)
  cache.set('a', 'gzip', coded)
  expect(cache.get('a', 'gzip')).toBe(coded)
  expect([cache.get('a', 'br'), cache.get('b', 'gzip'), cache.get('__proto__', 'br')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('evicts the least recently used body', () => {
  const cache = compressedCache()
  for (let at = 0; at < 256; at++) cache.set(`c${at}`, 'br', form(1))
  cache.get('c0', 'br')
  cache.set('new', 'br', form(1))
  expect([cache.get('c0', 'br'), cache.get('c1', 'br'), cache.get('new', 'br')]).toEqual([form(1), undefined, form(1)])
})

test('stores at most 16 MiB, and no large body', () => {
  const cache = compressedCache()
  for (let at = 0; at < 40; at++) cache.set(`c${at}`, 'br', form(512 * 1024))
  const kept = Array.from({ length: 40 }, (_, at) => cache.get(`c${at}`, 'br')).filter((coded) => coded !== undefined)
  expect(kept).toHaveLength(32)
  cache.set('large', 'br', form(512 * 1024 + 1))
  expect(cache.get('large', 'br')).toBeUndefined()
})

test('stays within its limits after any operations', () => {
  const step = fc.record({
    name: fc.integer({ min: 0, max: 600 }),
    size: fc.integer({ min: 0, max: 600_000 }),
    isRead: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const cache = compressedCache()
      const shared = form(600_000)
      for (const { name, size, isRead } of steps) {
        if (isRead) cache.get(String(name), 'br')
        else cache.set(String(name), 'br', shared.subarray(0, size))
      }
      const kept = Array.from({ length: 601 }, (_, name) => cache.get(String(name), 'br')).filter(
        (coded) => coded !== undefined,
      )
      expect(kept.length).toBeLessThanOrEqual(256)
      expect(kept.reduce((sum, coded) => sum + coded.length, 0)).toBeLessThanOrEqual(16 * 1024 * 1024)
    }),
    { numRuns: 30 },
  )
})
