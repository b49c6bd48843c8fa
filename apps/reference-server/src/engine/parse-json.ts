import { failure } from '../messages/errors.ts'
import { message, quoteInput } from '../messages/messages.ts'
import { findSyntaxProblem, nameAt, placeAt } from './json-syntax.ts'

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
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) {
      const end = endOfString(text, at)
      const known = names.at(-1)
      if (isName && known) {
        const name: string = JSON.parse(text.slice(at, end + 1))
        if (known.has(name))
          throw failure('MALFORMED_BODY.twice', { name: JSON.stringify(quoteInput(name)), ...placeAt(text, at) })
        known.add(name)
        isName = false
      }
      at = end
    } else if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
      isName = char === OPEN_OBJECT
      names.push(isName ? new Set() : undefined)
      if (names.length > MAX_DEPTH) throw failure('MALFORMED_BODY.depthAt', { max: MAX_DEPTH, ...placeAt(text, at) })
    } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) {
      names.pop()
      isName = false
    } else if (char === COMMA) {
      isName = names.at(-1) !== undefined
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
