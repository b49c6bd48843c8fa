const ZONE = '(Z|[+-](?:(?:0\\d|1[0-3]):[0-5]\\d|14:00))?'
const YEAR = '(-?(?:[1-9]\\d{4,8}|\\d{4}))'
const DAY = '(0[1-9]|[12]\\d|3[01])'
const MONTH = '(0[1-9]|1[0-2])'
const TIME = '(?:([01]\\d|2[0-3]):([0-5]\\d):([0-5]\\d)(?:\\.(\\d{1,20}))?|24:00:00(?:\\.0{1,20})?)'

const DATE_TIME = new RegExp(`^${YEAR}-${MONTH}-${DAY}T${TIME}${ZONE}$`)
const DATE = new RegExp(`^${YEAR}-${MONTH}-${DAY}${ZONE}$`)
const TIME_ALONE = new RegExp(`^${TIME}${ZONE}$`)

/** A point in time of XSD. */
export interface Instant {
  /**
   * Milliseconds since 1970 in UTC; a time without a zone is read as UTC. May be outside the range
   * of `Date`.
   */
  ms: number
  /** The digits of the fraction of a second after the milliseconds, without zeros at the end. */
  finer: string
  /** Whether the time has a zone. */
  zoned: boolean
}

/**
 * Parses an `xs:dateTime`: `24:00:00` is the next midnight, years may have more than four digits or
 * be negative, and the zone is optional (XSD part 2 §3.2.7). Returns `undefined` for anything else,
 * and for days that do not exist.
 */
export function parseDateTime(text: string): Instant | undefined {
  const match = DATE_TIME.exec(text)
  if (!match) return undefined
  const [, year = '', month, day, hour, minute, second, fraction = '', zone] = match
  const midnight = computeMidnight(year, Number(month), Number(day))
  if (midnight === undefined) return undefined
  const time = hour === undefined ? 86_400_000 : computeTime(hour, minute, second, fraction)
  return { ms: midnight + time - parseOffset(zone), finer: finerDigits(fraction), zoned: zone !== undefined }
}

/** Reads an xs:date as the midnight at its start. */
export function parseDate(text: string): Instant | undefined {
  const match = DATE.exec(text)
  if (!match) return undefined
  const [, year = '', month, day, zone] = match
  const midnight = computeMidnight(year, Number(month), Number(day))
  if (midnight === undefined) return undefined
  return { ms: midnight - parseOffset(zone), finer: '', zoned: zone !== undefined }
}

/** Reads an xs:time as an instant of the first day. */
export function parseTime(text: string): Instant | undefined {
  const match = TIME_ALONE.exec(text)
  if (!match) return undefined
  const [, hour, minute, second, fraction = '', zone] = match
  const time = hour === undefined ? 0 : computeTime(hour, minute, second, fraction)
  return { ms: time - parseOffset(zone), finer: finerDigits(fraction), zoned: zone !== undefined }
}

const MAX_OFFSET_MS = 14 * 3_600_000

/**
 * Orders two instants: negative, zero or positive. One with a zone and one without have no order if
 * the zone could change it: the result is NaN (XSD part 2, 3.2.7.4).
 */
export function compareInstants(a: Instant, b: Instant): number {
  const difference = a.ms - b.ms
  if (a.zoned !== b.zoned) return Math.abs(difference) > MAX_OFFSET_MS ? difference : Number.NaN
  if (difference !== 0 || a.finer === b.finer) return difference
  return a.finer < b.finer ? -1 : 1
}

/**
 * Whether a text is an xs:dateTime: as {@link parseDateTime} knows it, in a tenth of the time if
 * its year has four digits.
 */
export function isDateTime(text: string): boolean {
  const isUsual = startsWithDate(text) && text.charCodeAt(10) === 0x54 && isZone(text, skipTime(text, 11))
  return isUsual || parseDateTime(text) !== undefined
}

/** Whether a text is an xs:date. */
export function isDate(text: string): boolean {
  return (startsWithDate(text) && isZone(text, 10)) || parseDate(text) !== undefined
}

/** Whether a text is an xs:time. */
export function isTime(text: string): boolean {
  return isZone(text, skipTime(text, 0)) || TIME_ALONE.test(text)
}

/** Whether a text starts with a date whose year has four digits. */
function startsWithDate(text: string): boolean {
  const year = readTwoDigits(text, 0) * 100 + readTwoDigits(text, 2)
  const month = readTwoDigits(text, 5)
  const day = readTwoDigits(text, 8)
  const isWritten = text.charCodeAt(4) === 0x2d && text.charCodeAt(7) === 0x2d
  return isWritten && year > 0 && month > 0 && month <= 12 && day > 0 && day <= daysIn(month, year)
}

/** Returns where a time ends that starts at an index; `NaN` if there is none. */
function skipTime(text: string, start: number): number {
  const hour = readTwoDigits(text, start)
  const minute = readTwoDigits(text, start + 3)
  const second = readTwoDigits(text, start + 6)
  const isWritten = text.charCodeAt(start + 2) === 0x3a && text.charCodeAt(start + 5) === 0x3a
  if (!isWritten || !(hour <= 23 && minute <= 59 && second <= 59)) return Number.NaN
  let end = start + 8
  if (text.charCodeAt(end) !== 0x2e) return end
  do end++
  while (isDigit(text.charCodeAt(end)))
  const digits = end - start - 9
  return digits > 0 && digits <= 20 ? end : Number.NaN
}

/** Whether a time zone, or none, fills the rest of a text. */
function isZone(text: string, start: number): boolean {
  const length = text.length - start
  const first = text.charCodeAt(start)
  if (length < 2) return length === 0 || (length === 1 && first === 0x5a)
  const hour = readTwoDigits(text, start + 1)
  const minute = readTwoDigits(text, start + 4)
  const isWritten = length === 6 && (first === 0x2b || first === 0x2d) && text.charCodeAt(start + 3) === 0x3a
  return isWritten && ((hour <= 13 && minute <= 59) || (hour === 14 && minute === 0))
}

function readTwoDigits(text: string, index: number): number {
  const tens = text.charCodeAt(index)
  const ones = text.charCodeAt(index + 1)
  return isDigit(tens) && isDigit(ones) ? (tens - 0x30) * 10 + ones - 0x30 : Number.NaN
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/**
 * Milliseconds of a midnight; `undefined` for a day that does not exist. XSD 1.0 has no year 0:
 * -0001 is before 0001.
 */
function computeMidnight(yearText: string, month: number, day: number): number | undefined {
  const written = Number(yearText)
  if (written === 0) return undefined
  const year = written < 0 ? written + 1 : written
  return day <= daysIn(month, year) ? daysSince1970(year, month, day) * 86_400_000 : undefined
}

function daysIn(month: number, year: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/**
 * Counts from March on, so that the day of a leap year comes last; holds for any year, which a Date
 * does not.
 */
export function daysSince1970(year: number, month: number, day: number): number {
  const years = month > 2 ? year : year - 1
  const months = month > 2 ? month - 3 : month + 9
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400)
  return years * 365 + leapDays + Math.floor((153 * months + 2) / 5) + day - 719_469
}

function finerDigits(fraction: string): string {
  return fraction.length > 3 ? fraction.slice(3).replace(/0+$/, '') : ''
}

function computeTime(hour: string, minute: string | undefined, second: string | undefined, fraction: string): number {
  const ms = Number(`${fraction}000`.slice(0, 3))
  return ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + ms
}

function parseOffset(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4))
  return (zone[0] === '-' ? -minutes : minutes) * 60_000
}
