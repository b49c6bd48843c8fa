import { describe, expect, test } from 'vitest'
import { findNearestName } from './near-name.ts'
import {
  assertInteger,
  assertKnownOptions,
  assertMethod,
  assertOneOf,
  assertTypes,
  assertWordOrFunction,
} from './options.ts'

describe('assertKnownOptions', () => {
  test('names the nearest option', () => {
    expect(() => assertKnownOptions('ratelimit', { limt: 5 }, ['limit', 'window'])).toThrow(
      new TypeError('ratelimit: unknown option "limt", did you mean "limit"?'),
    )
    expect(() => assertKnownOptions('ratelimit', { zebra: 5 }, ['limit'])).toThrow('supported options: limit')
    expect(() => assertKnownOptions('ratelimit', JSON.parse('{"__proto__": 1}'), ['limit'])).toThrow(
      'unknown option "__proto__"',
    )
  })

  test('names our option if the name is one of a peer', () => {
    expect(() => assertKnownOptions('ratelimit', { limit: 5 }, ['rate', 'limits'], { limit: 'rate' })).toThrow(
      new TypeError('ratelimit: unknown option "limit", did you mean "rate"?'),
    )
  })

  test.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['strong', '"strong"'],
    [[], 'an array'],
  ])('rejects options that are %j', (options, got) => {
    expect(() => assertKnownOptions('x', options, [])).toThrow(
      new TypeError(`x: options must be an object, got ${got}`),
    )
  })

  test('accepts supported options', () => {
    expect(() => assertKnownOptions('x', { a: undefined }, ['a'])).not.toThrow()
  })
})

const SUPPORTED = ['rate', 'ttlSeconds', 'html', 'minBytes', 'storeTimeoutMs', 'maxKeys', 'maxBytes']

describe('findNearestName', () => {
  test.each<[string, string | undefined, string]>([
    ['RATE', 'rate', 'another case'],
    ['ttl_seconds', 'ttlSeconds', 'another style'],
    ['htlm', 'html', 'a swap'],
    ['hmtl', 'html', 'a swap'],
    ['ratee', 'rate', 'an insertion'],
    ['mxBytes', 'maxBytes', 'a deletion'],
    ['ttl', 'ttlSeconds', 'a prefix'],
    ['storeTimeout', 'storeTimeoutMs', 'a prefix'],
    ['ttlSecondsMs', 'ttlSeconds', 'a suffix, two edits'],
    ['rateLimitPerUser', 'rate', 'an extension'],
    ['threshold', 'minBytes', 'a name of a peer'],
    ['treshold', 'minBytes', 'a typo of a name of a peer'],
    ['zebra', undefined, 'nothing near'],
    ['r', undefined, 'a letter'],
    ['', undefined, 'nothing'],
    ['constructor', undefined, 'a property of every object'],
  ])('%s: %s (%s)', (name, expected) => {
    expect(findNearestName(name, SUPPORTED, { threshold: 'minBytes' })).toBe(expected)
  })

  test('prefers fewer edits, then the order of the list', () => {
    expect(findNearestName('maxBites', ['minBytes', 'maxBytes'])).toBe('maxBytes')
    expect(findNearestName('abx', ['abc', 'abd'])).toBe('abc')
  })

  test('takes time that grows with both lengths only', () => {
    expect(findNearestName('x'.repeat(5000), SUPPORTED)).toBeUndefined()
  })
})

describe('assertOneOf', () => {
  test('lists what is allowed, and the nearest', () => {
    expect(() => assertOneOf('negotiate', 'etag', 'strnog', ['strong', 'weak', false])).toThrow(
      new TypeError(`negotiate: etag must be one of 'strong', 'weak', false, got "strnog", did you mean 'strong'?`),
    )
    expect(() => assertOneOf('negotiate', 'etag', 1, ['strong', false])).toThrow(
      new TypeError(`negotiate: etag must be one of 'strong', false, got 1`),
    )
    expect(() => assertOneOf('negotiate', 'etag', false, ['strong', false])).not.toThrow()
  })
})

describe('assertInteger', () => {
  test.each([[-1], [1.5], [Number.NaN], ['10'], [undefined], [2 ** 53]])('rejects %j', (value) => {
    expect(() => assertInteger('x', 'limit', value)).toThrow(/^x: limit must be an integer of 0 or more, got /)
  })

  test('checks both limits', () => {
    expect(() => assertInteger('x', 'limit', 0, { min: 1, max: 9 })).toThrow(
      new TypeError('x: limit must be an integer from 1 to 9, got 0'),
    )
    expect(() => assertInteger('x', 'limit', 10, { min: 1, max: 9 })).toThrow(TypeError)
    expect(() => assertInteger('x', 'limit', 1, { min: 1, max: 9 })).not.toThrow()
    expect(() => assertInteger('x', 'limit', 9, { min: 1, max: 9 })).not.toThrow()
  })
})

describe('assertTypes', () => {
  const TYPES = {
    a: 'boolean',
    b: 'string',
    c: 'function',
    d: 'object',
    e: 'strings',
    f: 'functions',
    g: 'objects',
    h: 'array',
  } as const

  test.each([
    [{ a: 'true' }, 'x: a must be true or false, got "true"'],
    [{ a: null }, 'x: a must be true or false, got null'],
    [{ b: 5 }, 'x: b must be a string, got 5'],
    [{ c: 'f' }, 'x: c must be a function, got "f"'],
    [{ d: [] }, 'x: d must be an object, got an array'],
    [{ d: null }, 'x: d must be an object, got null'],
    [{ e: 'a' }, 'x: e must be an array of strings, got "a"'],
    [{ h: {} }, 'x: h must be an array, got an object'],
    [{ e: [5] }, 'x: e must be an array of strings, got an array'],
    [{ f: Date.now }, 'x: f must be an array of functions, got a function'],
    [{ f: ['f'] }, 'x: f must be an array of functions, got an array'],
    [{ g: {} }, 'x: g must be an array of objects, got an object'],
    [{ g: [null] }, 'x: g must be an array of objects, got an array'],
  ])('rejects %j', (options, message) => {
    expect(() => assertTypes('x', options, TYPES)).toThrow(new TypeError(message))
  })

  test('accepts values of the types, and undefined for each', () => {
    expect(() =>
      assertTypes('x', { a: false, b: '', c: Date.now, d: {}, e: [], f: [Date.now], g: [{}] }, TYPES),
    ).not.toThrow()
    expect(() => assertTypes('x', { a: undefined }, TYPES)).not.toThrow()
  })
})

test('assertWordOrFunction lists the words, and the nearest', () => {
  expect(() => assertWordOrFunction('x', 'onRefused', 'jsn', ['next', 'json'])).toThrow(
    new TypeError(`x: onRefused must be one of 'next', 'json', or a function, got "jsn", did you mean 'json'?`),
  )
  for (const value of [undefined, 'next', Date.now])
    expect(() => assertWordOrFunction('x', 'onRefused', value, ['next', 'json'])).not.toThrow()
})

test('assertMethod recognizes an object by a method', () => {
  for (const value of [undefined, null, {}, 'text', { get: 5 }])
    expect(() => assertMethod('x', 'client', value, 'get', 'a client')).toThrow(/^x: client must be a client, got /)
  expect(() => assertMethod('x', 'client', new Map(), 'get', 'a client')).not.toThrow()
})
