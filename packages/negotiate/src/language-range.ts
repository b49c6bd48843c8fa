import { createArgumentError } from '../../internal/options.ts'

/**
 * Whether a language range matches a tag by basic filtering (RFC 4647 §3.3.1): `de-CH` matches the
 * tag `de-CH` and its extensions such as `de-CH-1996`; `*` matches every tag.
 */
export function matchesLanguageRange(range: string, tag: string): boolean {
  if (typeof range !== 'string')
    throw createArgumentError('negotiate: matchesLanguageRange', 'range', 'a string', range)
  if (typeof tag !== 'string') throw createArgumentError('negotiate: matchesLanguageRange', 'tag', 'a string', tag)
  if (range === '*') return true
  const short = range.toLowerCase()
  const long = tag.toLowerCase()
  return long.startsWith(short) && (long.length === short.length || long.charAt(short.length) === '-')
}

/**
 * Whether a language range matches a tag by extended filtering (RFC 4647 §3.3.2): subtags of the
 * range can be `*`, and subtags of the tag can be skipped.
 */
export function matchesExtendedLanguageRange(range: string, tag: string): boolean {
  if (typeof range !== 'string')
    throw createArgumentError('negotiate: matchesExtendedLanguageRange', 'range', 'a string', range)
  if (typeof tag !== 'string')
    throw createArgumentError('negotiate: matchesExtendedLanguageRange', 'tag', 'a string', tag)
  const expected = range.toLowerCase().split('-')
  const subtags = tag.toLowerCase().split('-')
  if (expected[0] !== '*' && expected[0] !== subtags[0]) return false
  let offset = 1
  for (const subtagRange of expected.slice(1)) {
    if (subtagRange === '*') continue
    while (subtags[offset] !== subtagRange) {
      const subtag = subtags[offset]
      if (subtag === undefined || subtag.length === 1) return false
      offset++
    }
    offset++
  }
  return true
}
