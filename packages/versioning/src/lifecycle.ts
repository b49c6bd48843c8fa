import { formatHttpDate } from '../../internal/date.ts'
import { formatDeprecation, inspectTime, toMilliseconds } from './deprecation.ts'
import type { VersioningOptions, VersionLifecycle } from './options.ts'
import type { VersionError } from './version-error.ts'

/** A response header: name and value. */
export type Header = readonly [name: string, value: string]

/** The times of a deprecated version, in milliseconds since 1970. */
interface LifecycleTimes {
  since: number | undefined
  sunset: number | undefined
  brownouts: readonly { from: number; until: number }[]
}

/** The headers of deprecated versions, and their 410. */
export interface Lifecycle {
  /** Whether the version has a date of deprecation, past or future. */
  isDeprecated(version: string): boolean
  /** Returns `Deprecation` and `Sunset` of a version. */
  getDates(version: string): readonly Header[]
  /**
   * Returns a 410 during a brownout or after an enforced sunset. Reads the clock only if the
   * version has either.
   */
  checkEnd(version: string, clock: () => number): VersionError | undefined
}

/**
 * Checks the lifecycles of the options. Throws a `TypeError` if a sunset is before the deprecation.
 */
export function createLifecycle(options: VersioningOptions, links: ReadonlyMap<string, string>): Lifecycle {
  const { deprecated = {}, enforceSunset = false } = options
  const entries = new Map<string, LifecycleTimes>()
  for (const [name, entry = {}] of Object.entries(deprecated)) entries.set(name, readTimes(name, entry))

  return {
    isDeprecated: (version) => entries.get(version)?.since !== undefined,
    getDates: (version) => {
      const { since, sunset } = entries.get(version) ?? {}
      const headers: Header[] = []
      if (since !== undefined) headers.push(['Deprecation', formatDeprecation(since)])
      // RFC 8594 §3
      if (sunset !== undefined) headers.push(['Sunset', formatHttpDate(sunset)])
      return headers
    },
    checkEnd: (version, clock) => {
      const { brownouts = [], sunset } = entries.get(version) ?? {}
      const end = enforceSunset ? sunset : undefined
      if (brownouts.length === 0 && end === undefined) return undefined
      const now = clock()
      const link = links.get(version)
      if (end !== undefined && now >= end) return createSunsetError(end, link)
      const brownout = brownouts.find(({ from, until }) => now >= from && now < until)
      return brownout && createBrownoutError(brownout.until, now, link)
    },
  }
}

function readTimes(name: string, { since, sunset, brownouts = [] }: VersionLifecycle): LifecycleTimes {
  const times = {
    since: readTime(`since of version "${name}"`, since),
    sunset: readTime(`sunset of version "${name}"`, sunset),
    brownouts: brownouts.map((brownout) => readBrownout(name, brownout)),
  }
  // RFC 9745 §4: the sunset must not be earlier than the deprecation.
  if (times.since !== undefined && times.sunset !== undefined && times.sunset < times.since)
    throw new TypeError(
      `versioning: sunset of version "${name}" must not be before since, got ${toIsoString(times.sunset)}`,
    )
  return times
}

function readTime(option: string, time: Date | number | undefined): number | undefined {
  if (time === undefined) return undefined
  const ms = toMilliseconds(time)
  // The year of an HTTP-date has four digits (RFC 9110 §5.6.7). toISOString adds two to others.
  if (ms === undefined || toIsoString(ms).length > 24)
    throw new TypeError(
      `versioning: ${option} must be a Date or milliseconds in the years 0 to 9999, got ${inspectTime(time)}`,
    )
  return ms
}

function readBrownout(name: string, brownout: { from: Date | number; until: Date | number }) {
  const from = readTime(`brownouts.from of version "${name}"`, brownout.from)
  const until = readTime(`brownouts.until of version "${name}"`, brownout.until)
  if (from === undefined || until === undefined || from >= until)
    throw new TypeError(`versioning: brownouts of version "${name}" must be times with from before until`)
  return { from, until }
}

function toIsoString(time: number): string {
  return new Date(time).toISOString()
}

function createSunsetError(sunset: number, link: string | undefined): VersionError {
  const message = `This version has not been supported since ${formatHttpDate(sunset)}.`
  const params = { since: toIsoString(sunset) }
  return { status: 410, code: 'ERR_VERSIONING_RETIRED', message, params, ...(link && { headers: { Link: link } }) }
}

function createBrownoutError(until: number, now: number, link: string | undefined): VersionError {
  const retryAfter = String(Math.ceil((until - now) / 1000))
  const message = `This version is deprecated and temporarily unavailable until ${formatHttpDate(until)}.`
  const headers = { 'Retry-After': retryAfter, 'Cache-Control': 'no-store', ...(link && { Link: link }) }
  return { status: 410, code: 'ERR_VERSIONING_BROWNOUT', message, headers, params: { until: toIsoString(until) } }
}
