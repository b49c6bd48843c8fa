import { matchesExtendedLanguageRange, matchesLanguageRange } from '@svc/negotiate/variants'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseContentEncoding } from './encodings.ts'
import {
  mergeVary,
  parseAccept,
  parseAcceptList,
  parseETag,
  parseETags,
  parseHttpDate,
  parseMediaType,
} from './headers.ts'
import { parseQuality } from './quality.ts'

const parsers: Record<string, (text: string) => unknown> = {
  parseAccept,
  parseAcceptList,
  parseETag,
  parseETags,
  parseHttpDate,
  parseMediaType,
  parseQuality,
  codingsOf: parseContentEncoding,
  mergeVary: (text) => mergeVary(text, ['Accept']),
  matchesLanguageRange: (text) => matchesLanguageRange(text, 'de-DE'),
  matchesExtendedLanguageRange: (text) => matchesExtendedLanguageRange(text, 'de-x-DE'),
}
const field = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'aq=;,/*"\\ \tW-.01é', '__proto__', 'gzip') }),
)

describe.each(Object.keys(parsers))('%s', (name) => {
  test('never throws, for any input', () => {
    const parse = parsers[name] as (text: string) => unknown
    fc.assert(
      fc.property(field, fc.nat(2000), (text, times) => {
        parse(text)
        parse(text.repeat(times))
      }),
    )
  })
})

const token = fc.stringMatching(/^[a-z0-9!#+.^-]{1,8}$/)

test('parses a formatted media type (RFC 9110 §8.3.1)', () => {
  const parameters = fc.uniqueArray(fc.tuple(token, fc.stringMatching(/^[ -~]{0,6}$/)), { selector: ([name]) => name })
  fc.assert(
    fc.property(
      token,
      token,
      parameters.filter((all) => all.every(([name]) => name !== 'charset')),
      (type, subtype, pairs) => {
        const quoted = pairs.map(([name, value]) => `;\t${name.toUpperCase()}="${value.replace(/["\\]/g, '\\$&')}"`)
        const read = parseMediaType(`${type.toUpperCase()}/${subtype} ${quoted.join(' ')}`)
        expect(read).toEqual({ essence: `${type}/${subtype}`, parameters: new Map(pairs) })
      },
    ),
  )
})

test.each([
  ['text/html; =x; a b=c; d=e', [['d', 'e']]],
  ['application/json; charset', []],
  ['application/json; utf-8', []],
  ['text/html; charset = UTF-8 ; charset=x', [['charset', 'utf-8']]],
])('parses %j without its invalid parameters', (text, parameters) => {
  expect([...(parseMediaType(text)?.parameters ?? [])]).toEqual(parameters)
})

test('parses a weight, truncated to three digits (RFC 9110 §12.4.2)', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{0,3}(\.[0-9]{0,6})?$/), (text) => {
      const digits = text.replace('.', '')
      const [whole = '', rest = ''] = text.split('.')
      const expected =
        digits === '' ? undefined : Math.min(1000, Number(whole) * 1000 + Number(rest.slice(0, 3).padEnd(3, '0')))
      expect(parseQuality(text)).toBe(expected)
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'01.-+e ') }), (text) => {
      if (!/^(?:\d+\.?\d*|\.\d+)$/.test(text)) expect(parseQuality(text)).toBeUndefined()
    }),
  )
})

test('parses all encodings of a body, in lower case, without identity (RFC 9110 §8.4)', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('GZIP', 'x-gzip', 'br', 'Identity', '', ' ')), (names) => {
      const known: Record<string, string> = { GZIP: 'gzip', 'x-gzip': 'gzip', br: 'br' }
      expect(parseContentEncoding(names.join(','))).toEqual(names.flatMap((name) => known[name] ?? []))
    }),
  )
})

test('extended filtering follows the steps of RFC 4647 §3.3.2', () => {
  const subtag = fc.constantFrom('de', 'DE', 'x', 'latn', '*', '1996')
  const walk = ([want, ...wants]: string[], [have, ...rest]: string[]): boolean => {
    if (want === undefined) return true
    if (want === '*') return walk(wants, have === undefined ? [] : [have, ...rest])
    if (have === undefined) return false
    if (want === have) return walk(wants, rest)
    return have.length > 1 && walk([want, ...wants], rest)
  }
  fc.assert(
    fc.property(
      fc.array(subtag, { minLength: 1, maxLength: 5 }),
      fc.array(subtag, { minLength: 1, maxLength: 6 }),
      (range, tag) => {
        const [wants, subtags] = [range, tag].map((all) => all.map((one) => one.toLowerCase())) as [string[], string[]]
        const expected = (wants[0] === '*' || wants[0] === subtags[0]) && walk(wants.slice(1), subtags.slice(1))
        expect(matchesExtendedLanguageRange(range.join('-'), tag.join('-'))).toBe(expected)
      },
    ),
    { numRuns: 1000 },
  )
})
