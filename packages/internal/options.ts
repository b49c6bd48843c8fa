/**
 * Refuses an option that does not exist: a typo must not weaken a limit.
 * Throws `TypeError: ratelimit: unknown option "limt", did you mean "limit"?`.
 */
export function assertKnownOptions(owner: string, options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    const near = findNearestName(name, known)
    const hint = near === undefined ? `the options are ${known.join(', ')}` : `did you mean "${near}"?`
    throw new TypeError(`${owner}: unknown option "${name}", ${hint}`)
  }
}

/** A value as it is shown in the message of a TypeError: short, and never the inside of an object. */
export function inspectValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value)
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

/** The known word that is at most two edits (a third of its length for short words) away. */
export function findNearestName(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = Math.min(3, Math.ceil(word.length / 2))
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current[column] = Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
