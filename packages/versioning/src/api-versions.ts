import { findNearestName } from '../../internal/near-name.ts'
import { inspectValue } from '../../internal/options.ts'
import { parseRange } from './range.ts'
import {
  compareParts,
  compareVersions,
  PARTS,
  parseVersion,
  type VersionNumber,
  type VersionScheme,
} from './version.ts'

/** A supported or retired version of an API. */
export interface ApiVersion<V extends string = string> {
  name: V
  number: VersionNumber
  /** Whether the version is no longer supported. */
  retired: boolean
}

/** The versions of an API, oldest first. */
export interface ApiVersions<V extends string = string> {
  scheme: VersionScheme
  all: readonly ApiVersion<V>[]
  supported: readonly ApiVersion<V>[]
  /** Names of the supported versions. */
  names: readonly V[]
  latest: ApiVersion<V>
}

/** The versions that a value matches, oldest first. Empty if the API has no such version. */
export type VersionMatch<V extends string = string> = readonly ApiVersion<V>[] | 'malformed' | 'conflict'

/**
 * Sorts the version names of the options by their scheme. Throws a `TypeError` if one is not a
 * version, or a duplicate.
 */
export function createApiVersions<V extends string>(
  versions: readonly V[],
  retired: readonly string[],
  scheme: VersionScheme,
): ApiVersions<V> {
  const toVersion = (name: V, isRetired: boolean): ApiVersion<V> => {
    const number = parseVersion(name, scheme)
    if (!number || /^v/i.test(name)) throw new TypeError(`versioning: ${describeInvalid(name, scheme)}`)
    return { name, number, retired: isRetired }
  }
  const all = [...versions.map((name) => toVersion(name, false)), ...retired.map((name) => toVersion(name as V, true))]
  all.sort((a, b) => compareVersions(a.number, b.number))
  for (const [index, version] of all.entries()) {
    const next = all[index + 1]
    if (next && compareVersions(version.number, next.number) === 0)
      throw new TypeError(`versioning: versions must be different, got "${version.name}" and "${next.name}"`)
  }
  const supported = all.filter((version) => !version.retired)
  const latest = supported.at(-1)
  if (!latest) throw new TypeError('versioning: versions must have at least one name')
  return { scheme, all, supported, names: supported.map(({ name }) => name), latest }
}

const EXAMPLES: Record<VersionScheme, string> = {
  integer: "integers such as '1'",
  date: "dates such as '2026-01-31'",
  semver: "semantic versions such as '1.4.0'",
}

function describeInvalid(name: string, scheme: VersionScheme): string {
  const message = `versions must be ${EXAMPLES[scheme]}, got ${inspectValue(name)}`
  if (/^v/i.test(name)) return `${message}; the prefix of a path is the option pathPrefix`
  const other = (['integer', 'date', 'semver'] as const).find(
    (candidate) => parseVersion(name, candidate) !== undefined,
  )
  if (other === undefined) return message
  const [words = ''] = EXAMPLES[other].split(' such')
  return `${message}; for ${words} set scheme: '${other}'`
}

/**
 * Returns the versions that a version name matches. With semver, `1` matches every 1.x.y; a date
 * matches the nearest earlier version.
 */
export function findVersion<V extends string>(text: string, { scheme, all }: ApiVersions<V>): VersionMatch<V> {
  const requested = parseVersion(text, scheme)
  if (!requested) return 'malformed'
  if (scheme === 'date') {
    const nearest = all.findLast(({ number }) => compareParts(number.parts, requested.parts) <= 0)
    return nearest ? [nearest] : []
  }
  const exact = all.filter(({ number }) => compareVersions(number, requested) === 0)
  if (requested.partCount === PARTS[scheme]) return exact
  const namedParts = requested.parts.slice(0, requested.partCount)
  return all.filter(({ number }) => number.prerelease === '' && compareParts(namedParts, number.parts) === 0)
}

/** Returns the versions that a version name or a range matches. */
export function findRange<V extends string>(text: string, apiVersions: ApiVersions<V>): VersionMatch<V> {
  const exact = findVersion(text, apiVersions)
  if (exact !== 'malformed') return exact
  const isInRange = parseRange(text, apiVersions.scheme)
  return isInRange ? apiVersions.all.filter(({ number }) => isInRange(number)) : 'malformed'
}

/** Returns the supported versions that a key matches. */
export function versionsIn(key: string, { names }: ApiVersions): readonly string[] {
  const [first = '', last] = key.endsWith('+') ? [key.slice(0, -1), names.at(-1)] : key.split('..', 2)
  const start = names.indexOf(first)
  const end = last === undefined ? start : names.indexOf(last)
  if (start === -1 || end === -1) {
    const near = findNearestName(key, names)
    throw new TypeError(
      `versioning: versions must be among ${names.join(', ')}, got ${inspectValue(key)}${near === undefined ? '' : `; did you mean "${near}"?`}`,
    )
  }
  if (end < start) throw new TypeError(`versioning: a range must end after it begins, got ${inspectValue(key)}`)
  return names.slice(start, end + 1)
}

/** Returns the versions in both lists. */
export function intersect<V extends string>(
  a: readonly ApiVersion<V>[],
  b: readonly ApiVersion<V>[],
): readonly ApiVersion<V>[] {
  return a === b ? a : a.filter((version) => b.includes(version))
}
