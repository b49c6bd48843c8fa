const HTAB = 0x09
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c

/**
 * Splits a list header at its commas, except in quoted strings, and drops empty items (RFC 9110
 * §5.6.1). Linear; stops after `limit` items.
 */
export function splitList(value: string, separator = COMMA, limit = Number.POSITIVE_INFINITY): string[] {
  const members: string[] = []
  let start = 0
  let quoted = false
  for (let offset = 0; offset <= value.length; offset++) {
    const char = offset === value.length ? separator : value.charCodeAt(offset)
    if (quoted && offset < value.length) {
      if (char === BACKSLASH) offset++
      else if (char === QUOTE) quoted = false
    } else if (char === QUOTE) {
      quoted = true
    } else if (char === separator) {
      const member = trim(value, start, offset)
      if (member !== '') members.push(member)
      if (members.length >= limit) break
      start = offset + 1
    }
  }
  return members
}

/**
 * Returns the text between two positions without the white space around it: SP and HTAB only (RFC
 * 9110 §5.6.3).
 */
export function trim(value: string, start: number, end: number): string {
  let from = start
  let to = end
  while (from < to && isSpace(value.charCodeAt(from))) from++
  while (to > from && isSpace(value.charCodeAt(to - 1))) to--
  return value.slice(from, to)
}

/** Returns the value of a quoted string (RFC 9110 §5.6.4). Anything else is returned as is. */
export function unquote(value: string): string {
  if (value.length < 2 || value.charCodeAt(0) !== QUOTE || value.charCodeAt(value.length - 1) !== QUOTE) return value
  const inner = value.slice(1, -1)
  return inner.includes('\\') ? inner.replace(/\\(.)/gs, '$1') : inner
}

function isSpace(char: number): boolean {
  return char === SPACE || char === HTAB
}
