const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const LONG_DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const IMF = /^([A-Z][a-z]{2}), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/
const RFC850 = /^([A-Z][a-z]{5,8}), (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/
const ASCTIME = /^([A-Z][a-z]{2}) ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/

/** Writes an HTTP-date (IMF-fixdate, RFC 9110 5.6.7). Throws on a time that is no time. */
export function formatHttpDate(ms: number): string {
  if (!Number.isFinite(ms)) throw new TypeError(`an HTTP-date needs a time in milliseconds, got ${ms}`)
  return new Date(ms).toUTCString()
}

/**
 * Reads an HTTP-date in any of its three forms, all in UTC (RFC 9110 5.6.7).
 * Returns milliseconds, or `undefined` for everything else: ISO 8601, other zones, days that do not exist.
 */
export function parseHttpDate(text: string, now = Date.now()): number | undefined {
  let match = IMF.exec(text)
  if (match) {
    const [, name, day, month, year, h, m, s] = match
    return DAYS.includes(name ?? '') ? utc(Number(year), month, day, h, m, s) : undefined
  }
  match = RFC850.exec(text)
  if (match) {
    const [, name, day, month, year, h, m, s] = match
    return LONG_DAYS.includes(name ?? '') ? utc(fullYear(Number(year), now), month, day, h, m, s) : undefined
  }
  match = ASCTIME.exec(text)
  if (!match) return undefined
  const [, name, month, day, h, m, s, year] = match
  return DAYS.includes(name ?? '') ? utc(Number(year), month, day, h, m, s) : undefined
}

/** A two-digit year that seems more than 50 years ahead lies in the past (RFC 9110 5.6.7). */
function fullYear(short: number, now: number): number {
  const current = new Date(now).getUTCFullYear()
  const year = current - (current % 100) + short
  return year > current + 50 ? year - 100 : year
}

type Digits = string | undefined

function utc(year: number, monthName: Digits, day: Digits, h: Digits, m: Digits, s: Digits): number | undefined {
  const month = MONTHS.indexOf(monthName ?? '')
  const date = new Date(0)
  date.setUTCFullYear(year, month, Number(day))
  const seconds = Math.min(Number(s), 59) // a leap second is read as the second before it
  if (month < 0 || date.getUTCDate() !== Number(day)) return undefined
  if (Number(h) > 23 || Number(m) > 59 || Number(s) > 60) return undefined
  return date.setUTCHours(Number(h), Number(m), seconds)
}
