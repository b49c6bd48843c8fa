import { formatHttpDate } from '../../internal/date.ts'
import { formatDeprecation, formatSunset } from './deprecation.ts'
import type { VersioningOptions, VersionLifecycle } from './options.ts'
import type { VersionRefusal } from './refusal.ts'

/** A field of an answer: name and value. */
export type Field = readonly [name: string, value: string]

/** What is told about the versions on their way out, and when they answer 410. */
export interface Lifecycle {
  /** Whether the version has a date of deprecation, past or coming. */
  isDeprecated(version: string): boolean
  /** `Deprecation` and `Sunset` of a version. */
  datesOf(version: string): readonly Field[]
  /** Whether `refusalAt` can ever refuse: else the clock is not asked. */
  mayEnd(version: string): boolean
  /** 410 while a version is in a brown-out or past an enforced sunset. */
  refusalAt(version: string, now: number): VersionRefusal | undefined
}

/** Checks the lifecycles of the options. Throws where a sunset comes before a deprecation. */
export function makeLifecycle(options: VersioningOptions, links: ReadonlyMap<string, string>): Lifecycle {
  const { deprecated = {}, enforceSunset = false } = options
  const entries = new Map<string, VersionLifecycle>()
  for (const [name, entry = {}] of Object.entries(deprecated)) entries.set(name, checkEntry(name, entry))

  return {
    isDeprecated: (version) => entries.get(version)?.since !== undefined,
    datesOf: (version) => {
      const { since, sunset } = entries.get(version) ?? {}
      const fields: Field[] = []
      if (since) fields.push(['Deprecation', formatDeprecation(since)])
      if (sunset) fields.push(['Sunset', formatSunset(sunset)])
      return fields
    },
    mayEnd: (version) => {
      const { brownouts = [], sunset } = entries.get(version) ?? {}
      return brownouts.length > 0 || (enforceSunset && sunset !== undefined)
    },
    refusalAt: (version, now) => {
      const { brownouts = [], sunset } = entries.get(version) ?? {}
      const link = links.get(version)
      if (enforceSunset && sunset && now >= sunset.getTime()) return refuseAfter(sunset, link)
      const brownout = brownouts.find(({ from, until }) => now >= from.getTime() && now < until.getTime())
      return brownout && refuseUntil(brownout.until, now, link)
    },
  }
}

function checkEntry(name: string, entry: VersionLifecycle): VersionLifecycle {
  const { since, sunset, brownouts = [] } = entry
  for (const [option, date] of Object.entries({ since, sunset }))
    if (date !== undefined && !isDate(date))
      throw new TypeError(`versioning: ${option} of version "${name}" must be a date, got ${String(date)}`)
  // RFC 9745 4: the sunset must not be earlier than the deprecation.
  if (since && sunset && sunset < since)
    throw new TypeError(`versioning: version "${name}" has its sunset before its deprecation`)
  for (const { from, until } of brownouts)
    if (!isDate(from) || !isDate(until) || from >= until)
      throw new TypeError(`versioning: a brown-out of version "${name}" must end after it begins`)
  return entry
}

function isDate(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime())
}

function refuseAfter(sunset: Date, link: string | undefined): VersionRefusal {
  const message = `This version is not served since ${formatHttpDate(sunset.getTime())}.`
  const params = { since: sunset.toISOString() }
  return { status: 410, code: 'ERR_VERSIONING_RETIRED', message, params, ...(link && { headers: { Link: link } }) }
}

function refuseUntil(until: Date, now: number, link: string | undefined): VersionRefusal {
  const retryAfter = String(Math.ceil((until.getTime() - now) / 1000))
  const message = `This version is switched off until ${formatHttpDate(until.getTime())}, since it will soon be gone.`
  const headers = { 'Retry-After': retryAfter, ...(link && { Link: link }) }
  return { status: 410, code: 'ERR_VERSIONING_BROWNOUT', message, headers, params: { until: until.toISOString() } }
}
