import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countBands } from './departments.ts'

test.each([
  [[], []],
  [[5], [[5, 6, 1]]],
  [
    [1000, 1000, 1001],
    [
      [1000, 1001, 2],
      [1001, 1002, 1],
    ],
  ],
  [
    [2835, 4301, 9132],
    [2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000].map((from) => [
      from,
      from + 1000,
      [2000, 4000, 9000].includes(from) ? 1 : 0,
    ]),
  ],
])('bands of %j', (amounts, expected) => {
  expect(countBands(amounts).map(({ from, to, employees }) => [from, to, employees])).toEqual(expected)
})

test('every amount is in one band, and there are few bands', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1_000_000_000 }), { minLength: 1 }), (cents) => {
      const amounts = cents.map((value) => value / 100).sort((a, b) => a - b)
      const bands = countBands(amounts)
      expect(bands.length).toBeLessThanOrEqual(10)
      expect(bands.reduce((sum, { employees }) => sum + employees, 0)).toBe(amounts.length)
      for (const [at, { from, to }] of bands.entries())
        expect(bands[at + 1]?.from ?? to).toBe(to > from ? to : Number.NaN)
    }),
  )
})
