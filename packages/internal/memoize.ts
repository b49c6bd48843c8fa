const MAX_ENTRIES = 256
const MAX_LENGTH = 256
const SAMPLE = 32

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
  // Times that the cache may be cleared before only a sample is looked up.
  let credit = 1
  let turns = 0
  const learn = (header: H & string): R => {
    const result = compute(header)
    if (cached.size >= MAX_ENTRIES) {
      cached.clear()
      if (credit > 0) credit--
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
    let result: R | undefined
    // If every header is new, a lookup takes time for nothing, since V8 internalizes what a Map is
    // asked for: then only a sample is looked up, until one is there.
    if (credit > 0 || ++turns % SAMPLE === 0) {
      result = cached.get(header)
      if (result === undefined && !cached.has(header)) result = learn(header)
      else credit = 2
    } else result = compute(header)
    previous = last
    previousResult = lastResult
    last = header
    lastResult = result
    return result as R
  }
}
