import { parseHal, resource } from '@svc/hal'
import { describe, expect, test } from 'vitest'

interface Part {
  sku: string
}
interface Widget {
  id: number
  parts: Part[]
  owner?: Part | undefined
}

const docs = (host: string) => [{ name: 'acme', href: `https://${host}/{rel}` }]
const part = resource<Part>('part', { self: '/parts/{sku}', curies: docs('inner'), links: { 'acme:stock': '/stock' } })
const widget = (curies: { name: string; href: string }[]) =>
  resource('widget', {
    self: (one: Widget) => `/widgets/${one.id}`,
    curies,
    links: { 'acme:owner': '/owners' },
    embeds: {
      parts: { resource: part, from: (one) => one.parts, many: true },
      'acme:owner': { resource: part, from: (one) => one.owner },
    },
  })

describe('embedded resources', () => {
  const kind = widget(docs('outer'))

  test.each<[string, Widget, object]>([
    ['none', { id: 1, parts: [] }, { parts: [] }],
    ['an array of one', { id: 1, parts: [{ sku: 'a' }] }, { parts: [{ sku: 'a' }] }],
    ['one', { id: 1, parts: [], owner: { sku: 'b' } }, { parts: [], 'acme:owner': { sku: 'b' } }],
  ])('%s', (_, item, expected) => {
    const document = kind.render(item)
    expect(document._embedded).toMatchObject(expected)
    expect(kind.stringify(item)).toBe(JSON.stringify(document))
  })

  test.each([undefined, null, false])('omit one that is %s', (owner) => {
    const none = { id: 1, parts: [], owner: owner as undefined }
    expect(kind.render(none)._embedded).toEqual({ parts: [] })
    expect(kind.stringify(none)).toBe(JSON.stringify(kind.render(none)))
  })

  test('have a self link in addition to the links of the outer resource', () => {
    const document = kind.render({ id: 1, parts: [{ sku: 'a b' }] })
    expect(document._embedded?.parts?.[0]?._links.self).toEqual({ href: '/parts/a%20b' })
    expect(document._links['acme:owner']).toEqual({ href: '/owners' })
  })

  test('reject an array for one resource', () => {
    const wrong = { id: 1, parts: [], owner: [] as unknown as Part }
    expect(() => kind.render(wrong)).toThrow('embed "acme:owner" of widget must be one resource, got an array')
    expect(() => kind.stringify(wrong)).toThrow(TypeError)
  })
})

describe('curies', () => {
  const item = { id: 1, parts: [{ sku: 'a' }] }
  const inside = (document: unknown) => parseHal(document).embedded('parts')[0]

  test('of the same prefix are declared again inside, and take precedence there', () => {
    const document = widget(docs('outer')).render(item)
    expect(parseHal(document).documentation('acme:owner')).toBe('https://outer/owner')
    expect(inside(document)?.documentation('acme:stock')).toBe('https://inner/stock')
  })

  test('of the outer resource are not declared again', () => {
    const document = widget(docs('inner')).render(item)
    expect(JSON.stringify(document).split('"curies"')).toHaveLength(2)
    expect(inside(document)?.documentation('acme:stock')).toBe('https://inner/stock')
  })

  test.each([{ name: 'Ada' }, {}])('with $& in their URL are the same in the JSON of %j as in the object', (state) => {
    const curies = [{ name: 'acme', href: '/docs/$&/{rel}' }]
    const made = resource<{ id: number }>('made', { self: '/made/{id}', curies, state: () => state })
    expect(JSON.parse(made.stringify({ id: 1 }))).toEqual(made.render({ id: 1 }))
  })

  test.each([
    [[{ name: 'a:b', href: '/{rel}' }], 'name must be letters, digits'],
    [[{ name: 'a', href: '/docs' }], 'href must contain {rel}, got "/docs"'],
    [[{ name: 'a', href: 'javascript:{rel}' }], 'href must be an http(s) URL or a path'],
    [[...docs('x'), ...docs('y')], 'must be unique'],
  ])('reject %j', (curies, message) => {
    expect(() => widget(curies)).toThrow(message)
  })
})
