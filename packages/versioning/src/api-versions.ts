import { inspectValue } from '../../internal/options.ts'
import { parseRange } from './range.ts'
import { compareParts, compareVersions, PARTS, parseVersion, type SchemeName, type VersionNumber } from './version.ts'

/** A version that the API supports or supported. */
export interface ApiVersion<V extends string = string> {
  name: V
  number: VersionNumber
  /** No longer supported. */
  retired: boolean
}

/** Every version of an API, oldest first. */
export interface ApiVersions<V extends string = string> {
  scheme: SchemeName
  all: readonly ApiVersion<V>[]
  supported: readonly ApiVersion<V>[]
  latest: ApiVersion<V>
}

/** The versions that a string matches, oldest first; empty if the API has no such version. */
export type VersionMatch<V extends string = string> = readonly ApiVersion<V>[] | 'malformed' | 'conflict'

/**
 * Sorts the names of the options by their scheme. Throws a `TypeError` if one is not a version, or
 * is there twice.
 */
export function createApiVersions<V extends string>(
  versions: readonly V[],
  retired: readonly string[],
  scheme: SchemeName,
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
      throw new TypeError(`versioning: the versions "${version.name}" and "${next.name}" are the same`)
  }
  const supported = all.filter((version) => !version.retired)
  const latest = supported.at(-1)
  if (!latest) throw new TypeError('versioning: versions must have at least one version')
  return { scheme, all, supported, latest }
}

const EXAMPLES: Record<SchemeName, string> = {
  integer: "integers such as '1'",
  date: "dates such as '2026-01-31'",
  semver: "semantic versions such as '1.4.0'",
}

function describeInvalid(name: string, scheme: SchemeName): string {
  const message = `versions must be ${EXAMPLES[scheme]}, got ${inspectValue(name)}`
  if (/^v/i.test(name)) return `${message}; the prefix of a path is the option pathPrefix`
  const other = (['integer', 'date', 'semver'] as const).find((each) => parseVersion(name, each) !== undefined)
  if (other === undefined) return message
  const [words = ''] = EXAMPLES[other].split(' such')
  return `${message}; for ${words} set scheme: '${other}'`
}

/**
 * Finds the versions of a plain version name: `1` is any 1.x.y of semver, a date is the nearest
 * earlier version.
 */
export function findVersion<V extends string>(text: string, { scheme, all }: ApiVersions<V>): VersionMatch<V> {
  const wanted = parseVersion(text, scheme)
  if (!wanted) return 'malformed'
  if (scheme === 'date') {
    const nearest = all.findLast(({ number }) => compareParts(number.parts, wanted.parts) <= 0)
    return nearest ? [nearest] : []
  }
  const exact = all.filter(({ number }) => compareVersions(number, wanted) === 0)
  if (wanted.partCount === PARTS[scheme]) return exact
  const named = wanted.parts.slice(0, wanted.partCount)
  return all.filter(({ number }) => number.prerelease === '' && compareParts(named, number.parts) === 0)
}

/** The versions in a range, or those of a plain name. */
export function findRange<V extends string>(text: string, apiVersions: ApiVersions<V>): VersionMatch<V> {
  const plain = findVersion(text, apiVersions)
  if (plain !== 'malformed') return plain
  const isInRange = parseRange(text, apiVersions.scheme)
  return isInRange ? apiVersions.all.filter(({ number }) => isInRange(number)) : 'malformed'
}

/** The versions in both lists. */
export function intersect<V extends string>(
  a: readonly ApiVersion<V>[],
  b: readonly ApiVersion<V>[],
): readonly ApiVersion<V>[] {
  return a === b ? a : a.filter((version) => b.includes(version))
}
