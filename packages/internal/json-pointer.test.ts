import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPointer, parsePointer } from './json-pointer.ts'
import { anyText } from './testing/any-text.ts'

test.each([
  [[], ''],
  [[''], '/'],
  [['foo', 0], '/foo/0'],
  [['a/b', 'm~n', '~1'], '/a~1b/m~0n/~01'],
  [['__proto__', ' ', 'é'], '/__proto__/ /é'],
])('formats %j as %j, and parses it (RFC 6901 §5)', (path, pointer) => {
  expect(formatPointer(path)).toBe(pointer)
  expect(parsePointer(pointer)).toEqual(path.map(String))
})

test.each(['a', '#/a', '/~', '/~2', '/a~', '/~~0'])('rejects %j (RFC 6901 §3)', (pointer) => {
  expect(parsePointer(pointer)).toBeUndefined()
})

test('parses every pointer that it formats', () => {
  fc.assert(
    fc.property(fc.array(anyText()), (path) => {
      expect(parsePointer(formatPointer(path))).toEqual(path)
    }),
  )
})
