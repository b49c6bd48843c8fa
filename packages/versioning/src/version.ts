/** Format of the version names: `'1'`, `'2026-01-31'` or `'1.4.0'`. */
export type SchemeName = 'integer' | 'date' | 'semver'

/** A version as numbers, most significant first, so that two can be compared. */
export interface VersionNumber {
  parts: readonly number[]
  /** Number of parts that are specified: `1.4` has two of three. */
  partCount: number
  /** The pre-release of a semver version: `beta.2`. */
  prerelease: string
}

/** Number of parts of a version of the scheme. */
export const PARTS: Record<SchemeName, number> = { integer: 1, date: 1, semver: 3 }

const MAX_LENGTH = 64

/**
 * Reads a version with or without a leading `v`; `undefined` when the text names none in this
 * scheme.
 */
export function parseVersion(text: string, scheme: SchemeName): VersionNumber | undefined {
  if (text.length === 0 || text.length > MAX_LENGTH) return undefined
  const first = text.charCodeAt(0) | 0x20
  const bare = first === 0x76 ? text.slice(1) : text
  if (scheme === 'date') return parseDate(bare)
  if (scheme === 'integer') {
    const number = parseNumber(bare)
    return number ? { parts: [number], partCount: 1, prerelease: '' } : undefined
  }
  return parseSemver(bare)
}

/**
 * Negative, zero or positive, as a sort function wants it; a pre-release comes before its release.
 */
export function compareVersions(a: VersionNumber, b: VersionNumber): number {
  const byParts = compareParts(a.parts, b.parts)
  if (byParts !== 0 || a.prerelease === b.prerelease) return byParts
  if (a.prerelease === '' || b.prerelease === '') return a.prerelease === '' ? 1 : -1
  return comparePrereleases(a.prerelease.split('.'), b.prerelease.split('.'))
}

/** Compares only the numbers. */
export function compareParts(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < a.length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * A whole number without sign and leading zero, small enough to be exact; `undefined` for any other
 * text.
 */
export function parseNumber(text: string): number | undefined {
  if (text.length === 0 || text.length > 15 || (text.length > 1 && text.charCodeAt(0) === 0x30)) return undefined
  let value = 0
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 0x30
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value
}

function parseDate(text: string): VersionNumber | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const time = Date.parse(`${text}T00:00:00Z`)
  // Some engines roll 30 February over to March: only a date that comes back unchanged exists.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text)) return undefined
  return { parts: [time / 86_400_000], partCount: 1, prerelease: '' }
}

function parseSemver(text: string): VersionNumber | undefined {
  const hyphen = text.indexOf('-')
  const numbers = (hyphen === -1 ? text : text.slice(0, hyphen)).split('.')
  const prerelease = hyphen === -1 ? '' : text.slice(hyphen + 1)
  if (numbers.length > 3 || (hyphen !== -1 && (numbers.length < 3 || !isPrerelease(prerelease)))) return undefined
  const parts = numbers.map(parseNumber)
  if (parts.includes(undefined)) return undefined
  return { parts: [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0], partCount: numbers.length, prerelease }
}

function isPrerelease(text: string): boolean {
  return text.split('.').every((identifier) => /^[0-9A-Za-z-]+$/.test(identifier))
}

// Semantic Versioning 2.0.0, 11.4: numbers by value, words by their letters, numbers before words,
// fewer before more.
function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [left, right] = [a[index], b[index]]
    if (left === right) continue
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1
    const [x, y] = [parseNumber(left), parseNumber(right)]
    if (x !== undefined && y !== undefined) return x - y
    if (x !== undefined || y !== undefined) return x !== undefined ? -1 : 1
    return left < right ? -1 : 1
  }
  return 0
}
