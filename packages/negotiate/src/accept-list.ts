import { unquote } from '../../internal/list.ts'
import { createArgumentError } from '../../internal/options.ts'
import { isToken } from './media-type.ts'
import { NO_PARAMETERS } from './offer-match.ts'
import { parseQuality } from './quality.ts'

/** An item of an `Accept*` header. */
export interface AcceptItem {
  /** The media range, encoding, charset or language range, in lower case. */
  readonly name: string
  /** Its quality, 0 to 1; 0 means not acceptable (RFC 9110 §12.4.2). */
  readonly q: number
  /**
   * All parameters except `q`: names in lower case, values unquoted, those of `charset` in lower
   * case too.
   */
  readonly parameters: ReadonlyMap<string, string>
  /**
   * Names of the parameters after `q`, extensions of RFC 7231 §5.3.2: ignored unless the offer has
   * them.
   */
  readonly extensions: ReadonlySet<string> | undefined
  /** The item as the client wrote it. */
  readonly text: string
}

interface Cursor {
  readonly header: string
  offset: number
}

interface Parameter {
  readonly name: string
  readonly value: string
  /** Whether the parameter follows the grammar exactly. Only computed for `strict`. */
  readonly isClean: boolean
}

/** Options for `parseAccept()` and `parseAcceptList()`. */
export interface ParseAcceptOptions {
  /**
   * Whether to omit items that are outside the grammar, instead of reading them leniently.
   * @defaultValue false
   */
  strict?: boolean
}

const MAX_LENGTH = 4096
const MAX_ITEMS = 64

const QUOTED = /^"(?:[^"\\]|\\.)*"$/s // RFC 9110 §5.6.4

const HTAB = 0x09
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const SEMICOLON = 0x3b
const EQUALS = 0x3d
const BACKSLASH = 0x5c

/**
 * Parses `Accept`, `Accept-Encoding`, `Accept-Charset` or `Accept-Language` in one pass (RFC 9110
 * §12.4.2, §12.5). Never throws: an item that cannot be read is omitted. Returns `undefined` if the
 * header is absent or exceeds 4 KiB or 64 items: it then states no preference, so that no client
 * can make parsing expensive.
 */
export function parseAcceptList(
  header: string | undefined,
  { strict = false }: ParseAcceptOptions = {},
): AcceptItem[] | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string') throw createArgumentError('negotiate: parseAcceptList', 'header', 'a string', header)
  if (header.length > MAX_LENGTH) return undefined
  const cursor: Cursor = { header, offset: 0 }
  const items: AcceptItem[] = []
  for (let count = 0; skipSeparators(cursor); count++) {
    if (count === MAX_ITEMS) return undefined
    const item = readItem(cursor, strict)
    if (item) items.push(item)
  }
  return items
}

/** Whether a header has no items. For most headers that is the same as absent. */
export function isBlank(header: string): boolean {
  return !skipSeparators({ header, offset: 0 })
}

function readItem(cursor: Cursor, strict: boolean): AcceptItem | undefined {
  const { header } = cursor
  const start = cursor.offset
  const name = readName(cursor)
  let q: number | undefined
  let parameters: Map<string, string> | undefined
  let extensions: Set<string> | undefined
  let isReadable = name !== '' && (!strict || name.split('/').every(isToken))
  while (header.charCodeAt(cursor.offset) === SEMICOLON) {
    cursor.offset++
    const parameter = readParameter(cursor, strict)
    if (parameter === undefined) continue
    if (strict && (!parameter.isClean || q !== undefined)) isReadable = false
    if (parameter.name === 'q') {
      q = parseQuality(parameter.value, strict)
      if (q === undefined) isReadable = false
      continue
    }
    parameters ??= new Map()
    if (!parameters.has(parameter.name)) parameters.set(parameter.name, parameter.value)
    if (q !== undefined) extensions = (extensions ?? new Set()).add(parameter.name)
  }
  if (!isReadable) return undefined
  const text = header.slice(start, cursor.offset)
  return { name, q: (q ?? 1000) / 1000, parameters: parameters ?? NO_PARAMETERS, extensions, text }
}

/** Reads the text before the first semicolon, in lower case. */
function readName(cursor: Cursor): string {
  const { header, offset: start } = cursor
  const end = skipPart(cursor)
  return header.slice(start, end).toLowerCase()
}

function readParameter(cursor: Cursor, strict: boolean): Parameter | undefined {
  skipSpace(cursor)
  const { header, offset: start } = cursor
  const end = skipPart(cursor, EQUALS)
  if (header.charCodeAt(cursor.offset) !== EQUALS)
    return end === start ? undefined : { name: header.slice(start, end).toLowerCase(), value: '', isClean: false }
  const isTight = cursor.offset === end
  const name =
    end === start + 1 && (header.charCodeAt(start) | 0x20) === 0x71 ? 'q' : header.slice(start, end).toLowerCase()
  const valueStart = ++cursor.offset
  skipSpace(cursor)
  const raw = header.slice(cursor.offset, skipPart(cursor))
  const isQuoted = raw.charCodeAt(0) === QUOTE
  const value = isQuoted ? unquote(raw) : raw
  const isWritten = strict && isTight && isToken(name) && header.startsWith(raw, valueStart)
  const isClean = isWritten && (isQuoted ? name !== 'q' && QUOTED.test(raw) : isToken(raw))
  return { name, value: name === 'charset' ? value.toLowerCase() : value, isClean }
}

/**
 * Moves to the comma, semicolon or `stop` that ends this part, skipping those in quotes. Returns
 * the end of the part without the white space after it.
 */
function skipPart(cursor: Cursor, stop = SEMICOLON): number {
  const { header } = cursor
  let { offset } = cursor
  let end = offset
  for (; offset < header.length; offset++) {
    const char = header.charCodeAt(offset)
    if (char === COMMA || char === SEMICOLON || char === stop) break
    if (char === SPACE || char === HTAB) continue
    if (char === QUOTE) offset = findClosingQuote(header, offset)
    end = offset + 1
  }
  cursor.offset = Math.min(offset, header.length)
  return Math.min(end, header.length)
}

/** Returns the offset of the closing quote, or the length of the header if there is none. */
function findClosingQuote(header: string, start: number): number {
  for (let offset = start + 1; offset < header.length; offset++) {
    const char = header.charCodeAt(offset)
    if (char === BACKSLASH) offset++
    else if (char === QUOTE) return offset
  }
  return header.length
}

function skipSpace(cursor: Cursor): void {
  const { header } = cursor
  while (header.charCodeAt(cursor.offset) === SPACE || header.charCodeAt(cursor.offset) === HTAB) cursor.offset++
}

/** Skips empty items (RFC 9110 §5.6.1.2). Returns false at the end of the header. */
function skipSeparators(cursor: Cursor): boolean {
  const { header } = cursor
  while (cursor.offset < header.length) {
    const char = header.charCodeAt(cursor.offset)
    if (char !== COMMA && char !== SPACE && char !== HTAB) return true
    cursor.offset++
  }
  return false
}
