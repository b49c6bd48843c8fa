const MAX_ENTRIES = 256
const MAX_LENGTH = 256
const SAMPLE = 8

/**
 * Remembers what a pure function made of a field. The last two values cost a comparison, the other ones a look-up;
 * never more than 256 are kept, and none longer than 256 characters, so that no client can fill it with rubbish.
 */
export function remember<R extends object>(decide: (field: string | undefined) => R): (field: string | undefined) => R {
  const known = new Map<string, R>()
  let absent: R | undefined
  let last: string | undefined
  let lastResult: R | undefined
  let previous: string | undefined
  let previousResult: R | undefined
  let hits = 0
  let misses = 0
  let isUseful = true
  const learn = (field: string): R => {
    const result = decide(field)
    misses++
    // Where every field is new, keeping results costs more than making them: then only a sample is kept.
    if (!isUseful && misses % SAMPLE !== 0) return result
    if (known.size >= MAX_ENTRIES) {
      known.clear()
      isUseful = hits > 0
      hits = 0
    }
    known.set(field, result)
    return result
  }
  return (field) => {
    if (field === undefined) {
      absent ??= decide(field)
      return absent
    }
    if (field === last && lastResult) return lastResult
    if (field === previous && previousResult) return previousResult
    if (field.length > MAX_LENGTH) return decide(field)
    let result = known.get(field)
    if (result === undefined) result = learn(field)
    else hits++
    previous = last
    previousResult = lastResult
    last = field
    lastResult = result
    return result
  }
}
