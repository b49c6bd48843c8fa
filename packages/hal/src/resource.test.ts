import { type HalLink, path, type RenderContext, resource } from '@svc/hal'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { anyText } from '../../internal/testing/any-text.ts'

interface Order {
  id: number
  status: 'CREATED' | 'PAID' | 'SHIPPED' | 'DELIVERED' | 'CANCELLED'
  paid?: boolean
}

interface Caller extends RenderContext {
  can(scope: string): boolean
}

const mayWrite = (_: Order, caller: Caller): boolean => caller.can('orders:write')
const open = ['CREATED', 'PAID']
const sent = ['SHIPPED', 'DELIVERED']

const order = resource<Order, Caller>('order', {
  self: '/orders/{id}',
  links: {
    update: { href: '/orders/{id}', when: (o, caller) => o.status !== 'CANCELLED' && mayWrite(o, caller) },
    delete: {
      href: '/orders/{id}',
      when: (o, caller) => ['CREATED', 'CANCELLED'].includes(o.status) && mayWrite(o, caller),
    },
    cancel: { href: '/orders/{id}/cancellation', when: (o, caller) => open.includes(o.status) && mayWrite(o, caller) },
    payment: { href: '/orders/{id}/payment', when: (o, caller) => o.status === 'CREATED' && mayWrite(o, caller) },
    tracking: { href: '/orders/{id}/tracking', when: (o) => sent.includes(o.status) },
    invoice: { href: '/orders/{id}/invoice', when: (o) => o.paid === true },
  },
})

const writer: Caller = { can: () => true }
const reader: Caller = { can: () => false }

describe('links depend on the state of the item and the user', () => {
  test.each<[Order, Caller, string[]]>([
    [{ id: 3, status: 'CREATED' }, writer, ['self', 'update', 'delete', 'cancel', 'payment']],
    [{ id: 1, status: 'PAID', paid: true }, writer, ['self', 'update', 'cancel', 'invoice']],
    [{ id: 2, status: 'SHIPPED', paid: true }, writer, ['self', 'update', 'tracking', 'invoice']],
    [{ id: 2, status: 'DELIVERED', paid: true }, writer, ['self', 'update', 'tracking', 'invoice']],
    [{ id: 4, status: 'CANCELLED' }, writer, ['self', 'delete']],
    [{ id: 4, status: 'CANCELLED', paid: true }, writer, ['self', 'delete', 'invoice']],
    [{ id: 2, status: 'SHIPPED', paid: true }, reader, ['self', 'tracking', 'invoice']],
    [{ id: 3, status: 'CREATED' }, reader, ['self']],
  ])('%o', (item, caller, relations) => {
    expect(Object.keys(order.links(item, caller))).toEqual(relations)
    expect(JSON.parse(order.stringify(item, caller))).toEqual(order.render(item, caller))
  })
})

test.each<[string, string | ((item: Order) => string)]>([
  ['no variable', '/a'],
  ['one', '/a/{id}'],
  ['two', '/a/{status}/b/{id}'],
  ['a query', '/a{?id}'],
  ['a function', (o) => path`/a/${o.id}`],
])('a link to a target with %s is there for those who may follow it', (_, href) => {
  const item = { id: 1, status: 'PAID' } as const
  const { links, render, stringify } = resource<Order, Caller>('x', {
    self: '/x/{id}',
    links: { target: { href, when: mayWrite } },
  })
  expect([writer, reader].map((caller) => 'target' in links(item, caller))).toEqual([true, false])
  for (const caller of [writer, reader]) expect(JSON.parse(stringify(item, caller))).toEqual(render(item, caller))
})

describe('targets of links', () => {
  const employee = resource<{ id: number | string; managerId?: number | null }>('employee', {
    self: '/employees/{id}',
    links: {
      manager: '/employees/{managerId}',
      page: (e) => `/a b/${e.id}`,
      docs: () => 'https://docs.example/é',
      search: { href: 'https://docs.example/é{?q}', templated: true },
    },
  })

  test.each([
    ['no base', {}, '/employees/7'],
    ['a prefix', { base: '/v1' }, '/v1/employees/7'],
    ['a prefix with a slash at its end', { base: '/v1/' }, '/v1/employees/7'],
    ['a public URL', { base: 'https://api.example/v2' }, 'https://api.example/v2/employees/7'],
    ['the root of a public URL', { base: 'https://api.example/' }, 'https://api.example/employees/7'],
  ])('self under %s', (_, context, href) => {
    expect(employee.self({ id: 7 }, context)).toBe(href)
    expect(employee.links({ id: 7 }, context).self).toEqual({ href })
    expect(employee.stringify({ id: 7 }, context)).toContain(`"self":{"href":"${href}"}`)
  })

  test.each([null, 5, 'javascript:', '//evil.example', 'v1', 'https://', 'https://a b', '/v1?x', '/a"b', 'ftp://x'])(
    'rejects the base %j',
    (base) => {
      expect(() => employee.render({ id: 1 }, { base: base as string })).toThrow(/^hal: base must be/)
      expect(() => employee.stringify({ id: 1 }, { base: base as string })).toThrow(TypeError)
    },
  )

  test('self evaluates no other link', () => {
    const when = vi.fn(() => true)
    const { self } = resource('order', {
      self: '/orders/{id}',
      links: { cancel: { href: '/orders/{id}/cancel', when } },
    })
    expect(self({ id: 7 })).toBe('/orders/7')
    expect(when).not.toHaveBeenCalled()
  })

  test('omits the link if a variable is absent', () => {
    expect(employee.links({ id: 1 })).not.toHaveProperty('manager')
    expect(employee.links({ id: 1, managerId: null })).not.toHaveProperty('manager')
    expect(employee.links({ id: 1, managerId: 2 })).toHaveProperty('manager', { href: '/employees/2' })
    expect(employee.stringify({ id: 1, managerId: null })).not.toContain('manager"')
  })

  test('keeps a value within its segment', () => {
    expect(employee.self({ id: '../admin?x#y' })).toBe('/employees/..%2Fadmin%3Fx%23y')
    expect(employee.self({ id: '日本 "' })).toBe('/employees/%E6%97%A5%E6%9C%AC%20%22')
    for (const id of ['', '.', '..']) expect(() => employee.self({ id })).toThrow('segments must not be empty')
    const part = resource<{ id: string }>('part', { self: '/parts-{id}', links: { whole: '/wholes/{id}' } })
    expect(() => part.stringify({ id: '..' })).toThrow('segments must not be empty')
  })

  test('encodes invalid characters, and adds no base to absolute URLs', () => {
    const { page, docs, search } = employee.links({ id: 1 }, { base: '/v1' })
    expect(page).toEqual({ href: '/v1/a%20b/1' })
    expect(docs).toEqual({ href: 'https://docs.example/%C3%A9' })
    expect(search).toEqual({ href: 'https://docs.example/%C3%A9{?q}', templated: true })
  })
})

describe('templates with other expressions than {id}', () => {
  const toTarget = (template: string, item: object): string | undefined => {
    const { links, stringify } = resource<object>('x', { self: '/x', state: () => ({}), links: { target: template } })
    const { target } = links(item)
    expect(JSON.parse(stringify(item))._links.target).toEqual(target)
    return (target as HalLink | undefined)?.href
  }

  test.each<[string, object, string]>([
    ['/orders/{order}/items/{id}', { order: 7, id: 1 }, '/orders/7/items/1'],
    ['/a{/id}', { id: 'x/../y' }, '/a/x%2F..%2Fy'],
    ['/a{/id}/', { id: 7 }, '/a/7/'],
    ['/a{/x,y}', { x: '.x', y: '...' }, '/a/.x/...'],
    ['/files{/path*}', { path: ['a', 'b..'] }, '/files/a/b..'],
    ['/files/{+path}', { path: 'a/%2eb/c' }, '/files/a/%2eb/c'],
    ['/files{+path}/', { path: '/a/b' }, '/files/a/b/'],
    ['/files/{+folder}{name}', { folder: 'a/', name: 'b' }, '/files/a/b'],
    ['/files/{+path}', { path: 'a?from=/../b//c' }, '/files/a?from=/../b//c'],
    ['/files/{+path}', { path: 'a#../b' }, '/files/a#../b'],
    ['/{x:1}{y:1}', { x: '.', y: 'yz' }, '/.y'],
    ['/a/..{/id}', { id: 7 }, '/a/../7'],
    ['/a/{/id}', { id: 7 }, '/a//7'],
    ['/a/{x,y}', { x: '..', y: '..' }, '/a/..,..'],
    ['/a/{x}{.format}', { x: 1, format: '' }, '/a/1.'],
    ['/a{?q,at}{#part}', { q: '..', at: '/../', part: '../b' }, '/a?q=..&at=%2F..%2F#../b'],
    ['/a?to={+url}{&n}', { url: '//b/../c', n: 1 }, '/a?to=//b/../c&n=1'],
    ['https://api.example{/id}{?q}', { id: 'a b' }, 'https://api.example/a%20b'],
  ])('expands %s with %j to %s', (template, item, href) => {
    expect(toTarget(template, item)).toBe(href)
  })

  test.each([{ id: 1 }, { order: 7 }, { order: null, id: 1 }])(
    'omits a path without one of its variables: %j',
    (item) => {
      expect(toTarget('/orders/{order}/items/{id}', item)).toBeUndefined()
    },
  )

  test.each<[string, object]>([
    ['/a{/id}', { id: '..' }],
    ['/a{/id}', { id: '' }],
    ['/a/{id:2}/b', { id: '../x' }],
    ['/a/{id:2}/b', { id: '' }],
    ['/a/{x*}', { x: ['..'] }],
    ['/a/.{x:1}', { x: '.' }],
    ['/a/{x:1}.?q', { x: '.' }],
    ['/a/{x:1}{y:1}', { x: '.', y: '.' }],
    ['/a/{x}{y:1}{z}', { x: '', y: '', z: '' }],
    ['/a/{.x}', { x: '' }],
    ['/a/{.x}', { x: '.' }],
    ['/files{/path*}', { path: ['..', '..', 'admin'] }],
    ['/files{/path*}', { path: ['a', '', 'b'] }],
    ['/files/{+path}', { path: '../../admin' }],
    ['/files/{+path}', { path: 'a/%2E./%2e%2E/b' }],
    ['/files/{+path}', { path: '..?q' }],
    ['/files/{+path}', { path: 'a//b' }],
    ['/files/{+path}/b', { path: '' }],
    ['/{+id}', { id: '/evil.example/x' }],
    ['/{/id}', { id: 'evil.example' }],
    ['/{;x}{/y}', { y: 'evil.example' }],
    ['https://api.example{/id}', { id: '..' }],
  ])('rejects %s with %j', (template, item) => {
    expect(() => toTarget(template, item)).toThrow('hal: path: segments must not be empty, "." or "..", got "')
    expect(() => resource('x', { self: template }).stringify(item as never, { base: '/v1' })).toThrow(TypeError)
  })

  test.each<[string, object]>([
    ['/a{/id}', {}],
    ['/a{/id}', { id: null }],
    ['/a/{id:2}/b', {}],
    ['/a/{x,y}', { x: 1 }],
    ['/files/{+path}', {}],
    ['/files{/path*}', { path: [] }],
    ['/files{/path*}', { path: [null] }],
    ['/a{/constructor}', {}],
    ['/a/{constructor}', {}],
    ['/a/{constructor}/{id}', { id: 1 }],
  ])('omits %s with %j', (template, item) => {
    expect(toTarget(template, item)).toBeUndefined()
  })

  test.each(['/a{?q}', '/a{.q}', '/a{;q}', '/a{#q}'])('does not require a value for %s', (template) => {
    expect(toTarget(template, {})).toBe('/a')
    expect(toTarget(template, { q: null })).toBe('/a')
  })

  test('reads the getters of a class like {id}, but no property that every object has', () => {
    class Payment {
      get customerId(): number {
        return 5
      }
      cancel(): void {}
    }
    expect(toTarget('/customers/{customerId}', new Payment())).toBe('/customers/5')
    expect(toTarget('/payments{?customerId}', new Payment())).toBe('/payments?customerId=5')
    expect(toTarget('/customers{/customerId}', new Payment())).toBe('/customers/5')
    expect(toTarget('/payments{?constructor,toString,__proto__}', new Payment())).toBe('/payments')
    expect(toTarget('/cars{?constructor}', { constructor: 'Lotus' })).toBe('/cars?constructor=Lotus')
    expect(toTarget('/cars/{constructor}', { constructor: 'Lotus' })).toBe('/cars/Lotus')
    for (const template of ['/{cancel}', '/payments{?cancel}', '/payments{/cancel}'])
      expect(() => toTarget(template, new Payment())).toThrow('hal: path: values must be strings or numbers, got')
  })

  test('keeps every value below the path of the template for a URL parser', () => {
    const piece = fc.oneof(fc.constantFrom('.', '..', '/', '%2e', '%2E', '\\', '?', '#', '\t', ''), anyText())
    const value = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''))
    const template = fc.constantFrom(
      '/a/b{/x}',
      '/a/b/{+x}',
      '/a/b/{x,y}',
      '/a/b{/x,y}{?y}',
      '/a/b/{x:2}{+y}/c',
      '/a/b/.{+x}',
    )
    fc.assert(
      fc.property(template, value, value, (self, x, y) => {
        let href: string
        try {
          href = resource('x', { self }).self({ x, y })
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError)
          return
        }
        const { host, pathname } = new URL(href, 'http://x')
        expect(host).toBe('x')
        expect(pathname).toMatch(/^\/a\/b\/[^/]/)
        expect(pathname).toBe(href.replace(/[?#].*/, ''))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('rejected hrefs', () => {
  const site = resource<{ url: string }>('site', { self: '/site', links: { home: (s) => s.url } })

  test.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//evil.example',
    'mailto:a@b',
    '',
    'relative',
    '?page=2',
    '#x',
    'https://',
    'http:evil',
    '\\\\evil',
  ])('%j', (url) => {
    expect(() => site.render({ url })).toThrow(/^hal: link "home" of site must be a path/)
    expect(() => site.stringify({ url })).toThrow(TypeError)
  })

  test.each([
    ['/\\evil.example', '/%5Cevil.example'],
    ['/\t/evil', '/%09/evil'],
    ['/"};alert(1)//', '/%22%7D;alert(1)//'],
  ])('encodes %j', (url, href) => {
    expect(site.links({ url }).home).toEqual({ href })
    expect(JSON.parse(site.stringify({ url }))._links.home).toEqual({ href })
  })
})

describe('properties of links', () => {
  const book = resource<{ id: number; title?: string }>('book', {
    self: '/books/{id}',
    links: {
      search: { href: '/books{?q,page}', templated: true },
      one: { href: '/books/{id}', templated: true },
      editions: { href: '/books/{id}/editions', many: true },
      made: () => '/x{?id}',
      cover: {
        href: '/books/{id}/cover',
        type: 'image/png',
        name: 'front',
        title: 'Cover "1"',
        hreflang: 'en',
        profile: 'https://example.com/p',
        deprecation: 'https://example.com/d',
      },
      read: { href: '/books/{id}/text', title: (b) => b.title },
      own: () => ({ href: '/own', title: 'Own' }),
      plain: () => ({ href: 'https://example.com/?q={"a":1}', templated: false }),
    },
  })

  test.each([
    ['a template for the client', 'search', { href: '/books{?q,page}', templated: true }],
    ['a template of a single variable', 'one', { href: '/books/{id}', templated: true }],
    ['a list of one', 'editions', [{ href: '/books/1/editions' }]],
    ['an expression in what a function gives', 'made', { href: '/x{?id}', templated: true }],
    ['braces that are not a template', 'plain', { href: 'https://example.com/?q=%7B%22a%22:1%7D' }],
    ['members of a function', 'own', { href: '/own', title: 'Own' }],
    ['a title of the item', 'read', { href: '/books/1/text', title: 'Größe' }],
    [
      'all eight members',
      'cover',
      {
        href: '/books/1/cover',
        title: 'Cover "1"',
        type: 'image/png',
        deprecation: 'https://example.com/d',
        name: 'front',
        profile: 'https://example.com/p',
        hreflang: 'en',
      },
    ],
  ])('%s', (_, relation, expected) => {
    const item = { id: 1, title: 'Größe' }
    expect(book.links(item)).toHaveProperty(relation, expected)
    expect(JSON.parse(book.stringify(item))._links[relation]).toEqual(expected)
  })
})

describe('cardinality of a relation', () => {
  const list = resource<{ ids: number[]; one?: unknown }>('list', {
    self: '/list',
    links: {
      item: { href: (l) => l.ids.map((id) => path`/items/${id}`), many: true },
      single: (l) => (l.one === undefined ? undefined : (l.one as string)),
    },
  })

  test.each([[[]], [[1]], [[1, 2]]])('an array of %j', (ids) => {
    const expected = ids.map((id) => ({ href: `/items/${id}` }))
    expect(list.links({ ids }).item).toEqual(expected)
    expect(JSON.parse(list.stringify({ ids }))._links.item).toEqual(expected)
  })

  test('rejects an array for one link', () => {
    const changed = { ids: [], one: ['/a', '/b'] }
    expect(() => list.render(changed)).toThrow('link "single" of list must be one link, got an array')
    expect(() => list.stringify(changed)).toThrow(TypeError)
  })

  test('accepts one link for many', () => {
    const one = resource<{ id: number }>('one', { self: '/x', links: { item: { href: '/items/{id}', many: true } } })
    expect(one.links({ id: 1 }).item).toEqual([{ href: '/items/1' }])
  })
})

describe('invalid definitions throw', () => {
  test.each<[string, () => unknown, RegExp]>([
    [
      'an unknown option',
      () => resource('x', { self: '/x', link: {} } as never),
      /unknown option "link", did you mean/,
    ],
    ['an unknown member of a link', () => resource('x', { self: '/x', links: { a: { hrf: '/a' } } } as never), /"hrf"/],
    [
      'no href',
      () => resource('x', { self: '/x', links: { a: {} } } as never),
      /link "a" of x: href must be a template or a function/,
    ],
    [
      'a relation named self',
      () => resource('x', { self: '/x', links: { self: '/y' } }),
      /relations of x must not be empty, reserved.*"self"/,
    ],
    [
      'a relation named curies',
      () => resource('x', { self: '/x', links: { curies: '/y' } }),
      /relations of x must not be/,
    ],
    [
      'a relation __proto__',
      () => resource('x', { self: '/x', links: { ['__proto__']: '/y' } }),
      /relations of x must not be/,
    ],
    ['a script', () => resource('x', { self: 'javascript:alert(1)' }), /must be a path/],
    ['a broken template', () => resource('x', { self: '/x/{id' }), /is not a URI template/],
    ['links that are a list', () => resource('x', { self: '/x', links: [] } as never), /x: links must be an object/],
    [
      'a state that is an object',
      () => resource('x', { self: '/x', state: {} } as never),
      /x: state must be a function/,
    ],
    ['curies that are an object', () => resource('x', { self: '/x', curies: {} } as never), /curies of x must be an/],
    ['no arguments', () => (resource as () => unknown)(), /^hal: name of a resource must be a non-empty string, got u/],
    ['no definition', () => resource('x', undefined as never), /^hal: x: options must be an object, got undefined/],
    ['no name', () => resource('', { self: '/x' }), /name of a resource must be/],
    [
      'a member that is no text',
      () => resource('x', { self: { href: '/x', type: 1 } } as never),
      /type must be a string/,
    ],
    [
      'an embed of something else',
      () => resource('x', { self: '/x', embeds: { y: { resource: {}, from: () => [] } } } as never),
      /resource must be from resource\(\)/,
    ],
    [
      'a link of null',
      () => resource('x', { self: null } as never),
      /^hal: link "self" of x: options must be an object, got null/,
    ],
    [
      'a condition that is not a function',
      () => resource('x', { self: '/x', links: { a: { href: '/a', when: true } } } as never),
      /^hal: link "a" of x: when must be a function, got true/,
    ],
    [
      'a title that is a number',
      () => resource('x', { self: { href: '/x', title: 5 } } as never),
      /^hal: link "self" of x: title must be a string or a function, got 5/,
    ],
    [
      'a many that is a string',
      () => resource('x', { self: '/x', links: { a: { href: '/a', many: 'no' } } } as never),
      /^hal: link "a" of x: many must be true or false, got "no"/,
    ],
    [
      'an embed from a list',
      () =>
        resource('x', { self: '/x', embeds: { y: { resource: resource('y', { self: '/y' }), from: [1] } } } as never),
      /^hal: embed "y" of x: from must be a function, got an array/,
    ],
    [
      'a many of an embed that is a string',
      () => resource('x', { self: '/x', embeds: { y: { from: () => [], many: 'no' } } } as never),
      /^hal: embed "y" of x: many must be true or false, got "no"/,
    ],
    [
      'a condition of a form that is not a function',
      () => resource('x', { self: '/x', form: { when: true } } as never),
      /^hal: form of x: when must be a function, got true/,
    ],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })

  test.each([5, {}, true, new Date(0)])('rejects the target %o when an item is rendered', (target) => {
    const item = resource('x', { self: '/x', links: { a: (() => target) as never } })
    expect(() => item.render({})).toThrow(/^hal: link "a" of x must be a path from the root/)
    expect(() => item.stringify({})).toThrow(TypeError)
  })

  test('rejects an item without self when it is rendered', () => {
    const item = resource<{ id?: number }>('item', { self: '/items/{id}' })
    expect(() => item.render({})).toThrow('hal: item must have a self link')
    expect(() => item.stringify({})).toThrow('hal: item must have a self link')
  })
})
