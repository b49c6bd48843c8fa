import { createArgumentError } from '../../internal/options.ts'

const QUOTE = 0x22
const SPACE = 0x20
const HTAB = 0x09
const COMMA = 0x2c

const LONG_LIST = 1024

/** A parsed ETag (RFC 9110 §8.8.3). */
export interface ETag {
  /** Whether it begins with `W/`: the content is equivalent, not equal by bytes. */
  readonly weak: boolean
  /** The text between the quotes. */
  readonly opaque: string
}

/**
 * Whether a header such as `If-None-Match` lists an ETag that passes `matches`, which gets the
 * offsets of its opaque part. Returns `undefined` if the header is malformed. A scanner, since a
 * comma inside the quotes belongs to the ETag (RFC 9110 §8.8.3).
 */
export function someTag(
  header: string,
  matches: (start: number, end: number, weak: boolean) => boolean,
): boolean | undefined {
  let isMatch: boolean | undefined
  let isAfterTag = false
  let offset = 0
  while (offset < header.length) {
    const char = header.charCodeAt(offset)
    // Empty items are allowed (RFC 9110 §5.6.1.2).
    if (char === COMMA || char === SPACE || char === HTAB) {
      if (char === COMMA) isAfterTag = false
      offset++
      continue
    }
    const weak = char !== QUOTE
    if (isAfterTag || (weak && !header.startsWith('W/"', offset))) return undefined
    const start = offset + (weak ? 3 : 1)
    const end = header.indexOf('"', start)
    if (end === -1) return undefined
    isMatch = isMatch || matches(start, end, weak)
    isAfterTag = true
    offset = end + 1
  }
  return isMatch
}

/** Whether a well-formed list contains this ETag, weak or strong. */
export function listsTag(header: string, quoted: string): boolean {
  // A native search avoids scanning a long list of other ETags; a short list is scanned as fast. It
  // stops at each first character of what it searches, and the list is full of quotes.
  if (header.length > LONG_LIST && !header.includes(quoted.slice(1))) return false
  const length = quoted.length - 2
  const last = quoted.charCodeAt(length)
  return (
    someTag(header, (start, end) => {
      return end - start === length && header.charCodeAt(end - 1) === last && header.startsWith(quoted, start - 1)
    }) === true
  )
}

/** Parses a list of ETags. Returns `'*'` for the wildcard, `undefined` if the list is malformed. */
export function parseETags(header: string): ETag[] | '*' | undefined {
  if (typeof header !== 'string') throw createArgumentError('negotiate: parseETags', 'header', 'a string', header)
  if (isWildcard(header)) return '*'
  const tags: ETag[] = []
  const valid = someTag(header, (start, end, weak) => {
    tags.push({ weak, opaque: header.slice(start, end) })
    return false
  })
  return valid === undefined ? undefined : tags
}

/** Parses a single ETag. Returns `undefined` if it is malformed or not the only one. */
export function parseETag(value: string): ETag | undefined {
  if (typeof value !== 'string') throw createArgumentError('negotiate: parseETag', 'value', 'a string', value)
  const tags = parseETags(value)
  return Array.isArray(tags) && tags.length === 1 && !value.includes(',', value.lastIndexOf('"')) ? tags[0] : undefined
}

/** Returns an ETag of the app. Throws a `TypeError` if it is malformed. */
export function assertETag(owner: string, etag: string): ETag {
  const tag = typeof etag === 'string' ? parseETag(etag) : undefined
  if (tag) return tag
  throw createArgumentError(`negotiate: ${owner}`, 'etag', 'an ETag in quotes', etag)
}

/** Whether a header is the wildcard `*`, which matches any current representation. */
export function isWildcard(header: string): boolean {
  return header === '*' || (header.charCodeAt(0) !== QUOTE && header.trim() === '*')
}
