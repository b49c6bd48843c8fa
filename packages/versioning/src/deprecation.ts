import { formatHttpDate } from '../../internal/date.ts'
import { inspectValue } from '../../internal/options.ts'

/**
 * Formats a `Deprecation` header: a date of structured fields, `@1688169599` (RFC 9745 §2.1).
 * Throws a `TypeError` if the date is not valid.
 */
export function formatDeprecation(since: Date): string {
  const ms = since.getTime()
  if (!Number.isFinite(ms))
    throw new TypeError(`versioning: formatDeprecation: since must be a valid Date, got ${inspectValue(ms)}`)
  return `@${Math.floor(ms / 1000)}`
}

/**
 * Parses a `Deprecation` header. Returns `undefined` if it is not a date of structured fields (RFC
 * 9651 §3.3.7).
 */
export function parseDeprecation(value: string): Date | undefined {
  // Up to 15 digits, like any integer of structured fields (RFC 9651 §3.3.1). Parameters have no
  // meaning here.
  const seconds = /^ *@(-?\d{1,15}) *(?:;.*)?$/s.exec(value)?.[1]
  const date = new Date(Number(seconds) * 1000)
  return seconds === undefined || Number.isNaN(date.getTime()) ? undefined : date
}

/** Formats a `Sunset` header (RFC 8594 §3). */
export function formatSunset(sunset: Date): string {
  return formatHttpDate(sunset.getTime())
}
