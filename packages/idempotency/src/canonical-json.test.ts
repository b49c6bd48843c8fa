import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson } from '@svc/idempotency'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

describe('canonicalJson (RFC 8785)', () => {
  test.each([
    [
      '3.2.2',
      '{ "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001] }',
      '{"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}',
    ],
    [
      '3.2.2',
      '{"string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"}',
      '{"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    ],
    ['3.2.2', '{"literals": [null, true, false]}', '{"literals":[null,true,false]}'],
    [
      '3.2.3',
      '{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}',
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    ],
    [
      'appendix B',
      '[-0, 0.0, 5e-324, -1.7976931348623157e308, 9007199254740992, 1e21, 1e20]',
      '[0,0,5e-324,-1.7976931348623157e+308,9007199254740992,1e+21,100000000000000000000]',
    ],
    ['no prototypes', '{"__proto__":{"b":1,"a":2},"constructor":1}', '{"__proto__":{"a":2,"b":1},"constructor":1}'],
    ['white space', ' \t\r\n[ 1 , { } , [ ] ] \n', '[1,{},[]]'],
  ])('%s: %s', (_, text, canonical) => {
    expect(canonicalJson(text)).toBe(canonical)
  })

  test.each([
    ['a name given twice', '{"a":1,"a":1}'],
    ['a name given twice in two spellings', '{"a":1,"b":2,"\\u0061":3}'],
    ['an integer that a double cannot hold', '{"id":9007199254740993}'],
    ['digits that a double would drop', '[0.1000000000000000055]'],
    ['a number beyond all doubles', '[1e400]'],
    ['a lone surrogate', '["\\ud800"]'],
    ['a lone surrogate as it is', '["\ud800"]'],
  ])('returns undefined for JSON that is not I-JSON (RFC 7493): %s', (_, text) => {
    expect(() => JSON.parse(text)).not.toThrow()
    expect(canonicalJson(text)).toBeUndefined()
  })

  test('returns undefined for JSON that is nested too deep, without a stack overflow', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(canonicalJson(nested(100))).toBe(nested(100))
    expect(canonicalJson(nested(101))).toBeUndefined()
    expect(canonicalJson(nested(500_000))).toBeUndefined()
    expect(canonicalJson('{"a":'.repeat(500_000))).toBeUndefined()
  })

  test('equals a sorted JSON.stringify, regardless of white space', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
        fc.integer({ min: 0, max: 3 }),
        (value, indent) => {
          const text = JSON.stringify(value, null, indent)
          fc.pre(text.isWellFormed() && !/\\ud[89a-f]/.test(text))
          expect(canonicalJson(text)).toBe(sorted(JSON.parse(text)))
        },
      ),
    )
  })

  test.each([1, 2, 20, 21, 200])('sorts %i names in any order, and finds one that is given twice', (count) => {
    const anyNames = fc.uniqueArray(fc.string(), { minLength: count, maxLength: count })
    fc.assert(
      fc.property(anyNames, fc.nat(count - 1), (names, repeated) => {
        const members = names.map((name, value) => `${JSON.stringify(name)}:${value}`).join()
        expect(canonicalJson(`{${members}}`)).toBe(sorted(JSON.parse(`{${members}}`)))
        const twice = `${JSON.stringify(names[repeated])}:0`
        expect(canonicalJson(`{${members},${twice}}`)).toBeUndefined()
        expect(canonicalJson(`{${twice},${members}}`)).toBeUndefined()
      }),
    )
  })

  test('returns canonical JSON unchanged', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const canonical = canonicalJson(text)
        if (canonical !== undefined) expect(canonicalJson(canonical)).toBe(canonical)
      }),
    )
  })
})

function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const names = Object.keys(value).sort()
  const members = names.map((name) => `${JSON.stringify(name)}:${sorted((value as Record<string, unknown>)[name])}`)
  return `{${members.join()}}`
}

describe('the public JSON test suite', () => {
  const folder = join(import.meta.dirname, '../vectors/json-parsing')
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  const read = (file: string): string | undefined => {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(join(folder, file)))
    } catch {
      return undefined
    }
  }

  test.each(files.filter((file) => file.startsWith('n_')))('%s has no canonical form', (file) => {
    const text = read(file)
    if (text !== undefined) expect(canonicalJson(text)).toBeUndefined()
  })

  const notInteroperable = ['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json']
  test.each(files.filter((file) => file.startsWith('y_')))('%s has one, or a name twice', (file) => {
    const text = read(file) ?? ''
    const expected = notInteroperable.includes(file) ? undefined : sorted(JSON.parse(text))
    expect(canonicalJson(text)).toBe(expected)
  })

  test.each(files.filter((file) => file.startsWith('i_')))('%s does not throw', (file) => {
    const text = read(file)
    expect(() => canonicalJson(text ?? '')).not.toThrow()
  })
})
