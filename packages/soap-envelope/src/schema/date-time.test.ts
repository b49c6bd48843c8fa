import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDate, isDateTime, isTime, parseDate, parseDateTime, parseTime } from './date-time.ts'

test.each([
  ['1970-01-01T00:00:00Z', 0],
  ['2000-02-29T12:00:00.5Z', Date.UTC(2000, 1, 29, 12, 0, 0, 500)],
  ['2026-11-21T08:30:00+01:00', Date.UTC(2026, 10, 21, 7, 30)],
  ['2026-11-21T24:00:00Z', Date.UTC(2026, 10, 22)],
  ['2026-11-21T07:30:00.123999Z', Date.UTC(2026, 10, 21, 7, 30, 0, 123)],
  ['-0001-12-31T24:00:00Z', new Date(0).setUTCFullYear(1, 0, 1)],
  ['275761-01-01T00:00:00Z', 8640009504000000],
  ['1900-02-29T00:00:00Z', undefined],
  ['2026-04-31T00:00:00Z', undefined],
  ['0000-01-01T00:00:00Z', undefined],
  ['-123-01-01T00:00:00Z', undefined],
])('%s is %j (XSD part 2, 3.2.7)', (text, ms) => {
  expect(parseDateTime(text)?.ms).toBe(ms)
  expect(isDateTime(text)).toBe(ms !== undefined)
})

test('agrees with Date on every instant that a Date can hold', () => {
  const years = { min: new Date(-62135596800000), max: new Date(253402300799999), noInvalidDate: true }
  fc.assert(
    fc.property(fc.date(years), (date) => {
      const text = date.toISOString()
      expect(parseDateTime(text)).toEqual({ ms: date.getTime(), finer: '', zoned: true })
      expect(parseDate(text.slice(0, 10))).toEqual({ ms: date.setUTCHours(0, 0, 0, 0), finer: '', zoned: false })
    }),
  )
})

test('a time is an instant of the first day', () => {
  expect(parseTime('01:00:00+01:00')).toEqual({ ms: 0, finer: '', zoned: true })
  expect(parseTime('24:00:00')).toEqual({ ms: 0, finer: '', zoned: false })
})

test.each([
  ['2026-01-01T00:00:00.123456Z', '456'],
  ['2026-01-01T00:00:00.1230Z', ''],
  ['2026-01-01T00:00:00.12Z', ''],
])('%s has the digits %j after its milliseconds', (text, finer) => {
  expect(parseDateTime(text)?.finer).toBe(finer)
})

test('what is said to be one can be read, and nothing else', () => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^-?[0-9]{${length}}$`))
  const two = fc.integer({ min: 0, max: 32 }).map((number) => String(number).padStart(2, '0'))
  const date = fc.tuple(fc.oneof(digits(4), digits(5), fc.constant('0000')), two, two).map((parts) => parts.join('-'))
  const time = fc.tuple(two, two, two).map((parts) => parts.join(':'))
  const fraction = fc.constantFrom('', '.5', '.', '.12345678901234567890', '.123456789012345678901')
  const zone = fc.constantFrom('', 'Z', '+14:00', '+14:01', '-13:59', '-13:60', '+1:00', 'z', '+01:00Z')
  const slip = fc.record({ index: fc.nat(30), char: fc.constantFrom('', ' ', ':', '-', '0', '9', '٣', 'T', '.') })
  const damage = (text: string, { index, char }: { index: number; char: string }): string =>
    text.slice(0, index) + char + text.slice(index + 1)
  const none = { index: 40, char: '' }
  fc.assert(
    fc.property(date, time, fraction, zone, fc.option(slip, { nil: none }), (day, hour, digits, offset, wrong) => {
      const dateTime = damage(`${day}T${hour}${digits}${offset}`, wrong)
      expect(isDateTime(dateTime)).toBe(parseDateTime(dateTime) !== undefined)
      expect(isDate(damage(day + offset, wrong))).toBe(parseDate(damage(day + offset, wrong)) !== undefined)
      const moment = damage(hour + digits + offset, wrong)
      expect(isTime(moment)).toBe(parseTime(moment) !== undefined)
    }),
    { numRuns: 5000 },
  )
})
