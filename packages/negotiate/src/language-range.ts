/**
 * Basic filtering (RFC 4647 3.3.1): whether a range such as `de-CH` is the tag or a prefix of it that ends at a
 * hyphen. `*` matches everything.
 */
export function matchesBasic(range: string, tag: string): boolean {
  if (range === '*') return true
  const short = range.toLowerCase()
  const long = tag.toLowerCase()
  return long.startsWith(short) && (long.length === short.length || long.charAt(short.length) === '-')
}

/** Extended filtering (RFC 4647 3.3.2): subtags of the range may be `*`, and subtags of the tag may be skipped. */
export function matchesExtended(range: string, tag: string): boolean {
  const wanted = range.toLowerCase().split('-')
  const subtags = tag.toLowerCase().split('-')
  if (wanted[0] !== '*' && wanted[0] !== subtags[0]) return false
  let offset = 1
  for (const want of wanted.slice(1)) {
    if (want === '*') continue
    while (subtags[offset] !== want) {
      const subtag = subtags[offset]
      if (subtag === undefined || subtag.length === 1) return false
      offset++
    }
    offset++
  }
  return true
}
