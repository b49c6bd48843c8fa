import { expect, test } from 'vitest'
import { compareCounts } from './ratchet.ts'

test.each([
  ['stores the first counts, sorted', undefined, { b: 2, a: 1 }, { a: 1, b: 2 }, []],
  ['stores lower counts', { a: 3, b: 1 }, { a: 2 }, { a: 2 }, []],
  [
    'rejects a higher count and keeps the stored one',
    { a: 3 },
    { a: 4 },
    { a: 3 },
    ['a: 4 times, at most 3 are allowed'],
  ],
  ['rejects a new entry', { a: 3 }, { a: 3, b: 1 }, { a: 3 }, ['b: 1 times, at most 0 are allowed']],
])('%s', (_title, before, counts, lowered, problems) => {
  const result = compareCounts(before as Record<string, number> | undefined, counts as Record<string, number>)
  expect(result).toEqual({ lowered, problems })
  expect(JSON.stringify(result.lowered)).toBe(JSON.stringify(lowered))
})
