/** Format of version names: `'1'`, `'2026-01-31'` or `'1.4.0'`. */
export type VersionScheme = 'integer' | 'date' | 'semver'

/** A version as numbers, most significant first, for comparison. */
export interface VersionNumber {
  parts: readonly number[]
  /** Number of specified parts: `1.4` has two of three. */
  partCount: number
  /** The prerelease of a semver version, such as `beta.2`. */
  prerelease: string
}

/** Number of parts of a version by scheme. */
export const PARTS: Record<VersionScheme, number> = { integer: 1, date: 1, semver: 3 }

const MAX_LENGTH = 64

/**
 * Parses a version with or without a leading `v`. Returns `undefined` if it is not one of the
 * scheme.
 */
export function parseVersion(text: string, scheme: VersionScheme): VersionNumber | undefined {
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

/** Compares versions for sorting. A prerelease comes before its release. */
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
 * Parses an integer without sign and leading zero, small enough to be exact. Returns `undefined`
 * for any other string.
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
  // Some engines roll February 30 over to March, so a date only exists if it is formatted
  // unchanged.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text)) return undefined
  return { parts: [time / 86_400_000], partCount: 1, prerelease: '' }
}

function parseSemver(text: string): VersionNumber | undefined {
  const hyphen = text.indexOf('-')
  const numbers = (hyphen === -1 ? text : text.slice(0, hyphen)).split('.')
  const prerelease = hyphen === -1 ? '' : text.slice(hyphen + 1).toLowerCase()
  if (numbers.length > 3 || (hyphen !== -1 && (numbers.length < 3 || !isPrerelease(prerelease)))) return undefined
  const parts = numbers.map(parseNumber)
  if (parts.includes(undefined)) return undefined
  return { parts: [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0], partCount: numbers.length, prerelease }
}

function isPrerelease(text: string): boolean {
  return text.split('.').every((identifier) => /^[0-9A-Za-z-]+$/.test(identifier))
}

// Semantic Versioning 2.0.0 §11.4: numbers by value, identifiers by their characters, numbers
// before identifiers, fewer before more.
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
