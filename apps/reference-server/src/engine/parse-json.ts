import { failure } from '../messages/errors.ts'
import { type Message, type MessageKey, message, quoteInput } from '../messages/messages.ts'

const MAX_DEPTH = 32

/**
 * Reads JSON as a service should: UTF-8 without BOM, no name twice in an object, at most 32 levels. `JSON.parse`
 * keeps the last of two equal names, so that a proxy which keeps the first would have checked another document.
 */
export function parseJson(body: Buffer): unknown {
  const text = decode(body)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const { offset, expected } = findSyntaxProblem(text) ?? { offset: 0, expected: 'json.value' }
    const params = { ...placeAt(text, offset), expected: message(expected), found: nameAt(text, offset) }
    throw failure('MALFORMED_BODY.json', params)
  }
  checkStrictness(text)
  return value
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(body: Buffer): string {
  try {
    return decoder.decode(body)
  } catch {
    throw failure('MALFORMED_BODY.utf8')
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const COMMA = 0x2c

// Runs behind JSON.parse, so the text is known to be JSON: names are the strings that follow `{` and, in an object, `,`.
function checkStrictness(text: string): void {
  const names: (Set<string> | undefined)[] = []
  let isName = false
  for (let position = 0; position < text.length; position++) {
    const char = text.charCodeAt(position)
    if (char === QUOTE) {
      const end = endOfString(text, position)
      const objectNames = names.at(-1)
      if (isName && objectNames) {
        const name: string = JSON.parse(text.slice(position, end + 1))
        if (objectNames.has(name))
          throw failure('MALFORMED_BODY.twice', { name: JSON.stringify(quoteInput(name)), ...placeAt(text, position) })
        objectNames.add(name)
        isName = false
      }
      position = end
    } else if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
      isName = char === OPEN_OBJECT
      names.push(isName ? new Set() : undefined)
      if (names.length > MAX_DEPTH)
        throw failure('MALFORMED_BODY.depthAt', { max: MAX_DEPTH, ...placeAt(text, position) })
    } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) {
      names.pop()
      isName = false
    } else if (char === COMMA) {
      isName = names.at(-1) !== undefined
    }
  }
}

function endOfString(text: string, start: number): number {
  let position = start + 1
  while (text.charCodeAt(position) !== QUOTE) position += text.charCodeAt(position) === BACKSLASH ? 2 : 1
  return position
}

/** Position at which a text stops being JSON (RFC 8259), and what was expected there. */
export interface SyntaxProblem {
  offset: number
  expected: MessageKey
}

type State = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'comma' | 'end'

const EXPECTED: Readonly<Record<Exclude<State, 'comma'>, MessageKey>> = {
  value: 'json.value',
  valueOrEnd: 'json.valueOrEnd',
  name: 'json.name',
  nameOrEnd: 'json.nameOrEnd',
  colon: 'json.colon',
  end: 'json.end',
}

/** Finds the first place at which a text is not JSON; `undefined` if all of it is. Reads each character once. */
export function findSyntaxProblem(text: string): SyntaxProblem | undefined {
  const open: ('{' | '[')[] = []
  let state: State = 'value'
  let offset = 0
  const close = (): void => {
    open.pop()
    state = open.length === 0 ? 'end' : 'comma'
    offset++
  }
  for (;;) {
    offset = skipWhitespace(text, offset)
    const character = text[offset]
    const isInObject = open.at(-1) === '{'
    if (character === undefined && state === 'end') return undefined
    if (state === 'comma') {
      if (character === ',') {
        state = isInObject ? 'name' : 'value'
        offset++
      } else if (character === (isInObject ? '}' : ']')) close()
      else return { offset, expected: isInObject ? 'json.commaOrBrace' : 'json.commaOrBracket' }
    } else if (state === 'colon') {
      if (character !== ':') return { offset, expected: EXPECTED.colon }
      state = 'value'
      offset++
    } else if (state === 'name' || state === 'nameOrEnd') {
      if (character === '}' && state === 'nameOrEnd') {
        close()
        continue
      }
      if (character !== '"') return { offset, expected: EXPECTED[state] }
      const end = scanString(text, offset)
      if (typeof end !== 'number') return end
      state = 'colon'
      offset = end
    } else if (state === 'value' || state === 'valueOrEnd') {
      if (character === '{' || character === '[') {
        open.push(character)
        state = character === '{' ? 'nameOrEnd' : 'valueOrEnd'
        offset++
      } else if (character === ']' && state === 'valueOrEnd') close()
      else {
        const end = scanScalar(text, offset, EXPECTED[state])
        if (typeof end !== 'number') return end
        state = open.length === 0 ? 'end' : 'comma'
        offset = end
      }
    } else return { offset, expected: EXPECTED.end }
  }
}

/** Line and column of an offset, both from 1. A column is a character. */
export function placeAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: [...before.slice(start)].length + 1 }
}

const WORD = /[\w$.+-]{1,20}/y

/**
 * Describes what is at an offset, for messages: a word or a character in quotes, or the end of the
 * text.
 */
export function nameAt(text: string, offset: number): Message {
  if (offset >= text.length) return message('json.end')
  WORD.lastIndex = offset
  const [shown = String.fromCodePoint(text.codePointAt(offset) ?? 0)] = WORD.exec(text) ?? []
  return message('json.character', { character: JSON.stringify(shown.toWellFormed()) })
}

function skipWhitespace(text: string, start: number): number {
  let offset = start
  while (text[offset] === ' ' || text[offset] === '\n' || text[offset] === '\r' || text[offset] === '\t') offset++
  return offset
}

/** Returns where a string, a number or a literal ends. */
function scanScalar(text: string, offset: number, expected: MessageKey): number | SyntaxProblem {
  const character = text[offset] ?? ''
  if (character === '"') return scanString(text, offset)
  if (character === '-' || isDigit(character)) return scanNumber(text, offset)
  for (const literal of ['true', 'false', 'null'])
    if (text.startsWith(literal, offset) && !/\w/.test(text[offset + literal.length] ?? ''))
      return offset + literal.length
  return { offset, expected }
}

const ESCAPED = '"\\/bfnrt'
const HEX = /[\da-fA-F]{4}/y

function scanString(text: string, start: number): number | SyntaxProblem {
  let offset = start + 1
  for (;;) {
    const character = text[offset]
    if (character === '"') return offset + 1
    if (character === undefined || character === '\n' || character === '\r') return { offset, expected: 'json.quote' }
    if (character < ' ') return { offset, expected: 'json.escape' }
    if (character !== '\\') offset++
    else if (text[offset + 1] === 'u') {
      HEX.lastIndex = offset + 2
      if (!HEX.test(text)) return { offset, expected: 'json.escape' }
      offset += 6
    } else {
      if (!ESCAPED.includes(text[offset + 1] ?? ' ')) return { offset, expected: 'json.escape' }
      offset += 2
    }
  }
}

function scanNumber(text: string, start: number): number | SyntaxProblem {
  let offset = text[start] === '-' ? start + 1 : start
  const digits = (): boolean => {
    const first = offset
    while (isDigit(text[offset])) offset++
    return offset > first
  }
  // A number does not begin with a zero: what follows a zero does not belong to the number.
  if (text[offset] === '0') offset++
  else if (!digits()) return { offset, expected: 'json.digit' }
  if (text[offset] === '.') {
    offset++
    if (!digits()) return { offset, expected: 'json.digit' }
  }
  if (text[offset] === 'e' || text[offset] === 'E') {
    offset++
    if (text[offset] === '+' || text[offset] === '-') offset++
    if (!digits()) return { offset, expected: 'json.digit' }
  }
  return offset
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}
