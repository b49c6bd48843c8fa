import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatMessage } from '../messages/messages.ts'
import { findSyntaxProblem, nameAt, placeAt } from './json-syntax.ts'

const describeAt = (text: string): string => {
  const { offset = -1, expected } = findSyntaxProblem(text) ?? {}
  const { line, column } = placeAt(text, offset)
  return `${line}:${column} ${expected} ${formatMessage(nameAt(text, offset), 'en')}`
}

describe('findSyntaxProblem()', () => {
  test.each([
    ['', '1:1 json.value the end of the body'],
    ['{"a": 1,}', '1:9 json.name "}"'],
    ['{"a": 1\n "b": 2}', '2:2 json.commaOrBrace "\\""'],
    ["{'a': 1}", '1:2 json.nameOrEnd "\'"'],
    ['{"a" 1}', '1:6 json.colon "1"'],
    ['{"a": undefined}', '1:7 json.value "undefined"'],
    ['{"a": truex}', '1:7 json.value "truex"'],
    ['[1, ]', '1:5 json.value "]"'],
    ['[, 1]', '1:2 json.valueOrEnd ","'],
    ['[1 2]', '1:4 json.commaOrBracket "2"'],
    ['{"a": 01}', '1:8 json.commaOrBrace "1"'],
    ['{"a": 1.}', '1:9 json.digit "}"'],
    ['{"a": -}', '1:8 json.digit "}"'],
    ['{"a": 1e+}', '1:10 json.digit "}"'],
    ['{"a": "x\n"}', '1:9 json.quote "\\n"'],
    ['{"a": "\\x"}', '1:8 json.escape "\\\\"'],
    ['{"a": "\\u12"}', '1:8 json.escape "\\\\"'],
    ['{"a": "x', '1:9 json.quote the end of the body'],
    ['{"a": 1} x', '1:10 json.end "x"'],
    ['{"ä😀": x}', '1:8 json.value "x"'],
    ['{"a": 1}\n// note', '2:1 json.end "/"'],
    ['\ufeff{}', '1:1 json.value "\ufeff"'],
    ['{"a": 1]', '1:8 json.commaOrBrace "]"'],
    ['+1', '1:1 json.value "+1"'],
  ])('of %j says %s', (text, expected) => {
    expect(describeAt(text)).toBe(expected)
  })

  const parses = (text: string): boolean => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }

  test('finds a problem where JSON.parse does, and nowhere else', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '1',
      '0',
      '-',
      '.',
      'e',
      'true',
      ' ',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        expect(findSyntaxProblem(text) === undefined).toBe(parses(text))
      }),
      { numRuns: 3000 },
    )
  })

  test('accepts whatever JSON.stringify writes, and finds where it was cut', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
        const text = JSON.stringify({ value }, undefined, 1)
        expect(findSyntaxProblem(text)).toBeUndefined()
        const part = text.slice(0, cut % text.length)
        expect(findSyntaxProblem(part)?.offset).toBeLessThanOrEqual(part.length)
      }),
    )
  })

  test('reads a million brackets without a stack', () => {
    expect(findSyntaxProblem('['.repeat(1_000_000))).toEqual({ offset: 1_000_000, expected: 'json.valueOrEnd' })
  })
})
