import { type Message, message } from './messages.ts'

/** Returns the question that names what was probably meant; `undefined` if nothing is close. */
export function nearHint(name: string, names: Iterable<string>): Message | undefined {
  const near = findNearName(name, names)
  return near === undefined ? undefined : message('headline.near', { near })
}

const MIN_PREFIX = 3
const MAX_LENGTH = 64

/**
 * Returns the closest name: at most a third of its letters differ (an exchange of two neighbors is
 * one difference), or one of the two begins with the other.
 */
export function findNearName(name: string, names: Iterable<string>): string | undefined {
  if (name === '' || name.length > MAX_LENGTH) return undefined
  const wanted = name.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of names) {
    const other = candidate.toLowerCase()
    const isLong = Math.min(other.length, wanted.length) >= MIN_PREFIX
    const isPrefix = isLong && (other.startsWith(wanted) || wanted.startsWith(other))
    const distance = isPrefix ? 1 : countEdits(wanted, other, bestDistance)
    if (distance >= bestDistance) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

/**
 * Counts the insertions, deletions, substitutions and exchanges of neighbors between two words, up
 * to `limit`. Most names are so different that the first letters tell.
 */
export function countEdits(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let beforePrevious: number[] = []
  let leastBefore = 0
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= b.length; column++) {
      const isEqual = a[row - 1] === b[column - 1]
      const isExchange = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        (previous[column - 1] ?? 0) + (isEqual ? 0 : 1),
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        isExchange ? (beforePrevious[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
      least = Math.min(least, current[column] ?? 0)
    }
    // No row has fewer than the least of the two before it.
    if (least >= limit && leastBefore >= limit) return limit
    leastBefore = least
    beforePrevious = previous
    previous = current
  }
  return Math.min(previous[b.length] ?? 0, limit)
}

const MAX_SEGMENTS = 8

/**
 * Returns a function that finds the path that was probably meant. It compares segment by segment; a
 * variable matches any word.
 */
export function nearPaths(paths: readonly string[]): (path: string) => string | undefined {
  const templates = paths.map((path) => path.slice(1).split('/'))
  return (path) => {
    const segments = path.slice(1).split('/')
    if (segments.length > MAX_SEGMENTS) return undefined
    const near = templates.flatMap((names) => compare(segments, names) ?? [])
    return near.sort((a, b) => a.distance - b.distance)[0]?.path
  }
}

function compare(
  segments: readonly string[],
  names: readonly string[],
): { path: string; distance: number } | undefined {
  if (segments.length !== names.length) return undefined
  let distance = 0
  let path = ''
  for (const [index, name] of names.entries()) {
    const segment = segments[index] ?? ''
    const isVariable = name.startsWith('{')
    // The value of a variable is repeated as it was sent, so it must be a plain word.
    if (isVariable ? !/^\w{1,40}$/.test(segment) : segment !== name && findNearName(segment, [name]) === undefined)
      return undefined
    if (!isVariable && segment !== name) distance += countEdits(segment, name)
    path += `/${isVariable ? segment : name}`
  }
  return { path, distance }
}
