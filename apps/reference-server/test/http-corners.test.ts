import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createShorthands, onEveryDatabase, record, send, serviceFor } from './service.ts'

const HAL = ['application/hal+json', 'application/prs.hal-forms+json']

onEveryDatabase('requests', (service) => {
  const { create, read, refused } = createShorthands(service)
  const count = async (path: string): Promise<number> =>
    ((await read(path)) as { page: { totalElements: number } }).page.totalElements

  test('refuses unknown parameters before anything happens', async () => {
    const before = await count('/departments')
    for (const call of [
      { method: 'POST', path: '/departments?dryRun=true', json: { name: 'Dry' } },
      { method: 'PUT', path: '/departments/8?x=1', json: { name: 'Dry' } },
      { method: 'PATCH', path: '/departments/8?x=1', json: { name: 'Dry' } },
      { method: 'DELETE', path: '/employees/9?dryRun=true' },
      { method: 'POST', path: '/orders/3/payment?x=1', json: { method: 'CARD' }, headers: { 'idempotency-key': 'q1' } },
      { method: 'POST', path: '/orders/3/cancellation?x=1' },
      { method: 'PUT', path: '/cart?x=1', json: { items: [] } },
      { method: 'PUT', path: '/employees/1/projects/2?x=1' },
      { method: 'POST', path: '/tokens?scope=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      { method: 'QUERY', path: '/employees?city=Graz', json: {} },
      { path: '/cart?page=2' },
      { path: '/users/me?x=1' },
      { path: '/users/1/soap-secret?x=1' },
      { path: '/operations/1?x=1' },
    ])
      await refused({ as: 'ada', ...call }, 400, 'UNKNOWN_PARAMETER')
    expect(await count('/departments')).toBe(before)
    await service.check({ as: 'ada', path: '/employees/9' }, { status: 200 })
    const overlooked = { method: 'POST', path: '/departments?utm_source=x', json: { name: 'Lenient' } }
    await refused({ as: 'ada', ...overlooked }, 400, 'UNKNOWN_PARAMETER')
    await service.check({ as: 'ada', ...overlooked, headers: { prefer: 'handling=lenient' } }, { status: 201 })
  })

  test.each(HAL)('takes back the documents that it gives as %s', async (type) => {
    const headers = { accept: type, 'content-type': type }
    const path = await create('/employees', { name: 'Hal', department: 'Sales', salary: 1 })
    const { text, headers: fields } = await service.check({ as: 'ada', path, headers }, { status: 200 })
    const json = { ...JSON.parse(text), salary: 2, page: { number: 0 } }
    const put = { as: 'ada', method: 'PUT', path, json, headers: { ...headers, 'if-match': fields['etag'] ?? '' } }
    await service.check(put, { status: 200, body: { salary: 2, name: 'Hal' } })
    const patch = { ...put, method: 'PATCH', json: { ...json, city: 'Graz', _embedded: {} }, headers }
    await service.check(patch, { status: 200, body: { city: 'Graz' } })
    const { id: _, ...rest } = json
    const post = { ...patch, method: 'POST', path: '/employees', json: rest }
    await service.check(post, { status: 201, body: { name: 'Hal' }, headers: { 'content-type': type } })
    const { _links: __, ...order } = await read('/orders/3')
    await service.check({ ...patch, path: '/orders/3', json: { ...order, _links: {} } }, { status: 200 })
    await service.check({ ...put, path: '/cart', headers, json: { items: [], _links: {} } }, { status: 200 })
    const options = await send(service.url, { method: 'OPTIONS', path: '/employees' })
    expect(options.headers['accept-post']).toContain(type)
    const item = await send(service.url, { method: 'OPTIONS', path: '/employees/1' })
    expect(item.headers['accept-patch']).toContain(type)
  })

  test('takes and gives text/xml as it does application/xml', async () => {
    const xml = { accept: 'text/xml', 'content-type': 'text/xml; charset=utf-8' }
    const body = '<department><name>Text XML</name></department>'
    const post = { as: 'ada', method: 'POST', path: '/departments', headers: xml, body }
    const type = 'text/xml; charset=utf-8'
    const created = await service.check(post, { status: 201, headers: { 'content-type': type } })
    expect(created.text).toContain('<name>Text XML</name>')
    const same = await service.check({ as: 'ada', path: '/departments/1', headers: { accept: 'application/xml' } }, {})
    await service.check({ as: 'ada', path: '/departments/1', headers: xml }, { status: 200, body: same.text })
    const vendor = { accept: 'application/vnd.svc.v2+xml' }
    await service.check({ as: 'ada', path: '/employees/1', headers: vendor }, { status: 200, body: /<department><id>/ })
  })

  test.each(['/employees', '/departments', '/orders', '/products', '/customers', '/users', '/orders/3/items'])(
    'filters %s by id',
    async (path) => {
      const { items } = (await read(`${path}?sort=id&size=3`)) as { items: { id: number }[] }
      const ids = items.map(({ id }) => id)
      const [first = 0, last = first] = [ids[0], ids.at(-1)]
      const found = async (query: string): Promise<number[]> =>
        ((await read(`${path}?sort=id&size=3&${query}`)) as { items: { id: number }[] }).items.map(({ id }) => id)
      expect(await found(`id=${first}`)).toEqual([first])
      expect(await found(`id[in]=${ids.join()}`)).toEqual(ids)
      expect(await found(`id[lte]=${last}&id[ne]=${first}`)).toEqual(ids.slice(1))
      expect(await found(`id[gte]=${first}&id[lt]=${last}`)).toEqual(ids.slice(0, -1))
      expect(await found(`id[gt]=${first}`)).not.toContain(first)
      const query = { as: 'ada', method: 'QUERY', path, json: { filter: { id: ids }, sort: ['id'] } }
      const { text } = await service.check(query, { status: 200 })
      expect(JSON.parse(text).items.map(({ id }: { id: number }) => id)).toEqual(ids)
      await refused({ as: 'ada', path: `${path}?id=x` }, 400, 'INVALID_PARAMETER')
      await refused({ as: 'ada', path: `${path}?id[contains]=1` }, 400, 'INVALID_PARAMETER')
    },
  )

  test('takes no key out of two header lines', async () => {
    const post = { as: 'ada', method: 'POST', path: '/departments', json: { name: 'Two keys' } }
    await refused({ ...post, headers: { 'idempotency-key': ['one', 'two'] } }, 400, 'IDEMPOTENCY_KEY_INVALID')
  })

  test('tries a write and undoes it', async () => {
    const headers = { prefer: 'tx=rollback', 'idempotency-key': 'dry-run' }
    const before = await count('/departments')
    const applied = { 'preference-applied': /tx=rollback/, 'cache-group-invalidation': undefined }
    const post = { as: 'ada', method: 'POST', path: '/departments', json: { name: 'Dry run' }, headers }
    await service.check(post, { status: 201, headers: applied, body: { name: 'Dry run' } })
    await service.check(post, { status: 201, headers: { ...applied, 'idempotent-replayed': undefined } })
    await refused({ ...post, json: { name: '' } }, 400, 'VALIDATION_FAILED')
    await refused({ ...post, json: { name: 'Sales' } }, 409, 'DUPLICATE_VALUE')
    expect(await count('/departments')).toBe(before)
    const employee = await service.check({ as: 'ada', path: '/employees/9' }, { status: 200 })
    const patch = { as: 'ada', method: 'PATCH', path: '/employees/9', json: { salary: 1 }, headers }
    await service.check(patch, { status: 200, headers: applied, body: { salary: 1 } })
    await service.check({ ...patch, method: 'DELETE', json: undefined }, { status: 204, headers: applied })
    const after = await service.check({ as: 'ada', path: '/employees/9' }, { status: 200, body: employee.text })
    expect(after.headers['etag']).toBe(employee.headers['etag'])
    const order = await create('/orders', { customerId: 1, items: [{ productId: 1, quantity: 1 }] })
    const pay = { as: 'ada', method: 'POST', path: `${order}/payment`, json: { method: 'CARD' } }
    const later = { ...headers, prefer: 'tx=rollback, respond-async' }
    await service.check({ ...pay, headers: later }, { status: 201, headers: applied, body: { status: 'PAID' } })
    expect(await read(order)).toMatchObject({ status: 'CREATED' })
    await service.check({ ...pay, headers: { 'idempotency-key': 'dry-run' } }, { status: 201 })
  })

  test.each(['/products', '/products/7', '/categories', '/products/1/reviews', '/products/1/image'])(
    'varies %s by Authorization, on which its links depend',
    async (path) => {
      for (const as of [undefined, 'ada']) {
        const headers = { accept: 'application/json', vary: '' }
        const answer = await service.check({ ...(as && { as }), path, headers }, { status: 200 })
        expect(answer.headers['vary']).toMatch(/(^|, )Authorization(,|$)/)
      }
    },
  )

  test('sorts ids of 64 bits as numbers', async () => {
    for (const [path, field] of [
      ['/customers?sort=-id&size=100', 'id'],
      ['/customers?size=100', 'id'],
      ['/orders?sort=-customerId&size=100', 'customerId'],
    ] as const) {
      const { items } = (await read(path)) as { items: Record<string, number>[] }
      const values = items.map((item) => item[field] ?? 0)
      const sorted = values.toSorted((a, b) => (path.includes('-') ? b - a : a - b))
      expect(values, path).toEqual(sorted)
    }
  })

  test('finds what is absent by null in QUERY, and by [exists] in GET', async () => {
    const all = await count('/employees')
    const absent = await count('/employees?city[exists]=false')
    expect(absent).toBeGreaterThan(0)
    expect(await count('/employees?city[exists]=true')).toBe(all - absent)
    const query = (filter: object) => ({ as: 'ada', method: 'QUERY', path: '/employees', json: { filter } })
    const { text, headers } = await service.check(query({ city: null }), { status: 200 })
    const body = JSON.parse(text)
    expect(body.page.totalElements).toBe(absent)
    expect(body.items.every((item: object) => !('city' in item))).toBe(true)
    expect(await count(headers['location'] ?? '')).toBe(absent)
    const others = await service.check(query({ city: { ne: null } }), { status: 200 })
    expect(JSON.parse(others.text).page.totalElements).toBe(all - absent)
    await service.check({ ...query({}), json: { page: null, sort: null, filter: null } }, { status: 200 })
    for (const filter of [{ city: ['Graz', null] }, { city: { gt: null } }, { city: { in: ['Graz', null] } }])
      await service.check(query(filter), { status: 422 })
    for (const value of ['yes', '', '1'])
      await refused({ as: 'ada', path: `/employees?city[exists]=${value}` }, 400, 'INVALID_PARAMETER')
  })

  test('keeps to cursors from the first page on', async () => {
    const { _links } = (await read('/employees?size=5&cursor=&sort=name')) as {
      _links: Record<string, { href: string }>
    }
    const next = (await read(_links['next']?.href ?? '')) as typeof _links & {
      _links: Record<string, { href: string }>
    }
    expect(next._links['first']?.href).toBe('/employees?cursor=&size=5&sort=name')
    const first = (await read(next._links['first']?.href ?? '')) as { _links: Record<string, { href: string }> }
    expect(first._links['next']?.href).toBe(_links['next']?.href)
  })

  test('needs a key to pay an order at its own path', async () => {
    const order = await create('/orders', { customerId: 1, items: [{ productId: 1, quantity: 1 }] })
    const pay = { as: 'ada', method: 'POST', path: `${order}/payment`, json: { method: 'CARD' } }
    await service.check(pay, { status: 400, body: record(400, 'IDEMPOTENCY_KEY_MISSING') })
    const once = { ...pay, headers: { 'idempotency-key': `pay-${order}` } }
    const { text } = await service.check(once, { status: 201 })
    await service.check(once, { status: 201, body: text, headers: { 'idempotent-replayed': 'true' } })
  })

  test('writes nested values of CSV as columns, and lists of items as their number', async () => {
    const csv = { accept: 'text/csv' }
    const { text } = await service.check({ as: 'ada', path: '/v2/employees/1', headers: csv }, { status: 200 })
    const [header = '', row = ''] = text.split('\r\n')
    expect(header).toBe('id,name,department.id,department.name,salary,city,managerId')
    expect(row).toMatch(/^1,[^,]+,1,Engineering,\d+\.\d\d EUR,/)
    const orders = await service.check({ as: 'ada', path: '/orders/3', headers: csv }, { status: 200 })
    expect(orders.text).not.toContain('{')
    const [names = '', values = ''] = orders.text.split('\r\n').map((line) => line.split(','))
    const { items } = (await read('/orders/3')) as { items: unknown[] }
    expect(values[names.indexOf('items')]).toBe(String(items.length))
  })

  test('replays a response with its date, and with the caches that it invalidates', async () => {
    const json = { name: 'Replayed', department: 'Sales', salary: 1 }
    const post = { as: 'ada', method: 'POST', path: '/employees', json, headers: { 'idempotency-key': 'replayed' } }
    const { headers } = await service.check(post, { status: 201 })
    const same = ['last-modified', 'cache-group-invalidation', 'etag', 'location']
    const expected = Object.fromEntries(same.map((name) => [name, headers[name]]))
    expect(Object.values(expected)).not.toContain(undefined)
    await service.check(post, { status: 201, headers: { ...expected, 'idempotent-replayed': 'true' } })
  })

  test('replays a page as a page', async () => {
    const headers = { 'idempotency-key': 'page', accept: 'text/html', 'accept-language': 'de' }
    const json = { name: 'Seite', department: 'Sales', salary: 1 }
    const post = { as: 'ada', method: 'POST', path: '/employees', json, headers }
    const { headers: first, text } = await service.check(post, { status: 201 })
    const same = ['content-security-policy', 'content-language', 'vary', 'cache-control', 'etag']
    const expected = Object.fromEntries(same.map((name) => [name, first[name]]))
    const again = { ...post, headers: { ...headers, 'accept-language': 'fr' } }
    await service.check(again, { status: 201, headers: expected, body: text })
  })
})

const service = serviceFor()

test('says that there are no ranges', async () => {
  await service.check({ method: 'OPTIONS', path: '/employees' }, { status: 204, headers: { 'accept-ranges': 'none' } })
})

test.each([
  ['/ws/customer/', '/ws/customer'],
  ['/WS/priceservice?wsdl', '/ws/PriceService?wsdl'],
])('redirects from %s to %s', async (path, location) => {
  await service.check({ path }, { status: 301, headers: { location } })
  await service.check({ path, method: 'POST', body: '' }, { status: 308, headers: { location } })
})

test('reads the form of a page alike by GET and HEAD', async () => {
  const call = { as: 'ada', path: '/employees?name=&city=Graz', headers: { accept: 'text/html' } }
  for (const method of ['GET', 'HEAD'])
    await service.check({ ...call, method }, { status: 302, headers: { location: '/employees?city=Graz' } })
  await service.check({ ...call, path: '/employees?cursor=' }, { status: 200 })
})

test.each([
  ['an error for a fragment', 'GET /products/1#top HTTP/1.1\r\nHost: localhost', /^HTTP\/1\.1 400 /],
  [
    'no interim response for HTTP/1.0',
    'POST /tokens HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1',
    /^HTTP\/1\.1 4\d\d /,
  ],
])('sends %s', async (_title, head, expected) => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  socket.end(`${head}\r\nConnection: close\r\n\r\nx`)
  expect(await text(socket)).toMatch(expected)
})
