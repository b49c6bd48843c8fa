import { inspectValue } from '../../internal/options.ts'

/**
 * Returns a time in milliseconds. Throws a `TypeError` if it is invalid, since every comparison
 * with it is false.
 */
export function toMilliseconds(time: Date | number): number {
  const ms = Number(time)
  if (!Number.isFinite(ms))
    throw new TypeError(`negotiate: lastModified must be a Date or milliseconds, got ${inspect(time)}`)
  return ms
}

function inspect(time: unknown): string {
  return time instanceof Date ? 'an invalid Date' : inspectValue(time)
}
