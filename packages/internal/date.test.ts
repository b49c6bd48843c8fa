import { expect, test } from 'vitest'
import { formatHttpDate, parseHttpDate } from './date.ts'

const NOW = Date.UTC(2026, 10, 21)

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', 784111777],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 784111777],
  ['Sun Nov  6 08:49:37 1994', 784111777],
  ['Friday, 20-Nov-26 10:00:00 GMT', Date.UTC(2026, 10, 20, 10) / 1000],
  ['Sunday, 06-Nov-77 08:49:37 GMT', Date.UTC(1977, 10, 6, 8, 49, 37) / 1000],
  ['Sun, 06 Nov 1994 08:49:37 UTC', undefined],
  ['Sun, 06 Nov 1994 08:49:37 +0000', undefined],
  ['Sun, 6 Nov 1994 08:49:37 GMT', undefined],
  ['1994-11-06T08:49:37Z', undefined],
  ['Tue, 29 Feb 2000 00:00:00 GMT', 951782400],
  ['Thu, 29 Feb 1900 00:00:00 GMT', undefined],
  ['Sat, 01 Jan 0050 00:00:00 GMT', -60589296000],
  ['Sun, 00 Nov 1994 08:49:37 GMT', undefined],
  ['Sun, 06 Foo 1994 08:49:37 GMT', undefined],
  ['Sun, 31 Feb 1994 08:49:37 GMT', undefined],
  ['Sun, 06 Nov 1994 24:00:00 GMT', undefined],
  ['784111777', undefined],
  ['Sun, 06 Nov 19x4 08:49:37 GMT', undefined],
  ['Sun, 06 Nov 1994 0a:49:37 GMT', undefined],
  ['Sun, -6 Nov 1994 08:49:37 GMT', undefined],
  ['Sun; 06 Nov 1994 08:49:37 GMT', undefined],
  ['Sunday, 06-Nov-94 08:49:37 UTC', undefined],
  ['', undefined],
  ['Sat, 31 Dec 2016 23:59:60 GMT', 1483228799],
])('parses the HTTP-date %j to %j (RFC 9110 §5.6.7)', (text, seconds) => {
  expect(parseHttpDate(text, NOW)).toBe(seconds === undefined ? undefined : seconds * 1000)
})

test('formats IMF-fixdate, and rejects invalid times', () => {
  expect(formatHttpDate(784111777000)).toBe('Sun, 06 Nov 1994 08:49:37 GMT')
  for (const time of [Number.NaN, 1.7e18, null]) expect(() => formatHttpDate(time as number)).toThrow(TypeError)
})
