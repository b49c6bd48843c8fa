import { expect, test } from 'vitest'
import { insertRows } from '../src/database/connection.ts'
import { onEveryDatabase, record } from './service.ts'

onEveryDatabase('pages of employees', (service) => {
  test('gives a page with totals and links', async () => {
    const answer = await service.check({ as: 'eve', path: '/employees?page=1&size=5' }, { status: 200 })
    const { items, page, _links } = JSON.parse(answer.text)
    expect(items).toHaveLength(5)
    expect(page).toMatchObject({ number: 1, size: 5 })
    expect(page.totalElements).toBeGreaterThanOrEqual(137)
    expect(Object.keys(_links)).toEqual(['self', 'first', 'previous', 'next', 'last'])
    expect(answer.headers['link']).toContain('rel="prev"')
    expect(answer.headers['cache-control']).toBe('private, no-cache')
  })

  test.each([
    ['a page beyond the end', 'page=400&size=20', (items: unknown[]) => expect(items).toEqual([])],
    ['size over the limit', 'size=1000', (items: unknown[]) => expect(items).toHaveLength(100)],
    [
      'a filter with the characters of a query',
      'department=R%26D&size=100',
      (items: { department: string }[]) =>
        expect(new Set(items.map((each) => each.department))).toEqual(new Set(['R&D'])),
    ],
    [
      'any of several values',
      'department=Sales&department=HR&size=100',
      (items: { department: string }[]) =>
        expect(new Set(items.map((each) => each.department))).toEqual(new Set(['Sales', 'HR'])),
    ],
    [
      'one value, named by its operator',
      'department[eq]=Sales&department[ne]=HR&size=100',
      (items: { department: string }[]) =>
        expect(new Set(items.map((each) => each.department))).toEqual(new Set(['Sales'])),
    ],
    [
      'ranges and order',
      'salary[gte]=5000&salary[lt]=6000&sort=-salary,name&size=100',
      (items: { salary: number }[]) => {
        const salaries = items.map(({ salary }) => salary)
        expect(salaries.length).toBeGreaterThan(3)
        expect(salaries.every((salary) => salary >= 5000 && salary < 6000)).toBe(true)
        expect(salaries).toEqual([...salaries].sort((a, b) => b - a))
      },
    ],
    [
      'parts of text',
      'name[startsWith]=A&city[contains]=erl&size=100',
      (items: { name: string; city: string }[]) => {
        expect(items.length).toBeGreaterThan(0)
        expect(items.every(({ name, city }) => name.startsWith('A') && city === 'Berlin')).toBe(true)
      },
    ],
    [
      'absent values first when ascending',
      'sort=city&size=3',
      (items: { city?: string }[]) => expect(items.every(({ city }) => city === undefined)).toBe(true),
    ],
    [
      'chosen fields',
      'fields=name,salary&size=1',
      (items: object[]) => expect(Object.keys(items[0] ?? {}).sort()).toEqual(['_links', 'name', 'salary']),
    ],
  ])('filters, sorts and pages: %s', async (_title, query, verify) => {
    const answer = await service.check({ as: 'eve', path: `/employees?${query}` }, { status: 200 })
    verify(JSON.parse(answer.text).items)
  })

  test.each([
    ['page=-1', 'INVALID_PARAMETER'],
    ['page=1.5', 'INVALID_PARAMETER'],
    ['page=1&page=2', 'INVALID_PARAMETER'],
    ['size=0', 'INVALID_PARAMETER'],
    ['page=200&size=100', 'INVALID_PARAMETER'],
    ['sort=shoe', 'INVALID_PARAMETER'],
    ['sort=__proto__', 'INVALID_PARAMETER'],
    ['salary=many', 'INVALID_PARAMETER'],
    ['salary[contains]=1', 'INVALID_PARAMETER'],
    ['salary[like]=1', 'INVALID_PARAMETER'],
    ['fields=shoe', 'INVALID_PARAMETER'],
    ['__proto__=1', 'UNKNOWN_PARAMETER'],
    ['deparment=Sales', 'UNKNOWN_PARAMETER'],
    ['%', 'MALFORMED_URI'],
    ['name=%00', 'MALFORMED_URI'],
    ['access_token=abc', 'INVALID_REQUEST'],
  ])('refuses the query %s', async (query, code) => {
    const expected = { status: 400, body: record(400, code, '/employees') }
    await service.check({ as: 'eve', path: `/employees?${query}` }, expected)
  })

  test.each(['status[gt]=PAID', 'status[contains]=PA', 'status[startsWith]=P'])(
    'compares a choice only as a whole: not by %s',
    async (query) => {
      const expected = { status: 400, body: record(400, 'INVALID_PARAMETER', '/orders') }
      await service.check({ as: 'eve', path: `/orders?${query}` }, expected)
      await service.check({ as: 'eve', path: '/orders?status[in]=PAID,SHIPPED' }, { status: 200 })
    },
  )

  test('chooses no fields of a document', async () => {
    for (const fields of ['id', 'number', 'number,id']) {
      const expected = { status: 400, body: record(400, 'INVALID_PARAMETER', '/orders/1/invoice') }
      await service.check({ as: 'eve', path: `/orders/1/invoice?fields=${fields}` }, expected)
    }
  })

  test.each([
    ['gte', 0],
    ['gt', 0],
    ['eq', 0],
    ['in', 0],
    ['lte', 1],
    ['lt', 1],
    ['ne', 1],
  ])('compares by %s with numbers that no column holds', async (operator, share) => {
    const total = async (path: string): Promise<number> =>
      JSON.parse((await service.check({ as: 'eve', path }, { status: 200 })).text).page.totalElements
    for (const [path, field, number] of [
      ['/products/1/reviews', 'rating', 3_000_000_000],
      ['/products/1/reviews', 'rating', 9_900_000_000_000_000],
      ['/products', 'stock', 9_900_000_000_000_000],
      ['/employees', 'salary', 99_999_999_999_999],
    ] as const)
      expect(await total(`${path}?${field}[${operator}]=${number}`)).toBe((await total(path)) * share)
  })

  test('rejects a part of text that no column holds', async () => {
    for (const operator of ['contains', 'startsWith']) {
      const json = { filter: { name: { [operator]: 'a\0b' } } }
      const query = { as: 'eve', method: 'QUERY', path: '/employees', json }
      const { text } = await service.check(query, { status: 422, body: record(422, 'INVALID_PARAMETER') })
      expect(JSON.parse(text).message).toBe(`/filter/name/${operator} must not contain control characters.`)
    }
  })

  test('overlooks what others added to a query where the client prefers that, and never a filter misspelt', async () => {
    const headers = { prefer: 'handling=lenient' }
    const unknown = { status: 400, body: record(400, 'UNKNOWN_PARAMETER') }
    for (const path of ['/employees', '/employees/1']) {
      const added = { as: 'eve', path: `${path}?_=1&utm_source=x&traceparent=y&gclid=z` }
      await service.check({ ...added, headers }, { status: 200 })
      await service.check(added, unknown)
      for (const query of ['nam=x', '__proto__x[ne]=1', 'x_=1', 'utmost=1'])
        await service.check({ as: 'eve', path: `${path}?${query}`, headers }, query[0] === '_' ? {} : unknown)
    }
  })

  test('leaves totals out where the client prefers little', async () => {
    const headers = { prefer: 'return=minimal' }
    const answer = await service.check({ as: 'eve', path: '/employees?size=2', headers }, { status: 200 })
    expect(JSON.parse(answer.text).page).toEqual({ number: 0, size: 2 })
    expect(answer.headers['preference-applied']).toBe('return=minimal')
    // A cache must not give this to others, who want totals.
    expect(answer.headers['vary']).toMatch(/\bPrefer\b/)
  })

  test('answers QUERY with the page that its Location repeats', async () => {
    const json = { filter: { department: ['Sales', 'HR'], salary: { gte: 3000 } }, sort: ['-salary'], size: 3 }
    const answer = await service.check({ as: 'eve', method: 'QUERY', path: '/employees', json }, { status: 200 })
    const again = await service.check({ as: 'eve', path: answer.headers['location'] ?? '' }, { status: 200 })
    expect(JSON.parse(again.text).items).toEqual(JSON.parse(answer.text).items)
    const marked = { ...json, cursor: '', embed: ['manager'], fields: ['name'] }
    const first = await service.check({ as: 'eve', method: 'QUERY', path: '/employees', json: marked }, { status: 200 })
    const { items, _links } = JSON.parse(first.text)
    expect(Object.keys(items[0])).toEqual(['name', '_links', '_embedded'])
    const cursor = new URLSearchParams(_links.next.href.split('?')[1]).get('cursor')
    const next = { as: 'eve', method: 'QUERY', path: '/employees', json: { ...marked, cursor } }
    const second = await service.check(next, { status: 200 })
    await service.check(
      { as: 'eve', path: _links.next.href },
      { status: 200, body: { items: JSON.parse(second.text).items } },
    )
    const wrong = { filter: { shoe: 1 } }
    await service.check({ as: 'eve', method: 'QUERY', path: '/employees', json: wrong }, { status: 422 })
    await service.check({ as: 'eve', method: 'QUERY', path: '/employees' }, { status: 400 })
  })

  test('takes values with commas and empty lists in QUERY', async () => {
    const query = { as: 'eve', method: 'QUERY', path: '/employees' }
    const body = { page: { totalElements: 0 } }
    for (const names of [['Smith, John'], ['Smith, John', 'Smith, Jane']]) {
      const { headers } = await service.check(
        { ...query, json: { filter: { name: { in: names } } } },
        { status: 200, body },
      )
      await service.check({ as: 'eve', path: headers['location'] ?? '' }, { status: 200, body })
    }
    const { text } = await service.check({ as: 'eve', path: '/employees/1' }, { status: 200 })
    const { name } = JSON.parse(text)
    const one = { filter: { name: { in: [name, 'Smith, John'] } }, sort: [], fields: [], embed: [] }
    await service.check({ ...query, json: one }, { status: 200, body: { items: [{ name }] } })
  })

  test('repeats no query in its headers that is too long for them', async () => {
    for (const length of [10, 30, 70]) {
      const names = Array.from({ length: 100 }, () => 'y'.repeat(length))
      const filter = `name=${names.join('&name=')}`
      const { headers } = await service.check({ as: 'eve', path: `/employees?${filter}` }, { status: 200 })
      expect(headers['link']?.includes(filter) ?? false).toBe(length < 70)
      const json = { filter: { name: names } }
      const page = await service.check({ as: 'eve', method: 'QUERY', path: '/employees', json }, { status: 200 })
      expect(page.headers['location']?.endsWith(`?${filter}`) ?? false).toBe(length < 70)
      expect(JSON.stringify(page.headers).length).toBeLessThan(16_384)
    }
  })

  test('embeds what its links lead to, where that is wanted and may be read', async () => {
    const path = '/employees?embed=manager,department&size=20&sort=-id'
    const { text } = await service.check(
      { as: 'eve', path: '/employees?embed=manager&size=30&sort=name' },
      { status: 200 },
    )
    const managed = JSON.parse(text).items.filter((item: { managerId?: number }) => item.managerId !== undefined)
    expect(managed.length).toBeGreaterThan(0)
    for (const { managerId, _embedded } of managed) expect(_embedded.manager.id).toBe(managerId)
    const headers = { accept: 'application/hal+json' }
    const page = await service.check({ as: 'eve', path, headers }, { status: 200, body: /"_embedded":\{"manager":/ })
    expect(JSON.parse(page.text)._links.next.href).toContain('embed=manager%2Cdepartment')
    const one = await service.check({ as: 'eve', path: '/employees/20?embed=department' }, { status: 200 })
    expect(JSON.parse(one.text)._embedded.department.name).toBe(JSON.parse(one.text).department)
    const plain = await service.check({ as: 'eve', path: '/employees/20' }, { status: 200 })
    expect(JSON.parse(plain.text)).not.toHaveProperty('_embedded')
    const refused = { status: 400, body: record(400, 'INVALID_PARAMETER') }
    await service.check({ as: 'eve', path: '/employees?embed=shoe' }, refused)
    await service.check({ as: 'eve', path: '/employees/20?embed=self' }, refused)
  })

  test.each(['', '&sort=name', '&sort=-city,salary', '&sort=city&salary[gte]=3000'])(
    'walks by marks over every employee once%s',
    async (query) => {
      const all = await service.check({ as: 'eve', path: `/employees?size=100${query}` }, { status: 200 })
      const { totalElements } = JSON.parse(all.text).page
      const ids: number[] = []
      let path: string | undefined = `/employees?cursor=&size=23${query}`
      while (path !== undefined) {
        const { text } = await service.check({ as: 'eve', path }, { status: 200 })
        const { items, _links } = JSON.parse(text)
        ids.push(...items.map(({ id }: { id: number }) => id))
        if (!_links.next) break
        path = _links.next.href
      }
      const back: number[] = []
      while (path !== undefined) {
        const { text } = await service.check({ as: 'eve', path }, { status: 200 })
        const { items, _links } = JSON.parse(text)
        back.unshift(...items.map(({ id }: { id: number }) => id))
        path = _links.previous?.href
      }
      expect(back).toEqual(ids)
      expect(ids).toHaveLength(totalElements)
      expect(new Set(ids).size).toBe(totalElements)
      expect(ids.slice(0, 100)).toEqual(JSON.parse(all.text).items.map(({ id }: { id: number }) => id))
    },
  )

  test.each([
    ['no values', { department: [] }],
    ['no operators', { salary: {} }],
    ['an operator without values', { department: { in: [] } }],
    ['the name of a parameter', { size: 1 }],
    ['a list', []],
    ['more than 100 values', { id: Array.from({ length: 101 }, (_, index) => index) }],
  ])('rejects a QUERY whose filter has %s', async (_title, filter) => {
    const query = { as: 'eve', method: 'QUERY', path: '/employees', json: { filter } }
    const { text } = await service.check(query, {})
    expect([400, 422]).toContain(JSON.parse(text).status)
    expect(JSON.parse(text).errors[0].pointer).toMatch(/^\/filter/)
  })

  test('finds any of 100 amounts, and rejects more', async () => {
    const amounts = Array.from({ length: 100 }, (_, index) => `${index}.00`).join()
    await service.check({ as: 'eve', path: `/products?price[in]=${amounts}` }, { status: 200 })
    await service.check({ as: 'eve', path: `/products?price[in]=${amounts},1` }, { status: 400 })
  })

  test('walks by marks over ids that no number holds', async () => {
    const ids = ['9007199254740993', '9007199254740995', '9007199254740997']
    const { database } = service.running
    const kept = { revision: 1, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' }
    const rows = ids.map((id) => ({ id: BigInt(id), name: id, email: `${id}@example.com`, ...kept }))
    await insertRows(database, 'customers', rows)
    const found: string[] = []
    let path: string | undefined = '/customers?cursor=&size=1&sort=-id'
    while (path !== undefined && found.length < 3) {
      const { items, _links } = JSON.parse((await service.check({ as: 'eve', path }, { status: 200 })).text)
      found.push(items[0].id)
      path = _links.next?.href
    }
    await database.run('delete from "customers" where "name" in (?, ?, ?)', ids)
    expect(found).toEqual(ids.reverse())
  })

  test('gives everything as CSV to those who may export, at once within bounds', async () => {
    const all = { path: '/employees?size=all&sort=-id&department=Sales', headers: { accept: 'text/csv' } }
    const { text, headers } = await service.check({ as: 'bob', ...all }, { status: 200 })
    const { page } = JSON.parse((await service.check({ as: 'bob', path: '/employees?department=Sales' }, {})).text)
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(page.totalElements + 1)
    expect(new Set(lines).size).toBe(lines.length)
    expect(headers['link'] ?? '').not.toMatch(/next|last/)
    await service.check({ as: 'eve', ...all }, { status: 403, body: record(403, 'INSUFFICIENT_SCOPE') })
    const catalog = { path: '/products?size=all', headers: { accept: 'text/csv' } }
    await service.check(catalog, { status: 401 })
    const refused = { status: 400, body: record(400, 'INVALID_PARAMETER') }
    await service.check({ as: 'bob', path: '/employees?size=all' }, refused)
    for (const query of ['page=1', 'cursor='])
      await service.check({ as: 'bob', ...all, path: `/employees?size=all&${query}` }, refused)
  })

  test('exports more than a page can reach, as a job alone', async () => {
    const { database } = service.running
    const kept = { revision: 1, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' }
    for (let at = 0; at < 10_050; at += 150) {
      const rows = Array.from({ length: 150 }, (_, i) => ({ message: `whole ${at + i}`, subject: 'x', ...kept }))
      await insertRows(database, 'notifications', rows)
    }
    const call = { as: 'ada', path: '/notifications?size=all', headers: { accept: 'text/csv' } }
    await service.check(call, { status: 400, body: record(400, 'INVALID_PARAMETER') })
    const deferred = { ...call, headers: { ...call.headers, prefer: 'respond-async' } }
    const { headers } = await service.check(deferred, { status: 202 })
    const operation = { as: 'ada', path: headers['location'] ?? '' }
    const links = async () => JSON.parse((await service.check(operation, { status: 200 })).text)._links
    await expect.poll(async () => (await links()).result).toBeDefined()
    const file = await service.check({ as: 'ada', path: (await links()).result.href }, { status: 200 })
    expect(file.text.match(/whole \d+/g)).toHaveLength(10_050)
    await database.run(`delete from "notifications" where "subject" = 'x'`)
  })

  test('takes no mark that it did not give, nor one of another query', async () => {
    const { text } = await service.check({ as: 'eve', path: '/employees?cursor=&size=5&sort=name' }, { status: 200 })
    const cursor = new URLSearchParams(JSON.parse(text)._links.next.href.split('?')[1]).get('cursor') ?? ''
    await service.check({ as: 'eve', path: `/employees?cursor=${cursor}&sort=name` }, { status: 200 })
    const refused = { status: 400, body: record(400, 'INVALID_PARAMETER') }
    for (const query of [
      `cursor=${cursor}`,
      `cursor=x${cursor}&sort=name`,
      'cursor=abc',
      `cursor=${cursor}&sort=name&page=1`,
    ])
      await service.check({ as: 'eve', path: `/employees?${query}` }, refused)
  })
})
