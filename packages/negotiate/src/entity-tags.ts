const QUOTE = 0x22
const SPACE = 0x20
const HTAB = 0x09
const COMMA = 0x2c
const SLASH = 0x2f
const WEAK = 0x57

/** An entity tag, taken apart (RFC 9110 8.8.3). */
export interface EntityTag {
  /** Whether it is marked `W/`: equal in meaning, not in bytes. */
  readonly weak: boolean
  /** What stands between the quotes. */
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
  let found = false
  let members = 0
  let at = 0
  for (;;) {
    at = skip(field, at)
    if (at >= field.length) return members === 0 ? undefined : found
    const weak = field.charCodeAt(at) === WEAK && field.charCodeAt(at + 1) === SLASH
    if (weak) at += 2
    const end = field.charCodeAt(at) === QUOTE ? field.indexOf('"', at + 1) : -1
    if (end === -1) return undefined
    if (!found) found = matches(at + 1, end, weak)
    members++
    at = skipSpace(field, end + 1)
    if (at < field.length && field.charCodeAt(at) !== COMMA) return undefined
  }
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
  return field === '*' || field.trim() === '*'
}

// Empty members of a list are allowed (RFC 9110 5.6.1.2).
function skip(field: string, from: number): number {
  let at = from
  while (at < field.length && isSeparator(field.charCodeAt(at))) at++
  return at
}

function skipSpace(field: string, from: number): number {
  let at = from
  while (field.charCodeAt(at) === SPACE || field.charCodeAt(at) === HTAB) at++
  return at
}

function isSeparator(char: number): boolean {
  return char === COMMA || char === SPACE || char === HTAB
}
