import { expandCurie, parseHal } from '@svc/hal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

test.each([
  ['a bare string', '/a', [{ href: '/a' }]],
  ['an object', { href: '/a', title: 'A', extra: 1 }, [{ href: '/a', title: 'A' }]],
  ['an array of both', ['/a', { href: '/b' }], [{ href: '/a' }, { href: '/b' }]],
  ['templated as text is false', { href: '/{a}', templated: 'true' }, [{ href: '/{a}' }]],
  ['templated', { href: '/{a}', templated: true }, [{ href: '/{a}', templated: true }]],
  ['members of the wrong type', { href: '/a', title: 1, name: null }, [{ href: '/a' }]],
  ['no link', [null, 1, {}, { href: 1 }, []], []],
])('parses %s', (_, value, expected) => {
  expect(parseHal({ _links: { x: value } }).links('x')).toEqual(expected)
})

test('finds a link by its name', () => {
  const reader = parseHal({
    _links: {
      x: [
        { href: '/a', name: 'a' },
        { href: '/b', name: 'b' },
      ],
    },
  })
  expect(reader.link('x')?.href).toBe('/a')
  expect(reader.link('x', 'b')?.href).toBe('/b')
  expect(reader.link('x', 'c')).toBeUndefined()
  expect(reader.link('y')).toBeUndefined()
})

test('returns one or several embedded resources as an array', () => {
  const reader = parseHal({ _embedded: { one: { id: 1 }, two: [{ id: 1 }, 'x', { id: 2 }] }, a: 1 })
  expect(reader.embedded('one').map(({ state }) => state)).toEqual([{ id: 1 }])
  expect(reader.embedded('two').map(({ state }) => state)).toEqual([{ id: 1 }, { id: 2 }])
  expect(reader.state).toEqual({ a: 1 })
  expect(reader.relations).toEqual(['one', 'two'])
})

test.each([undefined, null, 'text', 1, [{ a: 1 }]])('finds nothing in %j, which is no document', (document) => {
  const { state, relations } = parseHal(document)
  expect([state, relations]).toEqual([{}, []])
})

test('treats __proto__ and constructor as relations', () => {
  const reader = parseHal(JSON.parse('{"_links":{"__proto__":"/p","constructor":"/c"}}'))
  expect(reader.link('__proto__')).toEqual({ href: '/p' })
  expect(parseHal({}).link('constructor')).toBeUndefined()
})

describe('expandCurie', () => {
  const curies = [{ name: 'acme', href: 'https://docs/{rel}' }]

  test.each([
    ['acme:widgets', 'https://docs/widgets'],
    ['acme:a b', 'https://docs/a%20b'],
    ['other:widgets', 'other:widgets'],
    ['next', 'next'],
    [':x', ':x'],
  ])('%s', (relation, expected) => {
    expect(expandCurie(relation, curies)).toBe(expected)
  })

  test('returns the name if the declaration is not a template', () => {
    const reader = parseHal({ _links: { curies: [{ name: 'a', href: '/{' }] } })
    expect(reader.documentation('a:b')).toBe('a:b')
  })
})

test('never throws, even for deep nesting', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (links, embedded) => {
      const reader = parseHal({ _links: links, _embedded: embedded })
      for (const relation of reader.relations) {
        reader.link(relation)
        expect(Array.isArray(reader.embedded(relation))).toBe(true)
      }
    }),
  )
  const deep = JSON.parse(`${'{"_embedded":{"a":'.repeat(5000)}{}${'}}'.repeat(5000)}`)
  expect(parseHal(deep).embedded('a')).toHaveLength(1)
})
