import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoize } from './memoize.ts'

function counting() {
  const asked: (string | undefined)[] = []
  const memo = memoize((field) => {
    asked.push(field)
    return { field }
  })
  return { asked, memo }
}

test('computes once for the same header, and for an absent one', () => {
  const { asked, memo } = counting()
  for (const field of ['a', 'a', 'b', 'a', 'b', 'c', 'a', undefined, undefined, '', ''])
    expect(memo(field)).toEqual({ field })
  expect(asked).toEqual(['a', 'b', 'c', undefined, ''])
})

test('caches no header longer than 256 characters', () => {
  const { asked, memo } = counting()
  const long = 'x'.repeat(257)
  expect(memo(long)).toEqual(memo(long))
  expect(asked).toHaveLength(2)
})

test('caches longer texts on request, by their copies', () => {
  const computed: number[] = []
  const copied: string[] = []
  const copy = (text: string): string => {
    copied.push(text)
    return Buffer.from(text).toString()
  }
  const memo = memoize((text: string) => computed.push(text.length), 300, copy)
  const [long, longer] = ['x'.repeat(300), 'y'.repeat(301)]
  for (const text of [long, 'a', 'b', long, longer, longer]) memo(text)
  expect(computed).toEqual([300, 1, 1, 301, 301])
  expect(copied).toEqual([long, 'a', 'b'])
})

test('caches 200 alternating headers', () => {
  const { asked, memo } = counting()
  for (let round = 0; round < 5; round++) for (let at = 0; at < 200; at++) memo(`f${at}`)
  expect(asked).toHaveLength(200)
})

test('clears the cache at 256, and caches only a sample while no header repeats', () => {
  const { asked, memo } = counting()
  for (let at = 0; at < 3000; at++) memo(`f${at}`)
  expect(asked).toHaveLength(3000)
  memo('f0')
  expect(asked).toHaveLength(3001)
  // Hardly any of those before is cached.
  for (let at = 2900; at < 3000; at++) memo(`f${at}`)
  expect(asked.length).toBeGreaterThan(3090)
  // The sample is enough to see that fields come again.
  for (let round = 0; round < 40; round++) for (let at = 0; at < 100; at++) memo(`g${at}`)
  const before = asked.length
  for (let at = 0; at < 100; at++) memo(`g${at}`)
  expect(asked.length).toBe(before)
})

test('caches headers that look like properties of an object', () => {
  const { memo } = counting()
  for (const field of ['__proto__', 'constructor', 'toString']) expect(memo(field)).toEqual({ field })
})

test('caches undefined like any other result', () => {
  let count = 0
  const compute = memoize((): undefined => void count++)
  for (const header of ['a', 'a', 'b', 'c', 'a', undefined, undefined]) expect(compute(header)).toBeUndefined()
  expect(count).toBe(4)
})

test('returns what the function returns, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 })), (headers) => {
      const memo = memoize((header: string) => `<${header}>`)
      for (const header of headers) expect(memo(header)).toBe(`<${header}>`)
    }),
  )
})
