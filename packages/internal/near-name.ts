/**
 * Returns the supported name that a wrong name most likely means, or `undefined`: the same letters
 * in another case, the name that a peer uses for it (`peerNames`: peer's name to ours), a few
 * typos, a prefix such as `ttl` of `ttlSeconds`.
 */
export function findNearestName(
  name: string,
  supported: readonly string[],
  peerNames: Readonly<Record<string, string>> = {},
): string | undefined {
  const letters = toLetters(name)
  if (letters === '') return undefined
  const same = supported.find((candidate) => toLetters(candidate) === letters)
  return (
    same ??
    (Object.hasOwn(peerNames, name) ? peerNames[name] : undefined) ??
    closest(letters, supported) ??
    byPrefix(letters, supported) ??
    peerNames[closest(letters, Object.keys(peerNames)) ?? '']
  )
}

function closest(letters: string, names: readonly string[]): string | undefined {
  let best: string | undefined
  let limit = Math.min(2, Math.ceil(letters.length / 2) - 1)
  for (const name of names) {
    const edits = countEdits(letters, toLetters(name))
    if (edits > limit || (best !== undefined && edits === limit)) continue
    best = name
    limit = edits
  }
  return best
}

function byPrefix(letters: string, names: readonly string[]): string | undefined {
  if (letters.length < 3) return undefined
  const isPrefix = (name: string): boolean => name.startsWith(letters) || (name.length > 2 && letters.startsWith(name))
  return names.filter((name) => isPrefix(toLetters(name))).sort((a, b) => a.length - b.length)[0]
}

function toLetters(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

/**
 * Insertions, deletions, substitutions and swaps of neighboring letters (optimal string alignment).
 */
function countEdits(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const substitution = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swap = isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      current[column] = Math.min(substitution, swap, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}
