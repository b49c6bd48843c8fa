import { daysSince1970 } from './date-time.ts'

const DURATION = /^(-)?P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/

/**
 * The months from which XSD adds durations to compare them: they differ in the lengths of what
 * follows.
 */
const STARTS = [1696 * 12 + 8, 1697 * 12 + 1, 1903 * 12 + 2, 1903 * 12 + 6]

/**
 * Orders two durations: negative, zero or positive. A month has no fixed length, so that P1M and
 * P30D have no order: the result is NaN (XSD part 2, 3.2.6.2).
 */
export function compareDurations(a: string, b: string): number {
  const duration = parseDuration(a)
  const other = parseDuration(b)
  const orders = STARTS.map((start) => Math.sign(addDuration(start, duration) - addDuration(start, other)))
  return orders.every((order) => order === orders[0]) ? (orders[0] ?? Number.NaN) : Number.NaN
}

interface Duration {
  months: number
  ms: number
}

function parseDuration(text: string): Duration {
  const [, minus, years = 0, months = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = DURATION.exec(text) ?? []
  const sign = minus === undefined ? 1 : -1
  const time = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000
  return { months: sign * (Number(years) * 12 + Number(months)), ms: sign * time }
}

/** The milliseconds of a month, as a number of months since year 0, with a duration added. */
function addDuration(start: number, { months, ms }: Duration): number {
  const month = start + months
  const year = Math.floor(month / 12)
  return daysSince1970(year, month - year * 12 + 1, 1) * 86_400_000 + ms
}
