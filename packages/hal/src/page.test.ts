import { type PageOptions, page, resource } from '@svc/hal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

interface Employee {
  id: number
}

const employee = resource<Employee>('employee', { self: '/employees/{id}' })
const of = (count: number): Employee[] => Array.from({ length: count }, (_, index) => ({ id: index + 1 }))
const make = (items: Employee[], options: Partial<PageOptions<Employee, object, never, never>>) =>
  page(items, { resource: employee, path: '/employees', size: 20, ...options } as never)

describe('adjacent pages', () => {
  test.each([
    ['page 0 of 3', { number: 0, totalElements: 60 }, { self: 0, first: 0, next: 1, last: 2 }],
    ['page 1 of 3', { number: 1, totalElements: 60 }, { self: 1, first: 0, previous: 0, next: 2, last: 2 }],
    ['page 2 of 3', { number: 2, totalElements: 60 }, { self: 2, first: 0, previous: 1, last: 2 }],
    ['page 9 of 3', { number: 9, totalElements: 60 }, { self: 9, first: 0, previous: 2, last: 2 }],
    ['no items', { number: 0, totalElements: 0 }, { self: 0, first: 0, last: 0 }],
    ['page 4 of no items', { number: 4, totalElements: 0 }, { self: 4, first: 0, last: 0 }],
    ['one item too many for a page', { number: 0, totalElements: 21 }, { self: 0, first: 0, next: 1, last: 1 }],
    [
      'counted from 1: page 1 of 3',
      { number: 1, firstPage: 1, totalElements: 60 },
      { self: 1, first: 1, next: 2, last: 3 },
    ],
    [
      'counted from 1: page 9 of 3',
      { number: 9, firstPage: 1, totalElements: 60 },
      { self: 9, first: 1, previous: 3, last: 3 },
    ],
    ['nobody counted, a full page', { number: 1 }, { self: 1, first: 0, previous: 0, next: 2 }],
    ['nobody counted, known to be the last', { number: 1, hasNext: false }, { self: 1, first: 0, previous: 0 }],
    [
      'a maxOffset that ends before the last page',
      { number: 1, maxOffset: 40, totalElements: 200 },
      { self: 1, first: 0, previous: 0, next: 2 },
    ],
    [
      'the last page in the maxOffset',
      { number: 2, maxOffset: 40, totalElements: 200 },
      { self: 2, first: 0, previous: 1 },
    ],
    [
      'a last page that ends at the maxOffset',
      { number: 1, maxOffset: 40, totalElements: 60 },
      { self: 1, first: 0, previous: 0, next: 2, last: 2 },
    ],
  ] as const)('%s', (_, options, numbers) => {
    const { links } = make(of(20), options)
    const expected = Object.entries(numbers).map(([name, number]) => [
      name,
      { href: `/employees?page=${number}&size=20` },
    ])
    expect(links).toEqual(Object.fromEntries(expected))
    expect(Object.keys(links)).toEqual(Object.keys(numbers))
  })

  test('omits next for a page that is not full if items were not counted', () => {
    expect(make(of(19), {}).links).not.toHaveProperty('next')
  })
})

describe('links keep filters, sort and size in canonical order', () => {
  const next = '/employees?department=R%26D&page=2&size=20&sort=-name'

  test.each([
    ['as parameters', new URLSearchParams('sort=-name&department=R%26D&page=1')],
    ['as an object', { sort: '-name', department: 'R&D', page: 1, size: 5, cursor: 'x' }],
  ])('%s', (_, query) => {
    expect(make(of(20), { query, number: 1, totalElements: 60 }).links.next).toEqual({ href: next })
  })

  test.each([
    [{ b: ['2', '1'], a: 1 }, '/employees?a=1&b=2&b=1&page=0&size=20'],
    [{ 'salary[gte]': 10, q: '', x: null, y: undefined, z: [] }, '/employees?page=0&q=&salary%5Bgte%5D=10&size=20'],
    [JSON.parse('{"__proto__":"x"}'), '/employees?__proto__=x&page=0&size=20'],
    [{ q: 'a b+c"\ud800' }, '/employees?page=0&q=a%20b%2Bc%22%EF%BF%BD&size=20'],
    [{ zz: true, active: false }, '/employees?active=false&page=0&size=20&zz=true'],
  ])('%j', (query, href) => {
    expect(make([], { query }).links.self).toEqual({ href })
  })

  test('use custom parameter names, and put the base before the path', () => {
    const { links } = make([], {
      number: 1,
      query: { page: 'kept' },
      parameters: { page: 'p', size: 'per_page' },
      context: { base: 'https://api.example/v1' },
    })
    expect(links.self.href).toBe('https://api.example/v1/employees?p=1&page=kept&per_page=20')
  })

  test('preserve any query', () => {
    const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })), { maxLength: 8 })
    fc.assert(
      fc.property(pairs, fc.nat(100), fc.nat(3000), (query, number, totalElements) => {
        const { curies: _, ...links } = make([], { query: new URLSearchParams(query), number, totalElements }).links
        for (const { href } of Object.values(links)) {
          const kept = [...new URL(href, 'http://x').searchParams].filter(
            ([name]) => !['page', 'size', 'cursor'].includes(name),
          )
          const sent = query.filter(([name]) => !['page', 'size', 'cursor'].includes(name))
          expect(kept.toSorted()).toEqual(sent.toSorted())
          const names = [...new URL(href, 'http://x').searchParams.keys()]
          expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
        }
      }),
    )
  })
})

describe('a page with cursors', () => {
  const paged = make(of(2), {
    cursors: { self: 'b=', previous: 'a', next: 'c' },
    size: 2,
    query: { sort: 'name', a: 1 },
  })

  test('has no number, and cursors in its links', () => {
    expect(paged.page).toEqual({ size: 2 })
    expect(paged.links).toEqual({
      self: { href: '/employees?a=1&cursor=b%3D&size=2&sort=name' },
      first: { href: '/employees?a=1&size=2&sort=name' },
      previous: { href: '/employees?a=1&cursor=a&size=2&sort=name' },
      next: { href: '/employees?a=1&cursor=c&size=2&sort=name' },
    })
  })

  test('has no cursor in its first link', () => {
    const { links } = make([], { cursors: { next: 'c' } })
    expect(links.self).toEqual(links.first)
  })
})

describe('stringifyItem', () => {
  const items = of(3)
  const write = (options: Partial<PageOptions<Employee, object, never, never>>) =>
    (['hal', 'plain'] as const).map((format) => make(items, { totalElements: 3, ...options }).stringify(format))

  test('gets each item, and returns the text that the page contains', () => {
    const texts = new Map(items.map(({ id }) => [id, `{"id":${id},"stored":true}`]))
    for (const text of write({ stringifyItem: ({ id }) => texts.get(id) ?? '' })) {
      expect(text).toContain(`[${[...texts.values()].join()}]`)
      expect(JSON.parse(text).page.totalElements).toBe(3)
    }
  })

  test('can return what the page itself would write', () => {
    expect(write({ stringifyItem: (_, stringify) => stringify() })).toEqual(write({}))
  })
})

describe('the wrapper', () => {
  const paged = make([{ id: 1 }], { totalElements: 1 })
  const items = [{ id: 1, _links: { self: { href: '/employees/1' } } }]
  const info = { number: 0, size: 20, totalElements: 1, totalPages: 1 }
  const href = '/employees?page=0&size=20'
  const _links = { self: { href }, first: { href }, last: { href } }

  test('plain: items, page and _links', () => {
    expect(paged.render()).toEqual({ items, page: info, _links })
    expect(paged.stringify('plain')).toBe(JSON.stringify(paged.render('plain')))
  })

  test('HAL: an array under the name of the collection, even of one item', () => {
    expect(paged.render('hal')).toEqual({ _embedded: { employees: items }, page: info, _links })
    expect(paged.stringify('hal')).toBe(JSON.stringify(paged.render('hal')))
  })

  test('of no items is an empty array in both formats', () => {
    expect(make([], {}).render()).toMatchObject({ items: [] })
    expect(make([], {}).stringify('hal')).toMatch(/^\{"_embedded":\{"employees":\[\]\},/)
  })

  test('is the result of the function, only in the plain format', () => {
    const own = page([{ id: 1 }], {
      resource: employee,
      path: '/employees',
      size: 20,
      totalElements: 1,
      wrapper: ({ items: data, page: meta, links }) => ({ data, meta, links }),
    })
    expect(own.render()).toEqual({ data: items, meta: info, links: _links })
    expect(JSON.parse(own.stringify())).toEqual(own.render())
    expect(own.render('hal')).toEqual(paged.render('hal'))
  })

  test('without totals has neither counts nor a last link', () => {
    expect(make([{ id: 1 }], {}).render()).toEqual({
      items,
      page: { number: 0, size: 20 },
      _links: { self: { href }, first: { href } },
    })
  })

  test('declares the curies of its items once', () => {
    const curies = [{ name: 'acme', href: 'https://docs.example/{rel}' }]
    const widget = resource<Employee>('widget', { self: '/widgets/{id}', curies, links: { 'acme:parts': '/parts' } })
    const text = page(of(2), { resource: widget, path: '/widgets', size: 20 }).stringify('hal')
    expect(text.split('"curies"')).toHaveLength(2)
    expect(JSON.parse(text)._links.curies).toEqual([{ ...curies[0], templated: true }])
  })
})

test('formats the Link header with first, prev, next and last', () => {
  expect(make(of(20), { number: 1, totalElements: 60, context: { base: 'https://api' } }).linkHeader()).toBe(
    [
      '<https://api/employees?page=0&size=20>; rel="first"',
      '<https://api/employees?page=0&size=20>; rel="prev"',
      '<https://api/employees?page=2&size=20>; rel="next"',
      '<https://api/employees?page=2&size=20>; rel="last"',
    ].join(', '),
  )
  expect(make([], {}).linkHeader()).toBe('</employees?page=0&size=20>; rel="first"')
})

test.each([
  [{ size: 0 }, 'hal: page: size must be a positive integer, got 0'],
  [{ size: '20' }, 'hal: page: size must be a positive integer, got "20"'],
  [{ number: -1 }, 'hal: page: number must be an integer of at least 0, got -1'],
  [{ number: 0, firstPage: 1 }, 'hal: page: number must be an integer of at least 1, got 0'],
  [{ number: 1.5 }, 'hal: page: number must be an integer of at least 0, got 1.5'],
  [{ totalElements: -1 }, 'hal: page: totalElements must be a non-negative integer, got -1'],
  [{ totalElement: 1 }, 'hal: page: unknown option "totalElement", did you mean "totalElements"?'],
  [{ maxOffset: 0 }, 'hal: page: maxOffset must be a positive number, got 0'],
  [{ path: '/a?b=1' }, 'hal: page: path must be a path without query and variables, got "/a?b=1"'],
  [{ resource: {} }, 'page: resource must be from resource()'],
  [{ resource: undefined }, 'page: resource must be from resource()'],
  [{ path: 5 }, 'hal: page: path must be a path without query and variables, got 5'],
  [{ query: 'a=1' }, 'hal: page: query must be an object, got "a=1"'],
  [{ firstPage: 2 }, 'hal: page: firstPage must be 0 or 1, got 2'],
  [{ hasNext: 1 }, 'hal: page: hasNext must be true or false, got 1'],
  [{ cursors: 'abc' }, 'hal: page: cursors must be an object, got "abc"'],
  [{ wrapper: {} }, 'hal: page: wrapper must be a function, got an object'],
  [{ path: 'javascript:x' }, 'must be a path from the root'],
  [{ cursors: { prev: 'a' } }, 'hal: page: cursors: unknown option "prev"'],
  [{ parameters: { pag: 'p' } }, 'hal: page: parameters: unknown option "pag", did you mean "page"?'],
])('rejects %j', (options, message) => {
  expect(() => make([], options as never)).toThrow(message)
})
