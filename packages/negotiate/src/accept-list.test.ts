import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBlank, parseAcceptList } from './accept-list.ts'

const brief = (field: string, strict = false) =>
  parseAcceptList(field, { strict })?.map(({ name, q, parameters }) => [name, q, ...[...parameters].flat()])

describe('items of a header (RFC 9110 §5.6, §12.4.2)', () => {
  const rows: [field: string, members: unknown][] = [
    ['', []],
    [' ,\t, ', []],
    ['a', [['a', 1]]],
    [
      'A , ,b',
      [
        ['a', 1],
        ['b', 1],
      ],
    ],
    [
      'a;q=0.5,b;Q = .25',
      [
        ['a', 0.5],
        ['b', 0.25],
      ],
    ],
    ['a;q="0.5"', [['a', 0.5]]],
    ['a;q=0.5;x=1', [['a', 0.5, 'x', '1']]],
    ['a;x="b,c;d";y=E', [['a', 1, 'x', 'b,c;d', 'y', 'E']]],
    ['a;x="q\\"u\\\\o"', [['a', 1, 'x', 'q"u\\o']]],
    ['a;X="";charset=UTF-8', [['a', 1, 'x', '', 'charset', 'utf-8']]],
    ['a;x="never closed, b', [['a', 1, 'x', '"never closed, b']]],
    [
      '"a,b", c',
      [
        ['"a,b"', 1],
        ['c', 1],
      ],
    ],
    [
      'a;flag, b',
      [
        ['a', 1, 'flag', ''],
        ['b', 1],
      ],
    ],
    ['a;;q=0.1;', [['a', 0.1]]],
    ['a;q=, b', [['b', 1]]],
    ['a;q=-1, b;q=x, c;q=1.1.1, d', [['d', 1]]],
    [
      'a;q=7, b;q=00.5, c;q=0.00099',
      [
        ['a', 1],
        ['b', 0.5],
        ['c', 0],
      ],
    ],
    [';q=1, a', [['a', 1]]],
    ['a;__proto__=1;constructor=2', [['a', 1, '__proto__', '1', 'constructor', '2']]],
    ['ä;ö=ü', [['ä', 1, 'ö', 'ü']]],
  ]
  test.each(rows)('%j', (field, members) => {
    expect(brief(field)).toEqual(members)
  })

  const strictRows: [field: string, members: unknown][] = [
    [
      'a;q=0.5, b',
      [
        ['a', 0.5],
        ['b', 1],
      ],
    ],
    ['a;q=.5, b;q=0.1234, c;q=1., d;q=2, e;q="1"', [['c', 1]]],
    ['a b, ä, a/b', [['a/b', 1]]],
    ['a;x=1;q=0.1, b;q=0.1;x=1, c;q=1;q=1', [['a', 0.1, 'x', '1']]],
    ['gzip;=1, br;ä=1, c;x="b"c, d;x="\\"', []],
    ['a;x="b\\"", b;x="c', [['a', 1, 'x', 'b"']]],
    ['a;x = 1, b;x= 1, c;flag, d;x="1"', [['d', 1, 'x', '1']]],
  ]
  test.each(strictRows)('strict: %j', (field, members) => {
    expect(brief(field, true)).toEqual(members)
  })

  test('states no preference beyond 64 items or 4 KiB', () => {
    expect(brief(Array(64).fill('a').join())).toHaveLength(64)
    expect(brief(Array(65).fill('a').join())).toBeUndefined()
    expect(brief(`a;x=${'y'.repeat(4092)}`)).toHaveLength(1)
    expect(brief(`a;x=${'y'.repeat(4093)}`)).toBeUndefined()
    expect(parseAcceptList(undefined)).toBeUndefined()
  })

  test('is blank without an item', () => {
    expect(['', ' ', ',', '\t,'].map(isBlank)).toEqual([true, true, true, true])
    expect(['a', ', ;'].map(isBlank)).toEqual([false, false])
  })
})

/** Counts the characters that are read: every access goes through here. */
function looksAt(field: string): number {
  let looks = 0
  const { charCodeAt } = String.prototype
  String.prototype.charCodeAt = function counted(at) {
    if (this.length === field.length) looks++
    return charCodeAt.call(this, at)
  }
  try {
    parseAcceptList(field)
  } finally {
    String.prototype.charCodeAt = charCodeAt
  }
  return looks
}

test.each(['a;', '"', '\\"', 'a;x="', 'a="\\', ';=', ', ', ' ', '\t;q', 'a;q=0.1,'])(
  'reads each character of many %j a constant number of times',
  (piece) => {
    for (const size of [500, 1000, 2000, 4000]) {
      const field = piece.repeat(Math.floor(size / piece.length))
      expect(looksAt(field)).toBeLessThan(6 * field.length + 10)
    }
  },
)

test('parses what was formatted', () => {
  const token = fc.stringMatching(/^[a-z][a-z0-9.+-]{0,8}$/)
  const value = fc.string({ unit: 'grapheme-ascii', maxLength: 8 })
  const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
  const member = fc.record({
    name: token,
    parameters: fc.uniqueArray(fc.tuple(token, value), { selector: ([name]) => name, maxLength: 3 }),
    q: fc.integer({ min: 0, max: 1000 }),
  })
  fc.assert(
    fc.property(fc.array(member, { maxLength: 20 }), (members) => {
      const usable = members.map((given) => ({
        ...given,
        parameters: given.parameters.filter(([name]) => name !== 'q' && name !== 'charset'),
      }))
      const field = usable
        .map(({ name, parameters, q }) =>
          [name, ...parameters.map(([key, text]) => `${key}=${quote(text)}`), `q=${q / 1000}`].join(' ; '),
        )
        .join(' ,')
      fc.pre(field.length <= 4096)
      const expected = usable.map(({ name, parameters, q }) => [name, q / 1000, ...parameters.flat()])
      expect(brief(field)).toEqual(expected)
      expect(parseAcceptList(field, { strict: true })?.map(({ name }) => name)).toEqual(usable.map(({ name }) => name))
    }),
  )
})

test('never throws, and every item is a part of the header', () => {
  const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'aq=;,"\\/*0.5 \t') }))
  fc.assert(
    fc.property(anything, fc.boolean(), (field, strict) => {
      for (const { text, q } of parseAcceptList(field, { strict }) ?? []) {
        expect(field).toContain(text)
        expect(q >= 0 && q <= 1).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})
