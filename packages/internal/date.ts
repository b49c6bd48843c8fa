import { createArgumentError } from './options.ts'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const LONG_DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const RFC850 = /^([A-Z][a-z]{5,8}), (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/
const ASCTIME = /^([A-Z][a-z]{2}) ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/

/** The last time that a `Date` can have. */
export const MAX_MS = 8.64e15

/**
 * Formats an HTTP-date (IMF-fixdate, RFC 9110 §5.6.7) from a `Date` or milliseconds since 1970.
 * Throws a `TypeError` if the time is invalid.
 */
export function formatHttpDate(time: Date | number): string {
  const ms = Number(time ?? Number.NaN)
  if (Math.abs(ms) <= MAX_MS) return new Date(ms).toUTCString()
  throw new TypeError(`negotiate: formatHttpDate: time must be a Date or milliseconds, got ${time}`)
}

/**
 * Parses an HTTP-date in any of its three forms, all in UTC (RFC 9110 §5.6.7). Returns
 * milliseconds, or `undefined` for anything else: ISO 8601, other time zones, days that do not
 * exist.
 */
export function parseHttpDate(text: string, now = Date.now()): number | undefined {
  if (typeof text !== 'string') throw createArgumentError('negotiate: parseHttpDate', 'text', 'a string', text)
  if (text.length === 29) return fixdate(text)
  let match = RFC850.exec(text)
  if (match) {
    const [, name, day, month, year, h, m, s] = match
    return LONG_DAYS.includes(name ?? '') ? utc(fullYear(Number(year), now), month, day, h, m, s) : undefined
  }
  match = ASCTIME.exec(text)
  if (!match) return undefined
  const [, name, month, day, h, m, s, year] = match
  return DAYS.includes(name ?? '') ? utc(Number(year), month, day, h, m, s) : undefined
}

/**
 * Parses `Sun, 06 Nov 1994 08:49:37 GMT` by fixed positions: the form that nearly all clients send.
 */
function fixdate(text: string): number | undefined {
  const isFramed = text.startsWith(', ', 3) && text.endsWith(' GMT') && text[19] === ':' && text[22] === ':'
  if (!isFramed || text[7] !== ' ' || text[11] !== ' ' || text[16] !== ' ') return undefined
  if (!DAYS.includes(text.slice(0, 3))) return undefined
  const year = twoDigits(text, 12) * 100 + twoDigits(text, 14)
  const [day, h, m, s] = [twoDigits(text, 5), twoDigits(text, 17), twoDigits(text, 20), twoDigits(text, 23)]
  return utc(year, text.slice(8, 11), day, h, m, s)
}

function twoDigits(text: string, offset: number): number {
  const tens = text.charCodeAt(offset) - 48
  const ones = text.charCodeAt(offset + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/**
 * A two-digit year that appears to be more than 50 years ahead is in the past (RFC 9110 §5.6.7).
 */
function fullYear(short: number, now: number): number {
  const current = new Date(now).getUTCFullYear()
  const year = current - (current % 100) + short
  return year > current + 50 ? year - 100 : year
}

type Digits = string | number | undefined

const LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function utc(
  year: number,
  monthName: string | undefined,
  day: Digits,
  h: Digits,
  m: Digits,
  s: Digits,
): number | undefined {
  const month = MONTHS.indexOf(monthName ?? '')
  const date = Number(day)
  if (!(date >= 1 && date <= (LENGTHS[month] ?? 0)) || (date === 29 && month === 1 && !isLeap(year))) return undefined
  if (!(Number(h) <= 23 && Number(m) <= 59 && Number(s) <= 60 && year >= 0)) return undefined
  const seconds = Math.min(Number(s), 59) // a leap second is read as the second before it
  const time = Date.UTC(year, month, date, Number(h), Number(m), seconds)
  return year > 99 ? time : new Date(time).setUTCFullYear(year) // Date.UTC reads 0 to 99 as 1900 to 1999
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}
