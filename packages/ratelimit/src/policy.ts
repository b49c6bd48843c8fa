import { inspectValue } from '../../internal/options.ts'
import type { AlgorithmName, Policy } from './algorithm.ts'
import { checkWhole, parseRate, type Rate } from './rate.ts'

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

const MAX_CACHED = 10_000

/** The year 2100. */
const FARTHEST_MS = 4.1e12

/** With more ticks in a millisecond than this a time would not be a safe integer in the year 2100. */
const FINEST_SCALE = 2000

/** Checks the parts of a limit and turns them into whole numbers. */
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
  if (burst !== undefined) checkWhole('burst', burst, 1_000_000_000)
  if (burst !== undefined && algorithm !== 'gcra' && algorithm !== 'token-bucket')
    throw new TypeError(`ratelimit: burst is for gcra and token-bucket, ${algorithm} has none`)
  const capacity = burst ?? limit
  const ticks = computeTicks(limit, windowMs)
  if (limit > MAX_CACHED && (algorithm === 'sliding-log' || algorithm === 'concurrency'))
    throw new TypeError(`ratelimit: ${algorithm} remembers each request, its limit is at most ${MAX_CACHED}`)
  if (!Number.isSafeInteger(3 * windowMs * limit) && algorithm === 'sliding-counter')
    throw new TypeError('ratelimit: limit times windowMs is too large for sliding-counter, use gcra')
  if (FARTHEST_MS * ticks.scale + capacity * ticks.interval > Number.MAX_SAFE_INTEGER)
    throw new TypeError(`ratelimit: burst of ${capacity} lasts too long at this rate`)
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

/** RFC 9651 3.3.3: a String holds printable ASCII alone. */
function checkWord(option: string, value: unknown): void {
  if (typeof value === 'string' && /^[\x20-\x7e]{1,64}$/.test(value) && !/["\\]/.test(value)) return
  throw new TypeError(
    `ratelimit: ${option} must be 1 to 64 printable ASCII characters without " and \\, got ${inspectValue(value)}`,
  )
}

/** The quota that clients see: with another burst than the limit, the burst in the time that regains it. */
export function publishedQuota({ limit, windowMs, burst, scale, interval }: Policy): {
  quota: number
  windowMs: number
} {
  return burst === limit
    ? { quota: limit, windowMs }
    : { quota: burst, windowMs: Math.ceil((burst * interval) / scale) }
}

// A unit is regained in windowMs / limit. Where that is no whole number, time is counted in fractions of a millisecond
// that make it one; where these would be too fine, in microseconds, rounded up so that no unit comes early.
function computeTicks(limit: number, windowMs: number): { scale: number; interval: number } {
  const scale = limit / greatestDivisor(limit, windowMs)
  if (scale <= FINEST_SCALE) return { scale, interval: (windowMs * scale) / limit }
  return { scale: 1000, interval: Math.ceil((windowMs * 1000) / limit) }
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}
