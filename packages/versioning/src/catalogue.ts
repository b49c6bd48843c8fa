import { parseRange } from './range.ts'
import { compareParts, compareVersions, PARTS, parseVersion, type SchemeName, type VersionNumber } from './version.ts'

/** One version that the service has or had. */
export interface Known<V extends string = string> {
  name: V
  number: VersionNumber
  /** Not served any more. */
  retired: boolean
}

/** Every version of a service, oldest first. */
export interface Catalogue<V extends string = string> {
  scheme: SchemeName
  known: readonly Known<V>[]
  supported: readonly Known<V>[]
  latest: Known<V>
}

/** What a text asks for: the versions that would do, oldest first; none when the service has no such version. */
export type Wanted<V extends string = string> = readonly Known<V>[] | 'malformed' | 'conflict'

/** Sorts the names of the options by their scheme. Throws where one of them is no version, or there twice. */
export function makeCatalogue<V extends string>(
  versions: readonly V[],
  retired: readonly string[],
  scheme: SchemeName,
): Catalogue<V> {
  const all = [...versions.map((name) => [name, false] as const), ...retired.map((name) => [name as V, true] as const)]
  const known = all.map(([name, isRetired]): Known<V> => {
    const number = parseVersion(name, scheme)
    if (!number || /^v/i.test(name))
      throw new TypeError(`versioning: ${JSON.stringify(name)} is no version of the scheme "${scheme}"`)
    return { name, number, retired: isRetired }
  })
  known.sort((a, b) => compareVersions(a.number, b.number))
  for (const [at, version] of known.entries()) {
    const next = known[at + 1]
    if (next && compareVersions(version.number, next.number) === 0)
      throw new TypeError(`versioning: the versions "${version.name}" and "${next.name}" are the same`)
  }
  const supported = known.filter((version) => !version.retired)
  const latest = supported.at(-1)
  if (!latest) throw new TypeError('versioning: versions must name one version at least')
  return { scheme, known, supported, latest }
}

/**
 * The versions that one plain version name stands for: `1` is any 1.x.y of semver, a date falls to the nearest earlier.
 */
export function findVersion<V extends string>(text: string, { scheme, known }: Catalogue<V>): Wanted<V> {
  const wanted = parseVersion(text, scheme)
  if (!wanted) return 'malformed'
  if (scheme === 'date') {
    const nearest = known.findLast(({ number }) => compareParts(number.parts, wanted.parts) <= 0)
    return nearest ? [nearest] : []
  }
  const exact = known.filter(({ number }) => compareVersions(number, wanted) === 0)
  if (wanted.given === PARTS[scheme]) return exact
  const named = wanted.parts.slice(0, wanted.given)
  return known.filter(({ number }) => number.prerelease === '' && compareParts(named, number.parts) === 0)
}

/** The versions in a range, or those of a plain name. */
export function findRange<V extends string>(text: string, catalogue: Catalogue<V>): Wanted<V> {
  const plain = findVersion(text, catalogue)
  if (plain !== 'malformed') return plain
  const isInRange = parseRange(text, catalogue.scheme)
  return isInRange ? catalogue.known.filter(({ number }) => isInRange(number)) : 'malformed'
}

/** The versions in both lists. */
export function intersect<V extends string>(a: readonly Known<V>[], b: readonly Known<V>[]): readonly Known<V>[] {
  return a === b ? a : a.filter((version) => b.includes(version))
}
