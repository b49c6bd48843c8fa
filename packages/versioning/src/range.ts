import { compareParts, compareVersions, PARTS, parseVersion, type SchemeName, type VersionNumber } from './version.ts'

/** Whether a version lies in a range. */
export type RangeTest = (version: VersionNumber) => boolean

const MAX_LENGTH = 256
const MAX_COMPARATORS = 16

/**
 * Reads what `Accept-Version` may hold but a plain version: `*`, `latest`, `1.x`, `^1`, `~1.2`,
 * `>=1 <3`, `1 - 3` and alternatives with `||`. `undefined` when it is malformed. A pre-release is
 * in a range only where it is named exactly.
 */
export function parseRange(text: string, scheme: SchemeName): RangeTest | undefined {
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

function parseAlternative(text: string, scheme: SchemeName): RangeTest | undefined {
  const words = text.split(/[ \t]/).filter((word) => word !== '')
  if (words.length === 0 || words.length > MAX_COMPARATORS) return undefined
  const [first = '', dash, last = ''] = words
  if (words.length === 3 && dash === '-') {
    const [from, to] = [parseBounds(first, scheme), parseBounds(last, scheme)]
    return from && to && ((version) => isAtLeast(version, from) && isUpTo(version, to) && isRelease(version))
  }
  const tests: RangeTest[] = []
  for (const word of joinOperators(words)) {
    const test = parseComparator(word, scheme)
    if (!test) return undefined
    tests.push(test)
  }
  return (version) => tests.every((test) => test(version))
}

// `>= 1` is written as often as `>=1`.
function joinOperators(words: readonly string[]): string[] {
  const joined: string[] = []
  for (const word of words) {
    const previous = joined.at(-1)
    if (previous !== undefined && /^[<>=~^]+$/.test(previous)) joined[joined.length - 1] = previous + word
    else joined.push(word)
  }
  return joined
}

function parseComparator(word: string, scheme: SchemeName): RangeTest | undefined {
  if (word === '*' || word === 'x' || word === 'X' || word === 'latest') return isRelease
  const operator = /^(?:[<>]=?|[=^~])/.exec(word)?.[0] ?? ''
  const bounds = parseBounds(word.slice(operator.length), scheme)
  if (!bounds) return undefined
  const { version: bound, end } = bounds
  switch (operator) {
    case '>=':
      return (version) => isRelease(version) && isAtLeast(version, bounds)
    case '>':
      return (version) => isRelease(version) && !isUpTo(version, bounds)
    case '<':
      return (version) => isRelease(version) && !isAtLeast(version, bounds)
    case '<=':
      return (version) => isRelease(version) && isUpTo(version, bounds)
    case '^':
      return scheme === 'date' ? undefined : between(bounds, caretEnd(bound))
    case '~':
      return scheme === 'date' ? undefined : between(bounds, tildeEnd(bound))
    default:
      return isRelease(bound) ? between(bounds, end) : (version) => compareVersions(version, bound) === 0
  }
}

interface Bounds {
  version: VersionNumber
  /** The first numbers behind everything that the text names: `1.2` ends at 1.3.0. */
  end: readonly number[]
}

function parseBounds(text: string, scheme: SchemeName): Bounds | undefined {
  const version = parseVersion(scheme === 'date' ? text : withoutWildcards(text), scheme)
  return version && { version, end: endAfter(version.parts, version.partCount) }
}

function withoutWildcards(text: string): string {
  let end = text.length
  while (end > 2 && text.charAt(end - 2) === '.' && 'xX*'.includes(text.charAt(end - 1))) end -= 2
  return text.slice(0, end)
}

function endAfter(parts: readonly number[], partCount: number): readonly number[] {
  return parts.map((part, index) => (index < partCount - 1 ? part : index === partCount - 1 ? part + 1 : 0))
}

/** `^`: the first number that is not zero stays. */
function caretEnd({ parts, partCount }: VersionNumber): readonly number[] {
  const significant = parts.findIndex((part) => part !== 0)
  return endAfter(parts, significant === -1 ? partCount : Math.min(significant + 1, PARTS.semver))
}

/** `~`: major and minor stay, where a minor was written. */
function tildeEnd({ parts, partCount }: VersionNumber): readonly number[] {
  return endAfter(parts, Math.min(partCount, 2))
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

function isUpTo(version: VersionNumber, { version: bound, end }: Bounds): boolean {
  return isRelease(bound) ? isBelow(version, end) : compareVersions(version, bound) <= 0
}

function isBelow(version: VersionNumber, end: readonly number[]): boolean {
  return compareParts(version.parts, end) < 0
}
