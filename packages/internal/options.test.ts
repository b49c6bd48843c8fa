import { expect, test } from 'vitest'
import { assertKnownOptions } from './options.ts'

test('names the nearest option', () => {
  expect(() => assertKnownOptions('ratelimit', { limt: 5 }, ['limit', 'window'])).toThrow(
    new TypeError('ratelimit: unknown option "limt", did you mean "limit"?'),
  )
  expect(() => assertKnownOptions('ratelimit', { zebra: 5 }, ['limit'])).toThrow('the options are limit')
  expect(() => assertKnownOptions('ratelimit', JSON.parse('{"__proto__": 1}'), ['limit'])).toThrow(
    'unknown option "__proto__"',
  )
})
