const QUOTE = 0x22
const SPACE = 0x20
const HTAB = 0x09
const COMMA = 0x2c
const SLASH = 0x2f
const WEAK = 0x57

const LONG = 1024

/** An entity tag, taken apart (RFC 9110 8.8.3). */
export interface EntityTag {
  /** Whether it is marked `W/`: equal in meaning, not in bytes. */
  readonly weak: boolean
  /** The text between the quotes. */
  readonly opaque: string
}

/**
 * Whether a field such as `If-None-Match` lists a tag that passes `matches`, which gets the places where its opaque
 * part begins and ends. `undefined` when the field is malformed: then it says nothing. A scanner, since a comma
 * inside the quotes belongs to the tag (RFC 9110 8.8.3).
 */
export function someTag(
  field: string,
  matches: (start: number, end: number, weak: boolean) => boolean,
): boolean | undefined {
  let isMatch: boolean | undefined
  let isAfterTag = false
  let offset = 0
  while (offset < field.length) {
    const char = field.charCodeAt(offset)
    // Empty members of a list are allowed (RFC 9110 5.6.1.2).
    if (char === COMMA || char === SPACE || char === HTAB) {
      if (char === COMMA) isAfterTag = false
      offset++
      continue
    }
    const weak = char === WEAK && field.charCodeAt(offset + 1) === SLASH
    const start = weak ? offset + 3 : offset + 1
    if (isAfterTag || field.charCodeAt(start - 1) !== QUOTE) return undefined
    const end = field.indexOf('"', start)
    if (end === -1) return undefined
    isMatch = isMatch || matches(start, end, weak)
    isAfterTag = true
    offset = end + 1
  }
  return isMatch
}

/** Whether a well-formed list has this tag, weak or strong. */
export function listsTag(field: string, quoted: string): boolean {
  // The native search spares a long list of foreign tags the scanner; a short one is scanned in the same time.
  if (field.length > LONG && !field.includes(quoted)) return false
  const length = quoted.length - 2
  const last = quoted.charCodeAt(length)
  return (
    someTag(field, (start, end) => {
      return end - start === length && field.charCodeAt(end - 1) === last && field.startsWith(quoted, start - 1)
    }) === true
  )
}

/** Reads a list of entity tags; `'*'` for the wildcard, `undefined` when it is malformed. */
export function parseEntityTags(field: string): EntityTag[] | '*' | undefined {
  if (isWildcard(field)) return '*'
  const tags: EntityTag[] = []
  const valid = someTag(field, (start, end, weak) => {
    tags.push({ weak, opaque: field.slice(start, end) })
    return false
  })
  return valid === undefined ? undefined : tags
}

/** Reads one entity tag. */
export function parseEntityTag(text: string): EntityTag | undefined {
  const tags = parseEntityTags(text)
  return Array.isArray(tags) && tags.length === 1 && !text.includes(',', text.lastIndexOf('"')) ? tags[0] : undefined
}

/** Whether a field is the wildcard `*`, which stands for any current representation. */
export function isWildcard(field: string): boolean {
  return field === '*' || (field.charCodeAt(0) !== QUOTE && field.trim() === '*')
}
