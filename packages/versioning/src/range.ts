import {
  compareParts,
  compareVersions,
  PARTS,
  parseVersion,
  type VersionNumber,
  type VersionScheme,
} from './version.ts'

/** Returns whether a version is in a range. */
export type RangeTest = (version: VersionNumber) => boolean

const MAX_LENGTH = 256
const MAX_COMPARATORS = 16

/**
 * Parses a range of `Accept-Version`: `*`, `latest`, `1.x`, `^1`, `~1.2`, `>=1 <3`, `1 - 3` and
 * alternatives with `||`. Returns `undefined` if it is malformed. A prerelease is only in a range
 * that names it exactly.
 */
export function parseRange(text: string, scheme: VersionScheme): RangeTest | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const alternatives: RangeTest[] = []
  for (const alternative of text.split('||')) {
    const test = parseAlternative(alternative, scheme)
    if (!test || alternatives.length >= MAX_COMPARATORS) return undefined
    alternatives.push(test)
  }
  const [only] = alternatives
  return alternatives.length === 1 ? only : (version) => alternatives.some((test) => test(version))
}

function parseAlternative(text: string, scheme: VersionScheme): RangeTest | undefined {
  const words = text.split(/[ \t]/).filter((word) => word !== '')
  if (words.length === 0 || words.length > MAX_COMPARATORS) return undefined
  const [first = '', dash, last = ''] = words
  if (words.length === 3 && dash === '-') {
    const [from, to] = [parseBounds(first, scheme), parseBounds(last, scheme)]
    return from && to && ((version) => isAtLeast(version, from) && isAtMost(version, to) && isRelease(version))
  }
  const tests: RangeTest[] = []
  for (const word of joinOperators(words)) {
    const test = parseComparator(word, scheme)
    if (!test) return undefined
    tests.push(test)
  }
  return (version) => tests.every((test) => test(version))
}

// `>= 1` is as common as `>=1`.
function joinOperators(words: readonly string[]): string[] {
  const joined: string[] = []
  for (const word of words) {
    const previous = joined.at(-1)
    if (previous !== undefined && /^[<>=~^]+$/.test(previous)) joined[joined.length - 1] = previous + word
    else joined.push(word)
  }
  return joined
}

function parseComparator(word: string, scheme: VersionScheme): RangeTest | undefined {
  if (word === '*' || word === 'x' || word === 'X' || word === 'latest') return isRelease
  const operator = /^(?:[<>]=?|[=^~])/.exec(word)?.[0] ?? ''
  const bounds = parseBounds(word.slice(operator.length), scheme)
  if (!bounds) return undefined
  const { version: bound, end } = bounds
  switch (operator) {
    case '>=':
      return (version) => isRelease(version) && isAtLeast(version, bounds)
    case '>':
      return (version) => isRelease(version) && !isAtMost(version, bounds)
    case '<':
      return (version) => isRelease(version) && !isAtLeast(version, bounds)
    case '<=':
      return (version) => isRelease(version) && isAtMost(version, bounds)
    case '^':
      return scheme === 'date' ? undefined : between(bounds, getCaretEnd(bound))
    case '~':
      return scheme === 'date' ? undefined : between(bounds, getTildeEnd(bound))
    default:
      return isRelease(bound) ? between(bounds, end) : (version) => compareVersions(version, bound) === 0
  }
}

interface Bounds {
  version: VersionNumber
  /** The first version after everything that the range names: `1.2` ends at 1.3.0. */
  end: readonly number[]
}

function parseBounds(text: string, scheme: VersionScheme): Bounds | undefined {
  const version = parseVersion(scheme === 'date' ? text : removeWildcards(text), scheme)
  return version && { version, end: incrementPart(version.parts, version.partCount) }
}

function removeWildcards(text: string): string {
  let end = text.length
  while (end > 2 && text.charAt(end - 2) === '.' && 'xX*'.includes(text.charAt(end - 1))) end -= 2
  return text.slice(0, end)
}

function incrementPart(parts: readonly number[], partCount: number): readonly number[] {
  return parts.map((part, index) => (index < partCount - 1 ? part : index === partCount - 1 ? part + 1 : 0))
}

/** `^` fixes the first number that is not zero. */
function getCaretEnd({ parts, partCount }: VersionNumber): readonly number[] {
  const significant = parts.findIndex((part) => part !== 0)
  return incrementPart(parts, significant === -1 ? partCount : Math.min(significant + 1, PARTS.semver))
}

/** `~` fixes major and minor, if there is a minor. */
function getTildeEnd({ parts, partCount }: VersionNumber): readonly number[] {
  return incrementPart(parts, Math.min(partCount, 2))
}

function between(bounds: Bounds, end: readonly number[]): RangeTest {
  return (version) => isRelease(version) && isAtLeast(version, bounds) && isBelow(version, end)
}

function isRelease(version: VersionNumber): boolean {
  return version.prerelease === ''
}

function isAtLeast(version: VersionNumber, { version: bound }: Bounds): boolean {
  return compareVersions(version, bound) >= 0
}

function isAtMost(version: VersionNumber, { version: bound, end }: Bounds): boolean {
  return isRelease(bound) ? isBelow(version, end) : compareVersions(version, bound) <= 0
}

function isBelow(version: VersionNumber, end: readonly number[]): boolean {
  return compareParts(version.parts, end) < 0
}
