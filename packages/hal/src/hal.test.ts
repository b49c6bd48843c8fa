import { expandCurie, hal, parseHal, parseLinkHeader, resource } from '@svc/hal'
import type { HalResource } from 'hal-types'
import { describe, expect, expectTypeOf, test } from 'vitest'

const order = { id: 1, status: 'PAID' }

describe('hal()', () => {
  test('adds links and embedded resources to one object, and leaves the object unchanged', () => {
    const item = hal({ sku: 'A' }, { self: '/items/A' })
    const document = hal(
      order,
      { self: '/orders/1', customer: { href: '/customers/7', title: 'Ada' } },
      { items: [item] },
    )
    expect(document).toEqual({
      id: 1,
      status: 'PAID',
      _links: { self: { href: '/orders/1' }, customer: { href: '/customers/7', title: 'Ada' } },
      _embedded: { items: [{ sku: 'A', _links: { self: { href: '/items/A' } } }] },
    })
    expect(order).toEqual({ id: 1, status: 'PAID' })
  })

  test.each([undefined, null, false] as const)('omits a relation with %s', (absent) => {
    expect(hal(order, { self: '/orders/1', cancel: absent }, { customer: absent })).toEqual({
      ...order,
      _links: { self: { href: '/orders/1' } },
      _embedded: {},
    })
  })

  test('keeps a list a list, with one entry and with none', () => {
    const { _links, _embedded } = hal(order, { self: '/a', item: ['/b', null], tag: [] }, { one: [{}], none: [] })
    expect(_links).toEqual({ self: { href: '/a' }, item: [{ href: '/b' }], tag: [] })
    expect(_embedded).toEqual({ one: [{}], none: [] })
  })

  test('marks templates, curies included', () => {
    const curies = [{ name: 'acme', href: 'https://docs.example/{rel}' }]
    expect(hal(order, { self: '/orders/1', find: '/orders{?status}', curies })._links).toEqual({
      self: { href: '/orders/1' },
      find: { href: '/orders{?status}', templated: true },
      curies: [{ ...curies[0], templated: true }],
    })
  })

  test('puts the base before paths, and not before URLs', () => {
    const links = { self: '/orders/1', help: 'https://docs.example/' }
    const base = 'https://api.example/v1'
    expect(hal(order, links, undefined, { base })._links).toEqual({
      self: { href: `${base}/orders/1` },
      help: { href: 'https://docs.example/' },
    })
  })

  test('replaces the links of a document that a client sent back, and reads toJSON', () => {
    expect(hal({ ...order, _links: 'x', _embedded: 'x', _templates: 'x' }, { self: '/a' })).toEqual({
      ...order,
      _links: { self: { href: '/a' } },
    })
    expect(hal({ toJSON: () => order }, { self: '/a' })).toMatchObject(order)
  })

  test.each<[unknown, unknown, string]>([
    [{}, undefined, 'hal: links of a document must have one self link'],
    [{ self: ['/a'] }, undefined, 'hal: links of a document must have one self link'],
    [{ self: null }, undefined, 'hal: links of a document must have one self link'],
    [{ self: 'javascript:alert(1)' }, undefined, 'hal: link "self" of a document must be a path from the root'],
    [{ self: '/a', next: '//evil.example' }, undefined, 'hal: link "next" of a document must be a path'],
    [
      { self: '/a', 'a b': '/b' },
      undefined,
      'hal: relations of a document must not be empty, reserved or contain spaces, got "a b"',
    ],
    [JSON.parse('{"self":"/a","__proto__":"/b"}'), undefined, 'contain spaces, got "__proto__"'],
    [{ self: '/a' }, { item: 'text' }, 'hal: embed "item" of a document must be an object or an array, got string'],
    [{ self: '/a' }, JSON.parse('{"__proto__":{}}'), 'contain spaces, got "__proto__"'],
  ])('throws a TypeError for the links %j and the embeds %j', (links, embedded, message) => {
    expect(() => hal(order, links as { self: string }, embedded as object as { item: object })).toThrow(message)
  })

  test.each([null, 'text', [1]])('throws a TypeError for the state %j', (state) => {
    expect(() => hal(state as object, { self: '/a' })).toThrow('hal: the state of a document must be an object')
  })

  test('returns the same document as a definition', () => {
    const defined = resource<typeof order>('order', { self: '/orders/{id}', links: { customer: '/customers/7' } })
    expect(JSON.stringify(hal(order, { self: '/orders/1', customer: '/customers/7' }))).toBe(defined.stringify(order))
    expect(parseHal(hal(order, { self: '/orders/1' })).link('self')).toEqual({ href: '/orders/1' })
  })

  test('has relations in its type, and fits HalResource of hal-types', () => {
    const document = hal(order, { self: '/a', next: Math.random() > 2 && '/b', item: ['/c'] }, { lines: [{ n: 1 }] })
    expectTypeOf(document._links.self.href).toEqualTypeOf<string>()
    expectTypeOf(document._links.next).toEqualTypeOf<typeof document._links.self | undefined>()
    expectTypeOf(document._links.item).toExtend<{ href: string }[]>()
    expectTypeOf(document._embedded.lines).toExtend<readonly { n: number }[]>()
    expectTypeOf(document).toExtend<HalResource>()
    // @ts-expect-error there is no such relation
    expect(document._links.other).toBeUndefined()
    // @ts-expect-error self is required
    expect(() => hal(order, {})).toThrow(TypeError)
  })
})

test.each<[unknown, unknown[], string]>([
  [hal, [order], 'links of a document must be an object, got undefined'],
  [expandCurie, [], 'expandCurie: relation must be a string, got undefined'],
  [expandCurie, ['acme:a'], 'expandCurie: curies must be an array, got undefined'],
  [parseLinkHeader, [null], 'parseLinkHeader: header must be a string, got null'],
])('%o rejects %j', (call, args, message) => {
  expect(() => (call as (...args: unknown[]) => unknown)(...args)).toThrow(new TypeError(`hal: ${message}`))
})
