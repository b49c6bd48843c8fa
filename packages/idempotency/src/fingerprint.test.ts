import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson, createFingerprint, idempotencyOf, parseIdempotencyKey } from '@svc/idempotency'
import { describe, expect, test } from 'vitest'

const file = join(import.meta.dirname, '../vectors/idempotency-fingerprint.json')
const vectors = JSON.parse(readFileSync(file, 'utf8')) as [string, string, string, string, string][]
const print = (target: string, contentType: string, body: string | Uint8Array, version?: string) =>
  createFingerprint({ method: 'POST', target, contentType, body, version })

describe('createFingerprint', () => {
  test.each(vectors)(
    'returns the fingerprint of the vectors for %s %s %s %s',
    (method, target, contentType, body, expected) => {
      expect(createFingerprint({ method, target, contentType, body })).toBe(expected)
      expect(createFingerprint({ method, target, contentType, body: Buffer.from(body) })).toBe(expected)
    },
  )

  test.each([
    ['the order of names in the query', '/p?b=2&a=1&c', '/p?a=1&c&b=2'],
    ['a query that is empty', '/p', '/p?'],
  ])('ignores %s', (_, one, other) => {
    expect(print(one, '', '')).toBe(print(other, '', ''))
  })

  test.each([
    ['the order of values of one name', '/p?a=1&a=2', '/p?a=2&a=1'],
    ['the path', '/p', '/P'],
  ])('depends on %s', (_, one, other) => {
    expect(print(one, '', '')).not.toBe(print(other, '', ''))
  })

  test('depends on the version if there is one', () => {
    const prints = [undefined, '', '1', '2'].map((version) => print('/p', 'application/json', '{}', version))
    expect(new Set(prints).size).toBe(4)
  })

  test.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/merge-patch+json',
    'application/vnd.x+json',
  ])('treats %s as JSON', (type) => {
    expect(print('/p', type, '{"a":1, "b":2}')).toBe(print('/p', type, '{"b":2,"a":1.0}'))
  })

  test.each([
    ['broken JSON', '{"a":1', '{"a":1 '],
    ['a name given twice', '{"a":1,"a":2}', '{"a":2}'],
    ['an integer that a double cannot hold', '{"a":9007199254740993}', '{"a":9007199254740992}'],
  ])('hashes %s as is', (_, one, other) => {
    expect(print('/p', 'application/json', one)).toBe(print('/p', 'application/json', Buffer.from(one)))
    expect(print('/p', 'application/json', one)).not.toBe(print('/p', 'application/json', other))
  })

  test('hashes binary bodies as is', () => {
    const bytes = [Buffer.from([0x22, 0xff, 0x22]), Buffer.from([0x22, 0xfe, 0x22])]
    const [one, other] = bytes.map((body) => print('/p', 'application/json', body))
    expect(one).not.toBe(other)
  })
})

test.each<[unknown, unknown[], string]>([
  [createFingerprint, [], 'createFingerprint: input must be an object, got undefined'],
  [createFingerprint, [{ target: '/' }], 'createFingerprint: method must be a string, got undefined'],
  [createFingerprint, [{ method: 'POST' }], 'createFingerprint: target must be a string, got undefined'],
  [
    createFingerprint,
    [{ method: 'POST', target: '/', body: { amount: 5 } }],
    'createFingerprint: body must be a string or bytes, got an object',
  ],
  [canonicalJson, [], 'canonicalJson: text must be a string, got undefined'],
  [parseIdempotencyKey, [['a', 'b']], 'parseIdempotencyKey: value must be a string, got an array'],
  [idempotencyOf, [], 'req must be a request, got undefined'],
])('%o rejects %j', (call, args, message) => {
  expect(() => (call as (...args: unknown[]) => unknown)(...args)).toThrow(new TypeError(`idempotency: ${message}`))
})
