import { unquote } from '../../internal/list.ts'
import { isToken } from './media-type.ts'
import { NO_PARAMETERS } from './offer-match.ts'
import { parseQuality } from './quality.ts'

/** One member of an `Accept*` field. */
export interface AcceptItem {
  /** The media range, coding, charset or language range in lower case. */
  readonly name: string
  /** Weight in thousandths. */
  readonly q: number
  /** All parameters but `q`: names in lower case, values unquoted, those of `charset` in lower case too. */
  readonly parameters: ReadonlyMap<string, string>
  /** Names of those that stand after `q`: extensions once, ignored unless the offer has them (RFC 7231 5.3.2). */
  readonly extensions: ReadonlySet<string> | undefined
  /** As the client wrote it. */
  readonly text: string
}

interface Cursor {
  readonly field: string
  at: number
}

interface Parameter {
  readonly name: string
  readonly value: string
  /** Whether it is what the grammar says, to the letter: looked at where that is asked for. */
  readonly isClean: boolean
}

const MAX_LENGTH = 4096
const MAX_MEMBERS = 64

const HTAB = 0x09
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const SEMICOLON = 0x3b
const EQUALS = 0x3d
const BACKSLASH = 0x5c

/**
 * Reads `Accept`, `Accept-Encoding`, `Accept-Charset` or `Accept-Language` (RFC 9110 12.4.2, 12.5) in one pass.
 * Never throws: a member that cannot be read is left out, with `strict` also one outside the grammar. `undefined`
 * when the field is absent, or longer than 4 KiB or 64 members: that is no preference, so that no client can make
 * reading costly.
 */
export function parseAcceptList(field: string | undefined, strict = false): AcceptItem[] | undefined {
  if (field === undefined || field.length > MAX_LENGTH) return undefined
  const cursor: Cursor = { field, at: 0 }
  const members: AcceptItem[] = []
  for (let count = 0; skipSeparators(cursor); count++) {
    if (count === MAX_MEMBERS) return undefined
    const member = readMember(cursor, strict)
    if (member) members.push(member)
  }
  return members
}

/** Whether a field has no member at all: for most fields that is the same as being absent. */
export function isBlank(field: string): boolean {
  return !skipSeparators({ field, at: 0 })
}

function readMember(cursor: Cursor, strict: boolean): AcceptItem | undefined {
  const { field } = cursor
  const start = cursor.at
  const name = readName(cursor)
  let q: number | undefined
  let parameters: Map<string, string> | undefined
  let extensions: Set<string> | undefined
  let isReadable = name !== '' && (!strict || name.split('/').every(isToken))
  while (field.charCodeAt(cursor.at) === SEMICOLON) {
    cursor.at++
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
  const text = field.slice(start, cursor.at)
  return { name, q: q ?? 1000, parameters: parameters ?? NO_PARAMETERS, extensions, text }
}

/** The text before the first semicolon, in lower case. */
function readName(cursor: Cursor): string {
  const { field, at: start } = cursor
  const end = endOfPart(cursor)
  return field.slice(start, end).toLowerCase()
}

function readParameter(cursor: Cursor, strict: boolean): Parameter | undefined {
  skipSpace(cursor)
  const { field, at: start } = cursor
  const end = endOfPart(cursor, EQUALS)
  if (field.charCodeAt(cursor.at) !== EQUALS)
    return end === start ? undefined : { name: field.slice(start, end).toLowerCase(), value: '', isClean: false }
  const isTight = cursor.at === end
  const name =
    end === start + 1 && (field.charCodeAt(start) | 0x20) === 0x71 ? 'q' : field.slice(start, end).toLowerCase()
  const valueStart = ++cursor.at
  skipSpace(cursor)
  const raw = field.slice(cursor.at, endOfPart(cursor))
  const isQuoted = raw.charCodeAt(0) === QUOTE
  const value = isQuoted ? unquote(raw) : raw
  const isClean = strict && isTight && field.startsWith(raw, valueStart) && (isQuoted ? name !== 'q' : isToken(raw))
  return { name, value: name === 'charset' ? value.toLowerCase() : value, isClean }
}

/**
 * Moves to the comma, semicolon or `stop` that ends this part, past those in quotes; returns where the part ends
 * without the white space after it.
 */
function endOfPart(cursor: Cursor, stop = SEMICOLON): number {
  const { field } = cursor
  let { at } = cursor
  let end = at
  for (; at < field.length; at++) {
    const char = field.charCodeAt(at)
    if (char === COMMA || char === SEMICOLON || char === stop) break
    if (char === SPACE || char === HTAB) continue
    if (char === QUOTE) at = endOfQuoted(field, at)
    end = at + 1
  }
  cursor.at = Math.min(at, field.length)
  return Math.min(end, field.length)
}

/** The place of the closing quote; the end of the field when there is none. */
function endOfQuoted(field: string, start: number): number {
  for (let offset = start + 1; offset < field.length; offset++) {
    const char = field.charCodeAt(offset)
    if (char === BACKSLASH) offset++
    else if (char === QUOTE) return offset
  }
  return field.length
}

function skipSpace(cursor: Cursor): void {
  const { field } = cursor
  while (field.charCodeAt(cursor.at) === SPACE || field.charCodeAt(cursor.at) === HTAB) cursor.at++
}

/** Empty members are skipped (RFC 9110 5.6.1.2). False at the end of the field. */
function skipSeparators(cursor: Cursor): boolean {
  const { field } = cursor
  while (cursor.at < field.length) {
    const char = field.charCodeAt(cursor.at)
    if (char !== COMMA && char !== SPACE && char !== HTAB) return true
    cursor.at++
  }
  return false
}
