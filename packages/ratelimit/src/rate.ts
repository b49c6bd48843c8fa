import { inspectValue } from '../../internal/options.ts'

type Unit = 'ms' | 's' | 'm' | 'h' | 'd'

/** A rate as text: `'100/15m'`, `'10/s'`. Units are ms, s, m, h and d; `'100/15x'` does not compile. */
export type RateText = `${number}/${number}${Unit}` | `${number}/${Unit}`

/** A quota and the time in which it is regained. */
export interface Rate {
  /** Units in a window; a whole number from 1 on. */
  limit: number
  /** Length of the window in milliseconds; a whole number from 1 on. */
  windowMs: number
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

const LONGEST_WINDOW_MS = 366 * 86_400_000
const LARGEST_LIMIT = 1_000_000_000
const MOST_UNITS_PER_MS = 1000

/** Reads a rate from text or checks one given as numbers, and throws a `TypeError` that shows what is wrong with it. */
export function parseRate(rate: string | Rate): Rate {
  const { limit, windowMs } = typeof rate === 'string' ? readText(rate) : rate
  checkWhole('limit', limit, LARGEST_LIMIT)
  checkWhole('windowMs', windowMs, LONGEST_WINDOW_MS)
  if (limit > windowMs * MOST_UNITS_PER_MS) throw new TypeError('ratelimit: a rate is at most 1000 units a millisecond')
  return { limit, windowMs }
}

function readText(text: string): Rate {
  const match = /^(\d{1,10})\/(\d{0,12})(ms|s|m|h|d)$/.exec(text)
  if (!match)
    throw new TypeError(`ratelimit: rate must look like "100/15m" (units ms, s, m, h, d), got ${inspectValue(text)}`)
  const [, limit, count, unit = ''] = match
  return { limit: Number(limit), windowMs: (count ? Number(count) : 1) * (UNITS.get(unit) ?? 0) }
}

/** Throws unless the value is a whole number from 1 to `most`. */
export function checkWhole(option: string, value: unknown, most = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most) return
  const range = most === Number.MAX_SAFE_INTEGER ? 'a positive integer' : `an integer from 1 to ${most}`
  throw new TypeError(`ratelimit: ${option} must be ${range}, got ${inspectValue(value)}`)
}
