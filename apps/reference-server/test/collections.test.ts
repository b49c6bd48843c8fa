import { expect, test } from 'vitest'
import { collections } from '../src/domain/collections.ts'
import { listColumns } from '../src/engine/repository.ts'
import { type Call, createShorthands, onEveryDatabase } from './service.ts'

const EUR = (amount: string): object => ({ amount, currency: 'EUR' })

onEveryDatabase('every collection', (service) => {
  const { create, read, refused } = createShorthands(service)

  test('has the columns that its declaration names', async () => {
    const { database } = service.running
    for (const collection of collections) {
      const { select, written } = listColumns(collection)
      for (const column of [...written, ...collection.sort])
        await database.all(`select "${column}" from "${collection.table}" limit 1`)
      expect(select).toContain('"revision"')
    }
  })

  test('leads from the root to nothing that is not there', async () => {
    const seen = new Set(['/'])
    const queue = ['/']
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const headers = { accept: 'application/hal+json' }
      const { text } = await service.check({ as: 'ada', path, headers }, { status: 200 })
      for (const [, link = ''] of text.matchAll(/"href":"([^"]+)"/g)) {
        const href = link.replace(/\{\?.*\}/, '')
        // Of the pages of a collection the first ones are enough, of a template nothing is known.
        const isFar = Number(new URLSearchParams(href.split('?')[1]).get('page') ?? 0) > 1
        if (seen.has(href) || isFar || href.includes('{') || href === '/tokens') continue
        seen.add(href)
        if (seen.size < 400) queue.push(href)
      }
    }
    expect(seen.size).toBeGreaterThan(300)
  })

  test.each([
    [
      '/products',
      { sku: 'ABC-1', name: 'Thing', price: EUR('9.90') },
      { stock: 0, availability: 'OUT_OF_STOCK' },
      'stock',
      5,
    ],
    ['/categories', { name: 'Things' }, {}, 'name', 'Stuff'],
    ['/departments', { name: 'Research' }, {}, 'description', 'New'],
    [
      '/projects',
      { name: 'Zeus', employeeIds: [3, 1] },
      { status: 'PLANNED', employeeIds: [1, 3] },
      'status',
      'ACTIVE',
    ],
    [
      '/users',
      { username: 'newbie', email: 'n@example.com', password: 'long-enough-1' },
      { roles: [] },
      'displayName',
      'New',
    ],
  ])('creates, changes and deletes in %s', async (path, json, shown, field, value) => {
    const location = await create(path, json)
    const item = await read(location)
    expect(item).toMatchObject(shown)
    expect(item).not.toHaveProperty('password')
    expect(item).not.toHaveProperty('passwordHash')
    const patch = { as: 'ada', method: 'PATCH', path: location, json: { [field]: value } }
    await service.check(patch, { status: 200, body: { [field]: value } })
    await refused({ as: 'ada', method: 'POST', path, json: { shoe: 1 } }, 400, 'VALIDATION_FAILED')
    await service.check({ as: 'ada', method: 'DELETE', path: location }, { status: 204 })
    await service.check({ as: 'ada', path: location }, { status: 404 })
  })

  test.each<[string, Call, number, string]>([
    [
      'a sku that is taken',
      { method: 'POST', path: '/products', json: { sku: 'ELE-0001', name: 'x', price: EUR('1') } },
      409,
      'DUPLICATE_VALUE',
    ],
    [
      'a sku of small letters',
      { method: 'POST', path: '/products', json: { sku: 'abc', name: 'x', price: EUR('1') } },
      400,
      'VALIDATION_FAILED',
    ],
    [
      'a price in pieces',
      { method: 'POST', path: '/products', json: { sku: 'AAA', name: 'x', price: EUR('1.001') } },
      400,
      'VALIDATION_FAILED',
    ],
    [
      'a negative price',
      { method: 'POST', path: '/products', json: { sku: 'AAA', name: 'x', price: EUR('-1') } },
      422,
      'BUSINESS_RULE',
    ],
    [
      'an unknown currency',
      { method: 'POST', path: '/products', json: { sku: 'AAA', name: 'x', price: { amount: '1', currency: 'XXX' } } },
      400,
      'VALIDATION_FAILED',
    ],
    ['a category in itself', { method: 'PATCH', path: '/categories/1', json: { parentId: 9 } }, 422, 'CATEGORY_CYCLE'],
    ['a category with products', { method: 'DELETE', path: '/categories/1' }, 409, 'IN_USE'],
    ['a department with employees', { method: 'DELETE', path: '/departments/1' }, 409, 'IN_USE'],
    [
      'a name of a department that is taken',
      { method: 'POST', path: '/departments', json: { name: 'Sales' } },
      409,
      'DUPLICATE_VALUE',
    ],
    [
      'a project that ends before it starts',
      { method: 'PATCH', path: '/projects/1', json: { startDate: '2026-02-01', endDate: '2026-01-01' } },
      422,
      'DATE_ORDER',
    ],
    [
      'a day that does not exist',
      { method: 'PATCH', path: '/projects/1', json: { startDate: '2026-02-30' } },
      400,
      'VALIDATION_FAILED',
    ],
    [
      'a project of nobody',
      { method: 'PATCH', path: '/projects/1', json: { employeeIds: [99999] } },
      422,
      'UNKNOWN_REFERENCE',
    ],
    [
      'a short password',
      { method: 'POST', path: '/users', json: { username: 'abc', email: 'a@b.example', password: 'short' } },
      400,
      'VALIDATION_FAILED',
    ],
    [
      'a user without password',
      { method: 'POST', path: '/users', json: { username: 'abc', email: 'a@b.example' } },
      400,
      'VALIDATION_FAILED',
    ],
    ['an event by HTTP', { method: 'POST', path: '/soap-events', json: {} }, 405, 'METHOD_NOT_ALLOWED'],
  ])('refuses %s', async (_title, call, status, code) => void (await refused({ as: 'ada', ...call }, status, code)))

  test('shows the catalog to everybody, and says that it may be kept', async () => {
    const cached = { status: 200, headers: { 'cache-control': /^public, max-age=300/ } }
    for (const path of ['/products', '/products/1', '/categories', '/products/1/reviews'])
      await service.check({ path }, cached)
    await service.check({ as: 'ada', path: '/products/1' }, { headers: { 'cache-control': 'private, no-cache' } })
    await service.check(
      { path: '/products/1' },
      { body: { name: 'Laptop', price: EUR('999.00'), availability: 'IN_STOCK' } },
    )
    await service.check({ method: 'DELETE', path: '/products/1' }, { status: 401 })
  })

  test.each([['a\0b'], ['a\ud800b'], ['\udc00']])('rejects %j, which not every database stores', async (prose) => {
    const name = { method: 'PATCH', path: '/products/1', json: { name: prose } }
    const description = { ...name, json: { description: prose } }
    const comment = { method: 'POST', path: '/products/1/reviews', json: { rating: 1, comment: prose } }
    const reason = { method: 'POST', path: '/orders/3/cancellation', json: { reason: prose } }
    for (const call of [name, comment, reason])
      await service.check({ as: 'ada', ...call }, { status: 400, body: { errors: [{ code: 'FORMAT' }] } })
    await refused({ as: 'ada', ...description }, 400, 'VALIDATION_FAILED')
  })

  test('stores every other character of a text of several lines', async () => {
    const description = 'a\tb\r\n\u0001\u001b\u0085\u{10ffff}😀'
    const call = { as: 'ada', method: 'PATCH', path: '/products/2', json: { description } }
    await service.check(call, { status: 200, body: { description } })
    expect(await read('/products/2')).toMatchObject({ description })
  })

  test('closes no cycle of categories by parallel changes', async () => {
    for (let round = 0; round < 3; round++) {
      const names = [`left ${round}`, `right ${round}`]
      const [left = '', right = ''] = await Promise.all(names.map((name) => create('/categories', { name })))
      const below = (path: string, parent: string) => {
        const json = { parentId: Number(parent.split('/')[2]) }
        return service.check({ as: 'ada', method: 'PATCH', path, json }, {})
      }
      const changes = await Promise.all([below(left, right), below(right, left)])
      expect(changes.map(({ status }) => status).sort()).toEqual([200, 422])
    }
  })

  test('takes one review of a product from each user', async () => {
    const product = await create('/products', { sku: 'REV-1', name: 'Reviewed', price: EUR('1') })
    const path = `${product}/reviews`
    const json = { rating: 5, title: 'Great' }
    const review = await create(path, json, 'carl')
    expect(review).toMatch(new RegExp(`^${path}/\\d+$`))
    await refused({ as: 'carl', method: 'POST', path, json }, 409, 'DUPLICATE_VALUE')
    await refused({ as: 'cora', method: 'POST', path, json: { rating: 6 } }, 422, 'BUSINESS_RULE')
    await refused({ as: 'cora', method: 'DELETE', path: review }, 403, 'FORBIDDEN')
    await service.check({ path: review.replace(product, '/products/1') }, { status: 404 })
    await service.check({ as: 'carl', method: 'DELETE', path: review }, { status: 204 })
  })

  test('assigns employees to projects', async () => {
    const project = await create('/projects', { name: 'Hera' })
    const path = `/employees/20/projects/${project.split('/')[2]}`
    await service.check({ as: 'bob', method: 'PUT', path }, { status: 200, body: { employeeIds: [20] } })
    const headers = { prefer: 'return=minimal' }
    await service.check({ as: 'bob', method: 'PUT', path, headers }, { status: 204, body: '' })
    const page = await read('/employees/20/projects')
    expect(JSON.stringify(page['items'])).toContain('Hera')
    await service.check({ as: 'bob', method: 'DELETE', path }, { status: 204 })
    await service.check({ as: 'bob', method: 'PUT', path: '/employees/99999/projects/1' }, { status: 404 })
    expect(await read(project)).toMatchObject({ employeeIds: [] })
  })
})
