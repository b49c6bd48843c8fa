import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitList, unquote } from './list.ts'

test.each([
  ['', []],
  ['a', ['a']],
  ['a , ,\tb', ['a', 'b']],
  ['"a,b", c', ['"a,b"', 'c']],
  ['"a\\",b", c', ['"a\\",b"', 'c']],
  ['"open, c', ['"open, c']],
  [',,,', []],
])('splits %j into %j (RFC 9110 §5.6.1)', (value, members) => {
  expect(splitList(value)).toEqual(members)
})

const inQuotes = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

test('parses any list of quoted strings that it formats', () => {
  fc.assert(
    fc.property(fc.array(fc.string().map(inQuotes)), (members) => {
      expect(splitList(members.join(','))).toEqual(members)
    }),
  )
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(unquote(inQuotes(text))).toBe(text)
    }),
  )
})

test('stops at the limit', () => {
  expect(splitList('a,'.repeat(100_000), undefined, 3)).toEqual(['a', 'a', 'a'])
})
