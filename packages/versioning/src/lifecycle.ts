import { formatHttpDate } from '../../internal/date.ts'
import { formatDeprecation, formatSunset } from './deprecation.ts'
import type { VersioningOptions, VersionLifecycle } from './options.ts'
import type { VersionError } from './version-error.ts'

/** A response header: name and value. */
export type Header = readonly [name: string, value: string]

/** The headers of deprecated versions, and their 410. */
export interface Lifecycle {
  /** Whether the version has a date of deprecation, past or future. */
  isDeprecated(version: string): boolean
  /** Returns `Deprecation` and `Sunset` of a version. */
  getDates(version: string): readonly Header[]
  /** Whether `errorAt` can ever return an error; otherwise the clock is not read. */
  mayEnd(version: string): boolean
  /** Returns a 410 during a brownout or after an enforced sunset. */
  errorAt(version: string, now: number): VersionError | undefined
}

/**
 * Checks the lifecycles of the options. Throws a `TypeError` if a sunset is before the deprecation.
 */
export function createLifecycle(options: VersioningOptions, links: ReadonlyMap<string, string>): Lifecycle {
  const { deprecated = {}, enforceSunset = false } = options
  const entries = new Map<string, VersionLifecycle>()
  for (const [name, entry = {}] of Object.entries(deprecated)) entries.set(name, checkEntry(name, entry))

  return {
    isDeprecated: (version) => entries.get(version)?.since !== undefined,
    getDates: (version) => {
      const { since, sunset } = entries.get(version) ?? {}
      const headers: Header[] = []
      if (since) headers.push(['Deprecation', formatDeprecation(since)])
      if (sunset) headers.push(['Sunset', formatSunset(sunset)])
      return headers
    },
    mayEnd: (version) => {
      const { brownouts = [], sunset } = entries.get(version) ?? {}
      return brownouts.length > 0 || (enforceSunset && sunset !== undefined)
    },
    errorAt: (version, now) => {
      const { brownouts = [], sunset } = entries.get(version) ?? {}
      const link = links.get(version)
      if (enforceSunset && sunset && now >= sunset.getTime()) return createSunsetError(sunset, link)
      const brownout = brownouts.find(({ from, until }) => now >= from.getTime() && now < until.getTime())
      return brownout && createBrownoutError(brownout.until, now, link)
    },
  }
}

function checkEntry(name: string, entry: VersionLifecycle): VersionLifecycle {
  const { since, sunset, brownouts = [] } = entry
  for (const [option, date] of Object.entries({ since, sunset }))
    if (date !== undefined && !isDate(date))
      throw new TypeError(`versioning: ${option} of version "${name}" must be a Date, got ${String(date)}`)
  // RFC 9745 §4: the sunset must not be earlier than the deprecation.
  if (since && sunset && sunset < since)
    throw new TypeError(`versioning: sunset of version "${name}" must not be before since, got ${sunset.toISOString()}`)
  for (const { from, until } of brownouts)
    if (!isDate(from) || !isDate(until) || from >= until)
      throw new TypeError(`versioning: brownouts of version "${name}" must be dates with from before until`)
  return entry
}

function isDate(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime())
}

function createSunsetError(sunset: Date, link: string | undefined): VersionError {
  const message = `This version is no longer supported since ${formatHttpDate(sunset.getTime())}.`
  const params = { since: sunset.toISOString() }
  return { status: 410, code: 'ERR_VERSIONING_RETIRED', message, params, ...(link && { headers: { Link: link } }) }
}

function createBrownoutError(until: Date, now: number, link: string | undefined): VersionError {
  const retryAfter = String(Math.ceil((until.getTime() - now) / 1000))
  const message = `This version is deprecated and temporarily unavailable until ${formatHttpDate(until.getTime())}.`
  const headers = { 'Retry-After': retryAfter, ...(link && { Link: link }) }
  return { status: 410, code: 'ERR_VERSIONING_BROWNOUT', message, headers, params: { until: until.toISOString() } }
}
