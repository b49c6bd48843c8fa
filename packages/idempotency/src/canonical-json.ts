import { createArgumentError } from '../../internal/options.ts'

/**
 * Converts JSON to its canonical form (RFC 8785), in one pass. Returns `undefined` if there is
 * none: for invalid JSON, duplicate names, numbers that a double cannot represent, lone surrogates
 * (RFC 7493 §2), and nesting deeper than `maxDepth`.
 */
export function canonicalJson(text: string, maxDepth = 100): string | undefined {
  if (typeof text !== 'string') throw createArgumentError('idempotency: canonicalJson', 'text', 'a string', text)
  if (!text.isWellFormed()) return undefined
  const scanner: Scanner = { text, offset: 0, depth: maxDepth, changes: 0 }
  const value = readValue(scanner)
  if (value === undefined) return undefined
  if (scanner.offset < text.length) skipSpace(scanner)
  return scanner.offset === text.length ? value : undefined
}

interface Scanner {
  readonly text: string
  offset: number
  /** Number of levels that may still be opened. */
  depth: number
  /** Number of differences so far between the text and its canonical form. */
  changes: number
}

const SPACE = 0x20

function readValue(scanner: Scanner): string | undefined {
  let char = scanner.text.charCodeAt(scanner.offset)
  if (char <= SPACE) char = skipSpace(scanner)
  if (char === 0x22) return readString(scanner)
  if (char === 0x7b || char === 0x5b) {
    if (scanner.depth-- === 0) return undefined
    const nested = char === 0x7b ? readObject(scanner) : readArray(scanner)
    scanner.depth++
    return nested
  }
  if (char === 0x2d || (char >= 0x30 && char <= 0x39)) return readNumber(scanner)
  const word = char === 0x74 ? 'true' : char === 0x66 ? 'false' : 'null'
  if (!scanner.text.startsWith(word, scanner.offset)) return undefined
  scanner.offset += word.length
  return word
}

function readObject(scanner: Scanner): string | undefined {
  const { text, offset: start, changes: before } = scanner
  const names: string[] = []
  const members: string[] = []
  let last = ''
  let char = text.charCodeAt(++scanner.offset)
  if (char <= SPACE) char = skipSpace(scanner)
  if (char === 0x7d) {
    scanner.offset++
    return '{}'
  }
  for (;;) {
    if (char !== 0x22) return undefined
    const { offset, changes } = scanner
    const written = readString(scanner)
    if (written === undefined) return undefined
    char = text.charCodeAt(scanner.offset)
    if (char <= SPACE) char = skipSpace(scanner)
    if (char !== 0x3a) return undefined
    scanner.offset++
    const value = readValue(scanner)
    if (value === undefined) return undefined
    // RFC 8785 §3.2.3: names are ordered by their UTF-16 code units, unescaped.
    const name = written.includes('\\') ? String(JSON.parse(written)) : written.slice(1, -1)
    names.push(name)
    // A slice of the text costs less than to put a member together from its parts.
    members.push(scanner.changes === changes ? text.slice(offset, scanner.offset) : `${written}:${value}`)
    if (last >= name) scanner.changes++
    last = name
    char = text.charCodeAt(scanner.offset)
    if (char <= SPACE) char = skipSpace(scanner)
    scanner.offset++
    if (char === 0x7d)
      return scanner.changes === before ? text.slice(start, scanner.offset) : sortMembers(names, members)
    if (char !== 0x2c) return undefined
    char = text.charCodeAt(scanner.offset)
    if (char <= SPACE) char = skipSpace(scanner)
  }
}

/** Up to this number, an insertion sort takes less time than `Array.prototype.sort`. */
const FEW_NAMES = 20

function sortMembers(names: readonly string[], members: readonly string[]): string | undefined {
  const isFew = names.length <= FEW_NAMES
  const order: number[] = []
  const isAfter = (a = 0, b = 0): boolean => (names[a] ?? '') > (names[b] ?? '')
  for (let next = 0; next < names.length; next++) {
    let place = next
    for (; isFew && place > 0 && isAfter(order[place - 1], next); place--) order[place] = order[place - 1] ?? 0
    order[place] = next
  }
  if (!isFew) order.sort((a, b) => (isAfter(a, b) ? 1 : -1))
  let text = ''
  let last: string | undefined
  for (const position of order) {
    if (names[position] === last) return undefined
    last = names[position]
    text += text === '' ? members[position] : `,${members[position]}`
  }
  return `{${text}}`
}

function readArray(scanner: Scanner): string | undefined {
  let char = scanner.text.charCodeAt(++scanner.offset)
  if (char <= SPACE) char = skipSpace(scanner)
  if (char === 0x5d) {
    scanner.offset++
    return '[]'
  }
  let text = ''
  for (;;) {
    const value = readValue(scanner)
    if (value === undefined) return undefined
    text += text === '' ? value : `,${value}`
    char = scanner.text.charCodeAt(scanner.offset)
    if (char <= SPACE) char = skipSpace(scanner)
    scanner.offset++
    if (char !== 0x2c) return char === 0x5d ? `[${text}]` : undefined
  }
}

function readString(scanner: Scanner): string | undefined {
  const { text, offset: start } = scanner
  let escaped = false
  for (let offset = start + 1; offset < text.length; offset++) {
    const char = text.charCodeAt(offset)
    if (char < 0x20) return undefined
    if (char === 0x5c) {
      escaped = true
      offset++
    } else if (char === 0x22) {
      scanner.offset = offset + 1
      const written = text.slice(start, scanner.offset)
      if (!escaped) return written
      scanner.changes++
      return rewriteEscapes(written)
    }
  }
  return undefined
}

// JSON.stringify escapes exactly what RFC 8785 §3.2.2.2 requires.
function rewriteEscapes(written: string): string | undefined {
  try {
    const value = String(JSON.parse(written))
    return value.isWellFormed() ? JSON.stringify(value) : undefined
  } catch {
    return undefined
  }
}

const FRACTION = /(?:\.\d+)?(?:[eE][+-]?\d+)?/y

function readNumber(scanner: Scanner): string | undefined {
  const { text, offset: start } = scanner
  const wholeFrom = text.charCodeAt(start) === 0x2d ? start + 1 : start
  let end = wholeFrom
  let char = text.charCodeAt(end)
  while (char >= 0x30 && char <= 0x39) char = text.charCodeAt(++end)
  const whole = end - wholeFrom
  if (whole === 0 || (whole > 1 && text.charCodeAt(wholeFrom) === 0x30)) return undefined
  const isInteger = char !== 0x2e && (char | 0x20) !== 0x65
  if (!isInteger) {
    FRACTION.lastIndex = end
    FRACTION.test(text)
    if (FRACTION.lastIndex === end) return undefined
    end = FRACTION.lastIndex
  }
  scanner.offset = end
  const literal = text.slice(start, end)
  if (isInteger && literal.length <= 15 && literal !== '-0') return literal
  scanner.changes++
  return formatNumber(literal, isInteger)
}

// Different amounts must stay different: an integer that a double would change, and a number with
// more than the 17 digits that RFC 8785 formats have no canonical form.
function formatNumber(literal: string, isInteger: boolean): string | undefined {
  const value = Number(literal)
  if (!Number.isFinite(value)) return undefined
  const written = String(value === 0 ? 0 : value)
  if (literal.length <= 15) return written
  const isExact = isInteger ? literal === written : countDigits(literal) <= 17
  return isExact ? written : undefined
}

/** Counts significant digits: without sign, point, exponent, and leading and trailing zeros. */
function countDigits(literal: string): number {
  let digits = 0
  let zeros = 0
  for (const char of literal) {
    if (char === 'e' || char === 'E') break
    if (char === '0') zeros++
    else if (char > '0') {
      digits += digits === 0 ? 1 : zeros + 1
      zeros = 0
    }
  }
  return digits
}

/** Skips white space and returns the character after it; NaN at the end. */
function skipSpace(scanner: Scanner): number {
  scanner.changes++
  for (;;) {
    const char = scanner.text.charCodeAt(scanner.offset)
    if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09) return char
    scanner.offset++
  }
}
