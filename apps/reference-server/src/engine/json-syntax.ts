import { type Message, type MessageKey, message } from '../messages/messages.ts'

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
