import { path, resource } from '@svc/hal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../internal/testing/any-text.ts'

describe('the state', () => {
  const item = resource<object>('item', { self: '/item', links: { next: '/next' } })
  const links = { self: { href: '/item' }, next: { href: '/next' } }

  test('is not changed: the document is a new object', () => {
    const state = Object.freeze({ id: 1 })
    expect(item.render(state)).toEqual({ id: 1, _links: links })
    expect(state).toEqual({ id: 1 })
  })

  test('omits the members that belong to the definition', () => {
    const sentBack = { id: 1, _links: { self: 'javascript:x' }, _embedded: {}, _templates: {} }
    expect(item.render(sentBack)).toEqual({ id: 1, _links: links })
    expect(item.stringify(sentBack)).toBe(JSON.stringify({ id: 1, _links: links }))
  })

  test.each(['_links', '_embedded', '_templates'])('omits %s alone', (name) => {
    expect(item.render({ id: 1, [name]: {} })).toEqual({ id: 1, _links: links })
  })

  test('keeps a member named __proto__ as data', () => {
    const state: object = JSON.parse('{"__proto__":{"isAdmin":true},"id":1}')
    expect(Object.getPrototypeOf(item.render(state))).toBe(Object.prototype)
    expect(item.stringify(state)).toBe(`{"__proto__":{"isAdmin":true},"id":1,"_links":${JSON.stringify(links)}}`)
    expect(JSON.stringify(item.render(state))).toBe(item.stringify(state))
  })

  test.each<[string, object]>([
    [
      'toJSON of a class',
      new (class Money {
        toJSON(): object {
          return { amount: '1', _links: 1 }
        }
      })(),
    ],
    ['an own toJSON', { toJSON: () => ({ a: 1, toJSON: () => 'never' }) }],
    ['a member toJSON that is data', { toJSON: 'x' }],
    ['a Map', new Map([[1, 2]])],
    ['no prototype', Object.assign(Object.create(null), { a: 1 })],
    ['nothing that JSON shows', { a: undefined, b: () => 1, [Symbol('c')]: 1 }],
    ['dates and nested toJSON', { at: new Date(0), in: { toJSON: () => 'x' } }],
  ])('serializes %s like JSON.stringify', (_, state) => {
    expect(item.stringify(state)).toBe(JSON.stringify(item.render(state)))
  })

  test.each<[string, unknown]>([
    ['an array', [1]],
    ['null', null],
    ['a string', 'x'],
    ['a Date', new Date(0)],
    ['undefined', undefined],
  ])('rejects %s', (_, state) => {
    expect(() => item.render(state as object)).toThrow('the state of item must be an object')
    expect(() => item.stringify(state as object)).toThrow('the state of item must be an object')
  })

  test('is the result of `state`', () => {
    const user = resource<{ id: number; password: string }>('user', {
      self: '/users/{id}',
      state: ({ id }) => ({ id }),
    })
    expect(user.stringify({ id: 1, password: 'secret' })).toBe('{"id":1,"_links":{"self":{"href":"/users/1"}}}')
  })
})

test('reads the variable of a path only for links that an item has', () => {
  const team = resource<{ id: number; lead: string; open: boolean }>('team', {
    self: '/teams/{id}',
    links: {
      lead: { href: '/users/{lead}', when: ({ lead }) => lead !== '' },
      members: '/teams/{id}/members',
      join: { href: '/teams/{id}/requests', when: ({ open }) => open },
      report: '/teams/{id}/report',
    },
  })
  for (const item of [
    { id: 1, lead: '', open: false },
    { id: 2, lead: 'ada', open: true },
  ])
    expect(JSON.parse(team.stringify(item))).toEqual(team.render(item))
  expect(Object.keys(team.links({ id: 1, lead: '', open: false }))).toEqual(['self', 'members', 'report'])
})

test('stringify returns the JSON of render for any value', () => {
  const kinds = resource<Record<string, unknown>>('kind', {
    self: (item) => path`/kinds/${Object.keys(item).length}`,
    links: {
      a: '/a/{id}',
      b: '/b/{id}/c',
      c: { href: '/c{?id}', title: 'c' },
      d: { href: '/d/{id}', when: (item) => 'id' in item },
      e: { href: () => ['/e', { href: '/f', name: 'é"' }], many: true },
    },
  })
  const id = fc.oneof(fc.integer(), fc.double(), anyText({ minLength: 1 }), fc.constant(null), fc.boolean())
  const hostile = fc.constantFrom('__proto__', 'toJSON', '_links', 'constructor', 'a"b', '', '0', '\u2028', '\ud800')
  const key = fc.oneof(hostile, anyText())
  const item = fc.tuple(fc.dictionary(key, fc.jsonValue()), fc.option(id, { nil: undefined }))
  fc.assert(
    fc.property(item, fc.constantFrom('', '/v1', 'https://api.example'), ([members, own], base) => {
      const value: Record<string, unknown> = own === undefined ? members : { ...members, id: own }
      let rendered: string
      try {
        rendered = JSON.stringify(kinds.render(value, { base }))
      } catch {
        expect(() => kinds.stringify(value, { base })).toThrow(TypeError)
        return
      }
      expect(kinds.stringify(value, { base })).toBe(rendered)
      const { _links, ...state } = JSON.parse(rendered)
      expect(_links.self.href).toMatch(/^(?:\/v1|https:\/\/api\.example)?\/kinds\/\d+$/)
      const { _links: own_, _embedded, _templates, ...expected } = JSON.parse(JSON.stringify(value))
      expect(state).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})
