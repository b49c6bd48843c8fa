import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatTimestamp } from './timestamp.ts'

test('returns the result of Date#toISOString, in any order of times (RFC 3339 §5.6)', () => {
  const time = fc.date({ noInvalidDate: true }).map((date) => date.getTime())
  const near = fc.nat(5000).map((ms) => Date.UTC(2026, 10, 21) + ms)
  fc.assert(
    fc.property(fc.array(fc.oneof(time, near)), (times) => {
      const again = times.flatMap((ms) => [ms, ms])
      expect(again.map(formatTimestamp)).toEqual(again.map((ms) => new Date(ms).toISOString()))
    }),
  )
})

test('throws for an invalid time, and formats the next one', () => {
  expect(() => formatTimestamp(Number.NaN)).toThrow(RangeError)
  expect(() => formatTimestamp(9e15)).toThrow(RangeError)
  expect(formatTimestamp(1.5)).toBe('1970-01-01T00:00:00.001Z')
})
