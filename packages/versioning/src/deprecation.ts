import { inspectValue } from '../../internal/options.ts'

/**
 * Formats a `Deprecation` header from a `Date` or milliseconds since 1970: a date of structured
 * fields, `@1688169599` (RFC 9745 §2.1). Throws a `TypeError` if the time is not valid.
 */
export function formatDeprecation(since: Date | number): string {
  const ms = toMilliseconds(since)
  if (ms === undefined)
    throw new TypeError(
      `versioning: formatDeprecation: since must be a Date or milliseconds, got ${inspectTime(since)}`,
    )
  return `@${Math.floor(ms / 1000)}`
}

/** Returns a time in milliseconds since 1970; `undefined` if no `Date` can hold it. */
export function toMilliseconds(time: unknown): number | undefined {
  if (typeof time !== 'number' && !(time instanceof Date)) return undefined
  const ms = new Date(time).getTime()
  return Number.isNaN(ms) ? undefined : ms
}

/** Formats a time for messages. */
export function inspectTime(time: unknown): string {
  return time instanceof Date ? String(time) : inspectValue(time)
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
