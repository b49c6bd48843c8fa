import { assertInteger, inspectValue } from '../../internal/options.ts'

type Unit = 'ms' | 's' | 'm' | 'h' | 'd'

/**
 * A rate as a string: `'100/15m'`, `'10/s'`. Units are ms, s, m, h and d; `'100/15x'` does not
 * compile.
 */
export type RateText = `${number}/${number}${Unit}` | `${number}/${Unit}`

/** A quota and the time that restores it. */
export interface Rate {
  /** Units per window: an integer from 1. */
  limit: number
  /** Length of the window in milliseconds: an integer from 1. */
  windowMs: number
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

/** The longest window of a rate. */
export const MAX_WINDOW_MS = 366 * 86_400_000
const MAX_LIMIT = 1_000_000_000
const MAX_UNITS_PER_MS = 1000

/**
 * Parses a rate from a string, or checks one passed as numbers. Throws a `TypeError` if it is
 * invalid.
 */
export function parseRate(rate: string | Rate): Rate {
  if (typeof rate !== 'string' && (typeof rate !== 'object' || rate === null))
    throw new TypeError(
      `ratelimit: rate must be '100/15m', { limit, windowMs } or a function, got ${inspectValue(rate)}`,
    )
  const { limit, windowMs } = typeof rate === 'string' ? parseText(rate) : rate
  assertPositiveInteger('rate.limit', limit, MAX_LIMIT)
  assertPositiveInteger('rate.windowMs', windowMs, MAX_WINDOW_MS)
  if (limit > windowMs * MAX_UNITS_PER_MS)
    throw new TypeError(
      `ratelimit: rate must be at most ${MAX_UNITS_PER_MS} units per millisecond, got ${limit} in ${windowMs} ms`,
    )
  return { limit, windowMs }
}

/** Returns the highest limit that a rate may have in a window. */
export function getMaxLimit(windowMs: number): number {
  return Math.min(MAX_LIMIT, windowMs * MAX_UNITS_PER_MS)
}

function parseText(text: string): Rate {
  const match = /^(\d{1,10})\/(\d{0,12})(ms|s|m|h|d)$/.exec(text)
  if (!match)
    throw new TypeError(
      `ratelimit: rate must be a string such as '100/15m' (units ms, s, m, h, d), got ${inspectValue(text)}`,
    )
  const [, limit, count, unit = ''] = match
  return { limit: Number(limit), windowMs: (count ? Number(count) : 1) * (UNITS.get(unit) ?? 0) }
}

/** Throws a `TypeError` unless the value is an integer from 1 to `max`. */
export function assertPositiveInteger(option: string, value: unknown, max = Number.MAX_SAFE_INTEGER): void {
  assertInteger('ratelimit', option, value, { min: 1, max })
}
