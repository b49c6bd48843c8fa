import { expect, test } from 'vitest'
import { splitList } from './headers.ts'

test.each<[string, number | undefined, string[]]>([
  ['', undefined, []],
  ['a', undefined, ['a']],
  ['a, b\t,c', undefined, ['a', 'b', 'c']],
  [' , a,, ', undefined, ['a']],
  ['a="x, y", b', undefined, ['a="x, y"', 'b']],
  ['a="x\\", y", b', undefined, ['a="x\\", y"', 'b']],
  ['a, b, c', 2, ['a', 'b']],
  ['__proto__', undefined, ['__proto__']],
])('splits %j with at most %o items into %j (RFC 9110 §5.6.1)', (value, maxItems, items) => {
  expect(splitList(value, maxItems === undefined ? {} : { maxItems })).toEqual(items)
})
