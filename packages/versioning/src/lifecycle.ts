import { formatHttpDate } from '../../internal/date.ts'
import type { Catalogue } from './catalogue.ts'
import { formatDeprecation, formatSunset } from './deprecation.ts'
import type { RetiredVersion, VersioningOptions, VersionLifecycle } from './options.ts'
import type { VersionRefusal } from './refusal.ts'

/** A field of an answer: name and value. */
export type Field = readonly [name: string, value: string]

/** What is told about a version, made once. */
export interface Lifecycle {
  /** Whether the version has a date of deprecation, past or coming. */
  isDeprecated(version: string): boolean
  /** `Deprecation` and `Sunset` of a version. */
  dates(version: string): readonly Field[]
  /** The value of `Link` for a version, `''` when there is nothing to link. */
  links(version: string): string
  /** 410 while a version is in a brown-out or past an enforced sunset. */
  refusalAt(version: string, now: number): VersionRefusal | undefined
  /** Whether `refusalAt` can ever refuse: else the clock is not asked. */
  canRefuse(version: string): boolean
}

/** Checks the lifecycles of the options and makes their fields. Throws where a sunset comes before a deprecation. */
export function makeLifecycle(options: VersioningOptions, catalogue: Catalogue, hasPath: boolean): Lifecycle {
  const { deprecated = {}, retired = {}, enforceSunset = false } = options
  const entries = new Map(Object.entries(deprecated).map(([name, entry]) => [name, checkEntry(name, entry ?? {})]))
  const gone = new Map<string, RetiredVersion>(Object.entries(retired))
  const root = `${options.base ?? ''}/${options.pathPrefix ?? 'v'}`
  const linkTo = (version: string, relation: string): string => `<${root}${version}/>; rel="${relation}"`

  const links = (version: string): string => {
    const entry: VersionLifecycle & RetiredVersion = entries.get(version) ?? gone.get(version) ?? {}
    const values: string[] = []
    if (entry.link) values.push(`<${checkTarget(entry.link)}>; rel="deprecation"; type="text/html"`)
    if (entry.sunsetLink) values.push(`<${checkTarget(entry.sunsetLink)}>; rel="sunset"; type="text/html"`)
    const successor = entry.successor ?? successorOf(version, catalogue)
    if (hasPath && successor !== undefined && (entries.has(version) || gone.has(version)))
      values.push(linkTo(successor, 'successor-version'), linkTo(catalogue.latest.name, 'latest-version'))
    return values.join(', ')
  }
  const linksByVersion = new Map(catalogue.known.map(({ name }) => [name, links(name)]))
  const linksOf = (version: string): string => linksByVersion.get(version) ?? ''

  return {
    isDeprecated: (version) => entries.get(version)?.since !== undefined,
    dates: (version) => datesOf(entries.get(version)),
    links: linksOf,
    canRefuse: (version) => {
      const entry = entries.get(version)
      return Boolean(entry?.brownouts?.length || (enforceSunset && entry?.sunset))
    },
    refusalAt: (version, now) => {
      const entry = entries.get(version)
      if (enforceSunset && entry?.sunset && now >= entry.sunset.getTime())
        return retiredRefusal(entry.sunset, linksOf(version))
      const brownout = entry?.brownouts?.find(({ from, until }) => now >= from.getTime() && now < until.getTime())
      return brownout && brownoutRefusal(brownout.until, now, linksOf(version))
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

function checkTarget(link: string): string {
  if (/[\s<>"]/.test(link) || !/^[\x21-\x7e]+$/.test(link))
    throw new TypeError(`versioning: a link must be a URI, got ${JSON.stringify(link)}`)
  return link
}

function successorOf(version: string, { known, supported }: Catalogue): string | undefined {
  const at = known.findIndex(({ name }) => name === version)
  return known.slice(at + 1).find((later) => supported.includes(later))?.name
}

function datesOf(entry: VersionLifecycle | undefined): Field[] {
  const fields: Field[] = []
  if (entry?.since) fields.push(['Deprecation', formatDeprecation(entry.since)])
  if (entry?.sunset) fields.push(['Sunset', formatSunset(entry.sunset)])
  return fields
}

function retiredRefusal(sunset: Date, link: string): VersionRefusal {
  const message = `This version is not served since ${formatHttpDate(sunset.getTime())}.`
  return { status: 410, code: 'ERR_VERSIONING_RETIRED', message, ...(link && { headers: { Link: link } }) }
}

function brownoutRefusal(until: Date, now: number, link: string): VersionRefusal {
  const retryAfter = String(Math.ceil((until.getTime() - now) / 1000))
  const message = `This version is switched off until ${formatHttpDate(until.getTime())}, since it will soon be gone.`
  const headers = { 'Retry-After': retryAfter, ...(link && { Link: link }) }
  return { status: 410, code: 'ERR_VERSIONING_BROWNOUT', message, headers }
}
