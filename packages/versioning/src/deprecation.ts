import { formatHttpDate } from '../../internal/date.ts'

/**
 * Writes the value of a `Deprecation` field: a date of structured fields, `@1688169599` (RFC 9745
 * 2.1).
 */
export function formatDeprecation(since: Date): string {
  const ms = since.getTime()
  if (!Number.isFinite(ms)) throw new TypeError('a Deprecation field needs a date')
  return `@${Math.floor(ms / 1000)}`
}

/**
 * Parses a `Deprecation` header; `undefined` if it is not a date of structured fields (RFC 9651
 * §3.3.7).
 */
export function parseDeprecation(value: string): Date | undefined {
  // Up to 15 digits as any integer of structured fields (RFC 9651 §3.3.1); parameters carry no
  // meaning here.
  const seconds = /^ *@(-?\d{1,15}) *(?:;.*)?$/s.exec(value)?.[1]
  const date = new Date(Number(seconds) * 1000)
  return seconds === undefined || Number.isNaN(date.getTime()) ? undefined : date
}

/** Writes the value of a `Sunset` field (RFC 8594 §3). */
export function formatSunset(sunset: Date): string {
  return formatHttpDate(sunset.getTime())
}
