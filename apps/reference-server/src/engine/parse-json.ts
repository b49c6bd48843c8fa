import { failure } from '../messages/errors.ts'
import { type Message, type MessageKey, message, quoteInput } from '../messages/messages.ts'

const MAX_DEPTH = 32

/**
 * Reads JSON as a service should: UTF-8 without BOM, no name twice in an object, at most 32 levels.
 * `JSON.parse` keeps the last of two equal names, so that a proxy which keeps the first would have
 * checked another document.
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

// Runs behind JSON.parse, so the text is known to be JSON: names are the strings that follow `{`
// and, in an object, `,`.
function checkStrictness(text: string): void {
  const names: (Set<string> | undefined)[] = []
  let isName = false
  for (let position = 0; position < text.length; position++) {
    const char = text.charCodeAt(position)
    if (char === QUOTE) {
      let end = position + 1
      while (text.charCodeAt(end) !== QUOTE) end += text.charCodeAt(end) === BACKSLASH ? 2 : 1
      const objectNames = names.at(-1)
      if (isName && objectNames) {
        const written = text.slice(position + 1, end)
        const name = written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written
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

/** Position at which a text stops being JSON (RFC 8259), and what was expected there. */
export interface SyntaxProblem {
  offset: number
  expected: MessageKey
}

type State = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'comma' | 'end'

/**
 * Finds the first place at which a text is not JSON; `undefined` if all of it is. Reads each
 * character once.
 */
export function findSyntaxProblem(text: string): SyntaxProblem | undefined {
  const open: ('}' | ']')[] = []
  let state: State = 'value'
  let offset = 0
  for (;;) {
    offset = findEnd(WHITESPACE, text, offset)
    const character = text[offset]
    const bracket = open.at(-1)
    if (state === 'end') return character === undefined ? undefined : { offset, expected: 'json.end' }
    if (character !== undefined && character === bracket && ENDS.includes(state)) {
      open.pop()
      state = open.length === 0 ? 'end' : 'comma'
      offset++
    } else if (state === 'comma') {
      if (character !== ',') return { offset, expected: bracket === '}' ? 'json.commaOrBrace' : 'json.commaOrBracket' }
      state = bracket === '}' ? 'name' : 'value'
      offset++
    } else if (state === 'colon') {
      if (character !== ':') return { offset, expected: 'json.colon' }
      state = 'value'
      offset++
    } else if ((character === '{' || character === '[') && (state === 'value' || state === 'valueOrEnd')) {
      open.push(character === '{' ? '}' : ']')
      state = character === '{' ? 'nameOrEnd' : 'valueOrEnd'
      offset++
    } else {
      const isName: boolean = state === 'name' || state === 'nameOrEnd'
      const end = isName && character !== '"' ? undefined : scanScalar(text, offset)
      if (end === undefined) return { offset, expected: `json.${state}` }
      if (typeof end !== 'number') return end
      state = isName ? 'colon' : open.length === 0 ? 'end' : 'comma'
      offset = end
    }
  }
}

const ENDS: readonly State[] = ['comma', 'nameOrEnd', 'valueOrEnd']
const WHITESPACE = /[ \n\r\t]*/y
const LITERAL = /(?:true|false|null)(?!\w)/y
// As much of a string or of a number as is right.
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y
const NUMBER = /-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:(?<=\d)[eE][+-]?\d*)?)?/y

// Where a string, number or literal ends, or what is wrong in it; `undefined`: there is none.
function scanScalar(text: string, start: number): number | SyntaxProblem | undefined {
  const character = text[start] ?? ''
  if (character === '"') {
    const offset = findEnd(STRING, text, start)
    if (text[offset] === '"') return offset + 1
    return { offset, expected: /[^\n\r]/.test(text[offset] ?? '') ? 'json.escape' : 'json.quote' }
  }
  if (/[-\d]/.test(character)) {
    const offset = findEnd(NUMBER, text, start)
    return /\d/.test(text[offset - 1] ?? '') ? offset : { offset, expected: 'json.digit' }
  }
  const end = findEnd(LITERAL, text, start)
  return end === start ? undefined : end
}

function findEnd(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset
  return pattern.test(text) ? pattern.lastIndex : offset
}

/** Line and column of an offset, both from 1. A column is a character. */
export function placeAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: [...before.slice(start)].length + 1 }
}

const WORD = /[\w$.+-]{1,20}/y

/** Describes what is at an offset: a word or a character in quotes, or the end of the text. */
export function nameAt(text: string, offset: number): Message {
  if (offset >= text.length) return message('json.end')
  WORD.lastIndex = offset
  const [shown = String.fromCodePoint(text.codePointAt(offset) ?? 0)] = WORD.exec(text) ?? []
  return message('json.character', { character: JSON.stringify(shown.toWellFormed()) })
}
