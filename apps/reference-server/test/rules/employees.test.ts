import { expect, test } from 'vitest'
import { onEveryDatabase, record } from '../service.ts'

const grace = { name: 'Grace Hopper', department: 'Engineering', salary: 5000.5, city: 'New York' }

onEveryDatabase('4.1 the employee collection', (service) => {
  const create = async (): Promise<{ path: string; etag: string }> => {
    const call = { as: 'ada', method: 'POST', path: '/employees', json: grace }
    const { headers } = await service.check(call, { status: 201 })
    return { path: headers['location'] ?? '', etag: headers['etag'] ?? '' }
  }
  const page = async (query: string): Promise<{ items: Record<string, unknown>[]; page: Record<string, number> }> =>
    JSON.parse((await service.check({ as: 'eve', path: `/employees?${query}` }, { status: 200 })).text)

  test('4.1-list returns a page of employees with 200', async () => {
    const { items } = await page('page=0&size=7&sort=name')
    expect(items).toHaveLength(7)
    for (const item of items)
      expect(item).toMatchObject({ id: expect.any(Number), name: expect.any(String), salary: expect.any(Number) })
  })

  test('4.1-get returns one employee with 200', async () => {
    const { path } = await create()
    await service.check({ as: 'eve', path }, { status: 200, body: { ...grace, id: Number(path.split('/')[2]) } })
  })

  test('4.1-post creates an employee with 201 and Location', async () => {
    const call = { as: 'ada', method: 'POST', path: '/employees', json: grace }
    const answer = await service.check(call, { status: 201, headers: { location: /^\/employees\/\d+$/ }, body: grace })
    const path = answer.headers['location'] ?? ''
    expect(JSON.parse(answer.text).id).toBe(Number(path.split('/')[2]))
    await service.check({ as: 'eve', path }, { status: 200, body: grace })
    await service.check({ ...call, json: { id: 1, ...grace } }, { status: 400 })
  })

  test('4.1-put replaces an employee with 200', async () => {
    const { path } = await create()
    const other = { name: 'Grace Murray', department: 'Sales', salary: 1 }
    await service.check({ as: 'ada', method: 'PUT', path, json: other }, { status: 200, body: other })
    const { text } = await service.check({ as: 'eve', path }, { status: 200, body: other })
    expect(JSON.parse(text)).not.toHaveProperty('city')
  })

  test('4.1-patch changes only the salary, with 200', async () => {
    const { path } = await create()
    const body = { ...grace, salary: 6000 }
    await service.check({ as: 'ada', method: 'PATCH', path, json: { salary: 6000 } }, { status: 200, body })
    await service.check({ as: 'eve', path }, { status: 200, body })
  })

  test('4.1-delete deletes an employee with 204, without a body', async () => {
    const { path } = await create()
    const headers = { 'content-type': undefined, 'content-length': undefined }
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 204, headers, body: '' })
  })

  test('4.1-head returns the headers of GET without its body', async () => {
    for (const path of ['/employees?size=3', '/employees/1', '/departments', '/orders/1']) {
      const get = await service.check({ as: 'eve', path }, { status: 200 })
      const head = await service.check({ as: 'eve', method: 'HEAD', path }, { status: 200, body: '' })
      for (const name of ['content-type', 'content-length', 'etag', 'vary', 'cache-control'])
        expect(head.headers[name], `${name} of ${path}`).toBe(get.headers[name])
    }
  })

  test('4.1-options Allow lists the methods', async () => {
    const call = { method: 'OPTIONS', path: '/employees' }
    await service.check(call, { status: 204, headers: { allow: 'GET, HEAD, OPTIONS, POST, QUERY' }, body: '' })
    const allow = 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'
    await service.check({ ...call, path: '/employees/1' }, { status: 204, headers: { allow } })
  })

  test('4.1-1 reading changes nothing', async () => {
    const { path } = await create()
    const before = await service.check({ as: 'ada', path: '/employees?sort=-id&size=50' }, { status: 200 })
    for (const method of ['GET', 'HEAD', 'GET'])
      for (const target of [path, '/employees', `${path}?fields=name`])
        await service.check({ as: 'ada', method, path: target, json: { salary: 1 } }, { status: 200 })
    const after = await service.check({ as: 'ada', path: '/employees?sort=-id&size=50' }, { status: 200 })
    expect(after.text).toBe(before.text)
    expect(after.headers['etag']).toBe(before.headers['etag'])
  })

  test('4.1-2 PUT twice has one effect, and PUT of a part is rejected', async () => {
    const { path } = await create()
    const call = { as: 'ada', method: 'PUT', path, json: { ...grace, salary: 9 } }
    const first = await service.check(call, { status: 200 })
    const second = await service.check(call, { status: 200 })
    expect(second.text).toBe(first.text)
    const part = { ...call, json: { salary: 10 } }
    const refused = await service.check(part, { status: 400, body: record(400, 'VALIDATION_FAILED', path) })
    expect(JSON.parse(refused.text).errors).toContainEqual(expect.objectContaining({ pointer: '/name' }))
    await service.check({ as: 'ada', path }, { body: { salary: 9 } })
  })

  test('4.1-3 PATCH changes nothing that it does not name', async () => {
    const { path } = await create()
    const { text: before } = await service.check({ as: 'ada', path }, { status: 200 })
    const { text } = await service.check({ as: 'ada', method: 'PATCH', path, json: { city: 'Oslo' } }, { status: 200 })
    expect(JSON.parse(text)).toEqual({ ...JSON.parse(before), city: 'Oslo' })
  })

  test('4.1-4 POST twice makes two, and only at a collection', async () => {
    const first = await create()
    const second = await create()
    expect(second.path).not.toBe(first.path)
    const allow = 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'
    const call = { as: 'ada', method: 'POST', path: first.path, json: grace }
    await service.check(call, { status: 405, headers: { allow }, body: record(405, 'METHOD_NOT_ALLOWED', first.path) })
  })

  test('4.1-5 what was deleted stays deleted', async () => {
    const { path } = await create()
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 204 })
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 404 })
    await service.check({ as: 'ada', path }, { status: 404 })
    expect(await create()).not.toMatchObject({ path })
  })

  test('4.1-6 a missing resource gives 404', async () => {
    for (const path of ['/employees/99999', '/employees/0', '/employees/abc', '/orders/99999', '/departments/99999'])
      for (const method of ['GET', 'DELETE'])
        await service.check({ as: 'ada', method, path }, { status: 404, body: record(404, 'NOT_FOUND', path) })
    const change = { as: 'ada', path: '/employees/99999', json: grace }
    await service.check({ ...change, method: 'PUT' }, { status: 404 })
    await service.check({ ...change, method: 'PATCH' }, { status: 404 })
  })

  test('4.1-7 every creation gives 201', async () => {
    const made: [string, object][] = [
      ['/employees', grace],
      ['/departments', { name: 'Rules' }],
      ['/customers', { name: 'Rule', email: 'rule-4.1-7@example.com' }],
      ['/orders', { customerId: 1, items: [{ productId: 1, quantity: 1 }] }],
    ]
    for (const [path, json] of made) {
      const headers = { location: new RegExp(`^${path}/\\d+$`) }
      await service.check({ as: 'ada', method: 'POST', path, json }, { status: 201, headers })
    }
  })

  test('4.1-9 pages, sorts and filters combine', async () => {
    const all = await page('department=Sales&sort=-salary&size=100')
    expect(all.items.length).toBeGreaterThan(4)
    expect(all.items.every(({ department }) => department === 'Sales')).toBe(true)
    const salaries = all.items.map(({ salary }) => Number(salary))
    expect(salaries).toEqual([...salaries].sort((a, b) => b - a))
    const second = await page('department=Sales&sort=-salary&size=2&page=1')
    expect(second.items).toEqual(all.items.slice(2, 4))
    const { city } = all.items.find((item) => item['city'] !== undefined) ?? {}
    const both = await page(`department=Sales&city=${encodeURIComponent(String(city))}&size=100`)
    expect(both.items.length).toBe(all.items.filter((item) => item['city'] === city).length)
    await service.check({ as: 'eve', path: '/employees?sort=shoe' }, { status: 400 })
    await service.check({ as: 'eve', path: '/employees?shoe=1' }, { status: 400 })
  })

  test('4.1-10 a page has items, page and _links, and the first is 0', async () => {
    const first = await page('size=5')
    expect(Object.keys(first)).toEqual(['items', 'page', '_links'])
    expect(first.page).toEqual({
      number: 0,
      size: 5,
      totalElements: expect.any(Number),
      totalPages: expect.any(Number),
    })
    expect(await page('size=5&page=0')).toEqual(first)
    expect(first.page['totalPages']).toBe(Math.ceil((first.page['totalElements'] ?? 0) / 5))
    expect((await page(`size=5&page=${first.page['totalPages']}`)).items).toEqual([])
    const xml = { as: 'eve', path: '/employees?size=1', headers: { accept: 'application/xml' } }
    await service.check(xml, { body: /<employees><employee>.*<\/employee><page><number>0<\/number><size>1<\/size>/s })
    const hal = { ...xml, headers: { accept: 'application/hal+json' } }
    await service.check(hal, { body: { _embedded: { employees: [{ id: 1 }] }, page: { number: 0 } } })
  })
})
