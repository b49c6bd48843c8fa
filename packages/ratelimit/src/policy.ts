import { inspectValue } from '../../internal/options.ts'
import type { AlgorithmName, Policy } from './algorithm.ts'
import { assertPositiveInteger, parseRate, type Rate } from './rate.ts'

export interface PolicyInit {
  name: string
  group: string
  rate: string | Rate
  unit?: string | undefined
  burst: number | undefined
  algorithm: AlgorithmName
}

export const ALGORITHM_NAMES: readonly AlgorithmName[] = [
  'gcra',
  'sliding-counter',
  'sliding-log',
  'fixed-window',
  'token-bucket',
  'concurrency',
]

const MAX_ENTRIES = 10_000

/** The year 2100. */
const MAX_TIME_MS = 4.1e12

/** With more ticks per millisecond, a time in the year 2100 would not be a safe integer. */
const MAX_SCALE = 2000

/** Validates the parts of a limit and converts them to integers. */
export function definePolicy(init: PolicyInit): Policy {
  const { name, group, rate, burst, algorithm } = init
  const { unit = algorithm === 'concurrency' ? 'concurrent-requests' : 'requests' } = init
  if (!ALGORITHM_NAMES.includes(algorithm))
    throw new TypeError(
      `ratelimit: algorithm must be one of ${ALGORITHM_NAMES.join(', ')}, got ${inspectValue(algorithm)}`,
    )
  checkWord('name', name)
  checkWord('unit', unit)
  const { limit, windowMs } = parseRate(rate)
  if (burst !== undefined) assertPositiveInteger('burst', burst, 1_000_000_000)
  if (burst !== undefined && algorithm !== 'gcra' && algorithm !== 'token-bucket')
    throw new TypeError(`ratelimit: burst must be combined with gcra or token-bucket, got ${algorithm}`)
  const capacity = burst ?? limit
  const ticks = computeTicks(limit, windowMs)
  if (limit > MAX_ENTRIES && (algorithm === 'sliding-log' || algorithm === 'concurrency'))
    throw new TypeError(
      `ratelimit: limit must be at most ${MAX_ENTRIES} with ${algorithm}, which stores each request, got ${limit}`,
    )
  if (!Number.isSafeInteger(3 * windowMs * limit) && algorithm === 'sliding-counter')
    throw new TypeError('ratelimit: limit times windowMs is too large for sliding-counter; use gcra')
  if (MAX_TIME_MS * ticks.scale + capacity * ticks.interval > Number.MAX_SAFE_INTEGER)
    throw new TypeError(`ratelimit: a burst of ${capacity} takes too long to restore at this rate`)
  return {
    id: `${group}/${name}/${algorithm}/${limit}-${windowMs}-${capacity}`,
    name,
    unit,
    algorithm,
    limit,
    windowMs,
    burst: capacity,
    ...ticks,
  }
}

/** RFC 9651 §3.3.3: a String contains printable ASCII only. */
function checkWord(option: string, value: unknown): void {
  if (typeof value === 'string' && /^[\x20-\x7e]{1,64}$/.test(value) && !/["\\]/.test(value)) return
  throw new TypeError(
    `ratelimit: ${option} must be 1 to 64 printable ASCII characters without " and \\, got ${inspectValue(value)}`,
  )
}

/**
 * Returns the window that clients see if the burst is not the limit: the time that restores the
 * burst.
 */
export function publishedWindowMs({ burst, scale, interval }: Policy): number {
  return Math.ceil((burst * interval) / scale)
}

// A unit is restored in windowMs / limit. If that is not an integer, time is counted in fractions
// of a millisecond that make it one. If these would be too small, it is rounded up, so that no unit
// is restored early: to microseconds, or to the ticks that fit best if it is less than a
// millisecond. Either is at most 0.1 percent too long.
function computeTicks(limit: number, windowMs: number): { scale: number; interval: number } {
  const scale = limit / greatestDivisor(limit, windowMs)
  if (scale <= MAX_SCALE) return { scale, interval: (windowMs * scale) / limit }
  if (limit <= windowMs) return { scale: 1000, interval: Math.ceil((windowMs * 1000) / limit) }
  const interval = Math.floor((windowMs * MAX_SCALE) / limit)
  return { scale: Math.floor((interval * limit) / windowMs), interval }
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}
