import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { applyPatch } from './patch.ts'

interface Vector {
  comment?: string
  doc: Readonly<Record<string, unknown>>
  patch: unknown
  expected?: unknown
  error?: string
  disabled?: boolean
}

const TYPE = 'application/json-patch+json'

describe.each(['tests', 'spec_tests'])('JSON Patch, public vectors of %s (RFC 6902)', (name) => {
  const file = new URL(`../../vectors/json-patch/${name}.json`, import.meta.url)
  const vectors = (JSON.parse(readFileSync(file, 'utf8')) as Vector[])
    .filter(({ disabled, patch }) => !disabled && patch !== undefined)
    .map((vector, index) => [`${index} ${vector.comment ?? ''}`, vector] as const)

  test.each(vectors)('%s', (_title, { doc, patch, expected, error }) => {
    if (error !== undefined)
      expect(() => applyPatch(TYPE, doc, patch)).toThrow(expect.objectContaining({ status: expect.any(Number) }))
    else expect(applyPatch(TYPE, doc, patch)).toEqual(expected ?? doc)
  })
})

test('the public vectors are all there', () => {
  const count = ['tests', 'spec_tests'].flatMap((name) =>
    JSON.parse(readFileSync(new URL(`../../vectors/json-patch/${name}.json`, import.meta.url), 'utf8')),
  )
  expect(count.filter(({ disabled }) => !disabled)).toHaveLength(108)
})

test.each([
  [[{ op: 'test', path: '/a', value: 2 }], 409, /operation 0.*test.*\/a/i, '/0/value'],
  [
    [
      { op: 'add', path: '/b', value: 1 },
      { op: 'remove', path: '/c' },
    ],
    409,
    /operation 1.*remove.*\/c/i,
    '/1/path',
  ],
  [[{ op: 'replace', path: '/list/01', value: 1 }], 409, /operation 0.*replace.*\/list\/01/i, '/0/path'],
  [[{ op: 'move', from: '/list/00', path: '/a' }], 409, /operation 0.*move.*\/list\/00/i, '/0/from'],
  [[{ op: 'copy', from: '/none', path: '/a' }], 409, /operation 0.*copy.*\/none/i, '/0/from'],
  [[{ op: 'jump', path: '/a' }], 400, /operation 0/i, '/0/op'],
  [[{ op: 'add', path: 'a', value: 1 }], 400, /operation 0.*path/i, '/0/path'],
  [[{ op: 'add', path: '/a' }], 400, /operation 0.*value/i, '/0/value'],
  [[{ op: 'move', path: '/a', from: 1 }], 400, /operation 0.*from/i, '/0/from'],
  [[null], 400, /operation 0/i, '/0/op'],
  [[{ op: 'add', path: '/__proto__', value: 1 }], 400, /./, '/0/path'],
  [[{ op: 'add', path: '/__proto__/x', value: 1 }], 409, /operation 0.*add/i, '/0/path'],
  [[{ op: 'add', path: '/constructor/keys/x', value: 1 }], 409, /operation 0.*add/i, '/0/path'],
  [[{ op: 'copy', from: '/constructor', path: '' }], 409, /operation 0.*copy/i, '/0/from'],
  [[{ op: 'copy', from: '/list/length', path: '/a' }], 409, /operation 0.*copy/i, '/0/from'],
  [[{ op: 'move', from: '/list', path: '/list/0' }], 409, /operation 0.*move/i, '/0/path'],
  [[{ op: 'remove', path: '/toString' }], 409, /operation 0.*remove/i, '/0/path'],
  [{}, 400, /array/, ''],
])('names the operation of %j that failed, and points at it', (patch, status, message, pointer) => {
  const document = { a: 1, list: [1, 2], '01': 'a name' }
  const errors = [expect.objectContaining({ pointer, location: 'body' })]
  const error = expect.objectContaining({ status, errors, message: expect.stringMatching(message) })
  expect(() => applyPatch(TYPE, document, patch)).toThrow(error)
  expect(document).toEqual({ a: 1, list: [1, 2], '01': 'a name' })
})

test('never reaches what objects inherit', () => {
  const patch = [
    { op: 'add', path: '/constructor', value: {} },
    { op: 'copy', from: '/constructor', path: '' },
    { op: 'copy', from: '/prototype', path: '' },
    { op: 'add', path: '/polluted', value: 1 },
  ]
  for (const operations of [patch, patch.slice(1)])
    expect(() => applyPatch(TYPE, { a: 1 }, operations)).toThrow(expect.objectContaining({ status: 409 }))
  expect(Object.keys(Object.prototype)).toEqual([])
  expect({}).not.toHaveProperty('polluted')
})

test('rejects copies of copies that become too large', () => {
  const patch = Array.from({ length: 60 }, (_, index) => ({ op: 'copy', from: '', path: `/copy${index}` }))
  const error = expect.objectContaining({ status: 422, errors: [expect.objectContaining({ pointer: '/16' })] })
  expect(() => applyPatch(TYPE, { a: 'a text to be copied' }, patch)).toThrow(error)
})

test('takes 01 as the name of a field', () => {
  const patch = [{ op: 'replace', path: '/01', value: 'b' }]
  expect(applyPatch(TYPE, { '01': 'a' }, patch)).toEqual({ '01': 'b' })
})

test('rejects a patch of more than 100 operations', () => {
  const patch = Array.from({ length: 101 }, () => ({ op: 'test', path: '/a', value: 1 }))
  const error = expect.objectContaining({ status: 400, errors: [expect.objectContaining({ pointer: '' })] })
  expect(() => applyPatch(TYPE, { a: 1 }, patch)).toThrow(error)
})
