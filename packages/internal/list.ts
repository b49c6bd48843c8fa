const HTAB = 0x09
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c

/**
 * Splits a list-valued field at its commas, quoted strings kept whole, empty members dropped
 * (RFC 9110 5.6.1). Linear; stops after `limit` members.
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

/** The text between two positions without the white space around it: SP and HTAB alone (RFC 9110 5.6.3). */
export function trim(value: string, start: number, end: number): string {
  let from = start
  let to = end
  while (from < to && isSpace(value.charCodeAt(from))) from++
  while (to > from && isSpace(value.charCodeAt(to - 1))) to--
  return value.slice(from, to)
}

/** The value that a quoted string stands for; anything that is not a quoted string is returned as it is (RFC 9110 5.6.4). */
export function unquote(value: string): string {
  if (value.length < 2 || value.charCodeAt(0) !== QUOTE || value.charCodeAt(value.length - 1) !== QUOTE) return value
  const inner = value.slice(1, -1)
  return inner.includes('\\') ? inner.replace(/\\(.)/gs, '$1') : inner
}

function isSpace(char: number): boolean {
  return char === SPACE || char === HTAB
}
