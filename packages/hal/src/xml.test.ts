import { page, resource } from '@svc/hal'
import { toHalXml, toXml } from '@svc/hal/xml'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../internal/testing/any-text.ts'
import { toSingular } from './singular.ts'

/** Parses a document. Throws if it is not well-formed. */
function parse(xml: string): string[] {
  const events: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', (tag) =>
    events.push(
      `<${tag.name}${Object.values(tag.attributes)
        .map((a) => ` ${a.name}=${a.value}`)
        .join('')}`,
    ),
  )
  parser.on('text', (text) => text !== '\n' && events.push(text))
  parser.write(xml).close()
  return events
}

const body = (xml: string): string => xml.replace('<?xml version="1.0" encoding="UTF-8"?>\n', '')

describe('plain XML', () => {
  test.each<[string, unknown, string]>([
    ['members', { id: 1, name: 'A & B <c> "d"' }, '<x><id>1</id><name>A &amp; B &lt;c&gt; "d"</name></x>'],
    ['lists', { roles: ['a', 'b'], ids: [] }, '<x><roles><role>a</role><role>b</role></roles><ids></ids></x>'],
    ['nothing', { a: null, b: undefined, c: () => 1, d: Number.NaN }, '<x></x>'],
    ['exact digits', { id: 9223372036854775807n }, '<x><id>9223372036854775807</id></x>'],
    [
      'dates and toJSON',
      { at: new Date(0), m: { toJSON: () => 5 } },
      '<x><at>1970-01-01T00:00:00.000Z</at><m>5</m></x>',
    ],
    [
      'forbidden characters',
      { a: '\u0000\u001b\ud800\ufffe\u{1F600}' },
      '<x><a>\ufffd\ufffd\ufffd\ufffd\u{1F600}</a></x>',
    ],
    ['a carriage return', { a: 'a\r\nb' }, '<x><a>a&#xD;\nb</a></x>'],
    [
      'names',
      { 'a b': 1, '1a': 2, '': 3, 'a:b': 4, é: 5 },
      '<x><a_b>1</a_b><_1a>2</_1a><_>3</_><a_b>4</a_b><é>5</é></x>',
    ],
    [
      'lists of lists',
      { grid: [[1], [2]] },
      '<x><grid><item><item>1</item></item><item><item>2</item></item></grid></x>',
    ],
    ['a name __proto__', JSON.parse('{"__proto__":{"a":1}}'), '<x><__proto__><a>1</a></__proto__></x>'],
  ])('%s', (_, value, expected) => {
    const xml = toXml(value, { root: 'x' })
    expect(body(xml)).toBe(expected)
    expect(parse(xml)).not.toEqual([])
  })

  test('formats a page as its items, then page and links', () => {
    const employee = resource<{ id: number }>('employee', { self: '/employees/{id}' })
    const one = page([{ id: 1 }], { resource: employee, path: '/employees', size: 20, totalElements: 1 })
    const href = '/employees?page=0&amp;size=20'
    expect(body(toXml(one.render(), { root: 'employees', item: 'employee' }))).toBe(
      '<employees><employee><id>1</id><_links><self><href>/employees/1</href></self></_links></employee>' +
        '<page><number>0</number><size>20</size><totalElements>1</totalElements><totalPages>1</totalPages></page>' +
        `<_links><self><href>${href}</href></self><first><href>${href}</href></first><last><href>${href}</href></last></_links>` +
        '</employees>',
    )
  })

  test('rejects options that do not exist', () => {
    expect(() => toXml({}, { root: 'x', items: 'y' } as never)).toThrow('unknown option "items", did you mean "item"?')
  })

  test('rejects circular values', () => {
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    const list: unknown[] = []
    list.push(list)
    expect(() => toXml(circle, { root: 'x' })).toThrow('the depth of XML must be at most 100 levels')
    expect(() => toXml({ list }, { root: 'x' })).toThrow('the depth of XML must be at most 100 levels')
    expect(() => toHalXml({ _embedded: { a: circle } })).toThrow('the depth of XML must be at most 100 levels')
  })

  test('formats any value as a well-formed document', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, maxDepth: 4 }), anyText(), (value, root) => {
        expect(() => parse(toXml(value, { root }))).not.toThrow()
        expect(() => parse(toHalXml({ value, _links: { [root]: { href: root } } }))).not.toThrow()
      }),
      { numRuns: 300 },
    )
  })
})

describe('HAL as XML', () => {
  test('formats links, state and embedded resources', () => {
    const line = resource<{ sku: string }>('line', { self: '/lines/{sku}' })
    const order = resource('order', {
      self: (o: { id: number; status: string; tags: string[] }) => `/orders/${o.id}`,
      curies: [{ name: 'acme', href: 'https://docs/{rel}' }],
      links: { 'acme:cancel': { href: '/orders/{id}/cancellation', title: '"C"' }, find: '/orders{?q}' },
      embeds: { items: { resource: line, from: () => [{ sku: 'a' }], many: true } },
    })
    const xml = toHalXml(order.render({ id: 1, status: 'PAID', tags: ['x'] }))
    expect(parse(xml)).toEqual([
      '<resource href=/orders/1',
      '<link rel=curies href=https://docs/{rel} templated=true name=acme',
      '<link rel=acme:cancel href=/orders/1/cancellation title="C"',
      '<link rel=find href=/orders',
      '<id',
      '1',
      '<status',
      'PAID',
      '<tags',
      '<tag',
      'x',
      '<resource rel=items href=/lines/a',
      '<sku',
      'a',
    ])
  })
})

test.each([
  ['employees', 'employee'],
  ['categories', 'category'],
  ['addresses', 'address'],
  ['branches', 'branch'],
  ['boxes', 'box'],
  ['sizes', 'size'],
  ['houses', 'house'],
  ['statuses', 'status'],
  ['employeeIds', 'employeeId'],
  ['status', 'item'],
  ['address', 'item'],
  ['data', 'item'],
  ['s', 'item'],
])('returns for %s the toSingular %s', (plural, expected) => {
  expect(toSingular(plural)).toBe(expected)
})
