const MAX_ENTRIES = 256
const MAX_LENGTH = 256
const SAMPLE = 8

/**
 * Caches what a pure function returns for a header. The last two values cost a comparison, the
 * other ones a lookup. At most 256 are cached, and none longer than `maxLength` characters, so that
 * no client can fill the memory. `toKey` copies a text that may be a part of a longer one, which
 * would stay in memory as well.
 */
export function memoize<R, H extends string | undefined>(
  compute: (header: H) => R,
  maxLength = MAX_LENGTH,
  toKey?: (header: string) => string,
): (header: H) => R {
  const cached = new Map<string, R>()
  let absent: { result: R } | undefined
  let last: string | undefined
  let lastResult: R | undefined
  let previous: string | undefined
  let previousResult: R | undefined
  let hits = 0
  let misses = 0
  let isUseful = true
  const learn = (header: H & string): R => {
    const result = compute(header)
    misses++
    // If every header is new, caching costs more than computing: then only a sample is cached.
    if (!isUseful && misses % SAMPLE !== 0) return result
    if (cached.size >= MAX_ENTRIES) {
      cached.clear()
      isUseful = hits > 0
      hits = 0
    }
    cached.set(toKey ? toKey(header) : header, result)
    return result
  }
  return (header) => {
    if (header === undefined) {
      absent ??= { result: compute(header) }
      return absent.result
    }
    if (header === last) return lastResult as R
    if (header === previous) return previousResult as R
    if (header.length > maxLength) return compute(header)
    let result = cached.get(header)
    if (result === undefined && !cached.has(header)) result = learn(header)
    else hits++
    previous = last
    previousResult = lastResult
    last = header
    lastResult = result
    return result as R
  }
}
