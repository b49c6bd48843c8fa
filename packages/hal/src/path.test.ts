import { path } from '@svc/hal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../internal/testing/any-text.ts'

test.each([
  [path`/orders/${1}/items/${'a b'}`, '/orders/1/items/a%20b'],
  [path`/customers/${9223372036854775807n}`, '/customers/9223372036854775807'],
  [path`/files/${'a/../b'}.txt`, '/files/a%2F..%2Fb.txt'],
  [path`/search?q=${''}&x=${'..'}`, '/search?q=&x=..'],
  [path`/n/${-1.5}/${1e21}`, '/n/-1.5/1e%2B21'],
  [path`/orders`, '/orders'],
])('%s', (built, expected) => {
  expect(built).toBe(expected)
})

test('returns undefined without a value', () => {
  expect(path`/employees/${undefined}`).toBeUndefined()
  expect(path`/employees/${null}/x`).toBeUndefined()
})

test.each(['', '.', '..'])('rejects the segment %j', (segment) => {
  expect(() => path`/files/${segment}`).toThrow('segments must not be empty, "." or ".."')
  expect(() => path`/files/${segment}/x`).toThrow(TypeError)
  expect(() => path`/files/${segment}?x=1`).toThrow(TypeError)
})

test('rejects dots next to a value', () => {
  expect(() => path`/files/.${'.'}`).toThrow('segments must not be empty, "." or ".."')
  expect(() => path`/files/${''}../x`).toThrow(TypeError)
  expect(path`/files/.${'profile'}`).toBe('/files/.profile')
})

test.each([[Number.NaN], [Number.POSITIVE_INFINITY], [{} as never], [(() => 1) as never]])(
  'rejects %o as a segment',
  (value) => {
    expect(() => path`/x/${value}`).toThrow('values must be strings or numbers')
  },
)

test('keeps each value in its own segment for a URL parser', () => {
  fc.assert(
    fc.property(anyText({ minLength: 1 }), (value) => {
      fc.pre(value !== '.' && value !== '..')
      const url = new URL(path`/a/${value}/b`, 'http://x')
      expect(url.pathname.split('/')).toHaveLength(4)
      expect(decodeURIComponent(url.pathname.split('/')[2] ?? '')).toBe(value.toWellFormed())
    }),
  )
})
