import { expect, test } from 'vitest'
import { columnsOf } from '../src/database/columns.ts'
import { collections } from '../src/resources/collections.ts'
import { type Call, onEveryDatabase, record } from './service.ts'

const EUR = (amount: string): object => ({ amount, currency: 'EUR' })
let keys = 0
const key = (): Record<string, string> => ({ 'idempotency-key': `key-${keys++}` })

onEveryDatabase('every collection', (service) => {
  const create = async (path: string, json: unknown, as = 'ada', headers = {}): Promise<string> => {
    const answer = await service.check({ as, method: 'POST', path, json, headers }, { status: 201 })
    return answer.headers['location'] ?? ''
  }
  const read = async (path: string, as = 'ada'): Promise<Record<string, unknown>> =>
    JSON.parse((await service.check({ as, path }, { status: 200 })).text)
  const refused = (call: Call, status: number, code: string) =>
    service.check(call, { status, body: record(status, code) })

  test('has the columns that its declaration names', async () => {
    const { db } = service.running.database
    for (const collection of collections) {
      const { select, written } = columnsOf(collection)
      for (const column of [...written, ...collection.sort])
        await db.selectFrom(collection.table).select(column).limit(1).execute()
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

  test('shows the catalogue to everybody, and says that it may be kept', async () => {
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
    await service.check({ as: 'bob', method: 'PUT', path }, { status: 200, body: { employeeIds: [20] } })
    const page = await read('/employees/20/projects')
    expect(JSON.stringify(page['items'])).toContain('Hera')
    await service.check({ as: 'bob', method: 'DELETE', path }, { status: 204 })
    await service.check({ as: 'bob', method: 'PUT', path: '/employees/99999/projects/1' }, { status: 404 })
    expect(await read(project)).toMatchObject({ employeeIds: [] })
  })

  test('lets users see and change themselves, and admins everybody', async () => {
    await service.check({ as: 'carl', path: '/users/me' }, { status: 302, headers: { location: '/users/6' } })
    await service.check({ as: 'carl', path: '/users/6' }, { status: 200, body: { username: 'carl', customerId: 1 } })
    await refused({ as: 'carl', path: '/users/1' }, 403, 'FORBIDDEN')
    await refused({ as: 'bob', path: '/users/1' }, 403, 'FORBIDDEN')
    expect(((await read('/users', 'carl'))['items'] as object[]).length).toBe(1)
    await refused(
      { as: 'carl', method: 'PATCH', path: '/users/6', json: { roles: ['admin'] } },
      403,
      'INSUFFICIENT_SCOPE',
    )
    const changed = { as: 'carl', method: 'PATCH', path: '/users/6', json: { displayName: 'Carl the Customer' } }
    await service.check(changed, { status: 200, body: { displayName: 'Carl the Customer' } })
    expect(((await read('/users/6/orders', 'carl'))['items'] as object[]).length).toBeGreaterThan(0)
  })

  test('counts a new password at once, and the old one no more', async () => {
    const json = { username: 'pat', email: 'pat@example.com', password: 'first-password', roles: ['reader'] }
    const path = await create('/users', json)
    const login = (password: string) => ({
      authorization: `Basic ${Buffer.from(`pat:${password}`).toString('base64')}`,
    })
    await service.check({ path: '/employees', headers: login('first-password') }, { status: 200 })
    await service.check({ as: 'ada', method: 'PATCH', path, json: { password: 'second-password' } }, { status: 200 })
    await service.check({ path: '/employees', headers: login('first-password') }, { status: 401 })
    await service.check({ path: '/employees', headers: login('second-password') }, { status: 200 })
  })

  test('pays an order once, takes the goods, and gives both back when it is cancelled', async () => {
    const product = await create('/products', { sku: 'PAY-1', name: 'Paid', price: EUR('12.50'), stock: 5 })
    const productId = Number(product.split('/')[2])
    const order = await create('/orders', { customerId: 1, items: [{ productId, quantity: 2 }] }, 'carl')
    const orderId = Number(order.split('/')[2])
    const pay = {
      as: 'carl',
      method: 'POST',
      path: '/payments',
      json: { orderId, amount: EUR('25.00'), method: 'CARD' },
    }
    await refused(pay, 400, 'IDEMPOTENCY_KEY_MISSING')
    await refused({ ...pay, headers: key(), json: { ...pay.json, amount: EUR('24.00') } }, 422, 'AMOUNT_MISMATCH')
    await refused({ ...pay, headers: key(), as: 'cora' }, 403, 'FORBIDDEN')
    await refused(
      { ...pay, headers: key(), json: { ...pay.json, token: '4111111111111111' } },
      400,
      'VALIDATION_FAILED',
    )
    const headers = key()
    const first = await service.check({ ...pay, headers }, { status: 201, body: { status: 'SUCCEEDED' } })
    await service.check({ ...pay, headers }, { status: 201, body: first.text })
    await refused({ ...pay, headers: key() }, 409, 'ILLEGAL_TRANSITION')
    expect(await read(order)).toMatchObject({ status: 'PAID' })
    expect(await read(product)).toMatchObject({ stock: 3 })
    expect(await read(`${order}/payment`)).toMatchObject({
      status: 'PAID',
      due: EUR('0.00'),
      payments: [{ method: 'CARD' }],
    })
    expect(await read(`${order}/invoice`)).toMatchObject({
      subtotal: EUR('21.01'),
      tax: EUR('3.99'),
      total: EUR('25.00'),
    })
    await refused({ as: 'carl', path: `${order}/tracking` }, 404, 'NOT_FOUND')

    const cancel = { as: 'carl', method: 'POST', path: `${order}/cancellation`, json: { reason: 'Too late' } }
    await service.check(cancel, { status: 201, body: { status: 'DONE', reason: 'Too late' } })
    await refused(cancel, 409, 'ILLEGAL_TRANSITION')
    expect(await read(product)).toMatchObject({ stock: 5 })
    expect(await read(`${order}/payment`)).toMatchObject({ status: 'REFUNDED' })
    expect((await read('/payments', 'cora'))['items']).not.toContainEqual(expect.objectContaining({ orderId }))
  })

  test('never sells more than there is, however many pay at once', async () => {
    const product = await create('/products', { sku: 'PAY-2', name: 'Rare', price: EUR('1.00'), stock: 3 })
    const productId = Number(product.split('/')[2])
    const items = [{ productId, quantity: 1 }]
    const orders = await Promise.all(Array.from({ length: 6 }, () => create('/orders', { customerId: 1, items })))
    const attempts = orders.map((order) =>
      service.check({ as: 'ada', method: 'POST', path: `${order}/payment`, json: { method: 'WALLET' } }, {}),
    )
    const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort()
    expect(statuses).toEqual([201, 201, 201, 422, 422, 422])
    expect(await read(product)).toMatchObject({ stock: 0, availability: 'OUT_OF_STOCK' })
  })

  test('changes the lines of an order one by one', async () => {
    const order = await create('/orders', { customerId: 1, items: [] })
    const line = await create(`${order}/items`, { productId: 1, quantity: 1 })
    expect(await read(order)).toMatchObject({ total: EUR('999.00'), items: [{ productId: 1 }] })
    const patch = { as: 'ada', method: 'PATCH', path: line, json: { quantity: 3 } }
    await service.check(patch, { status: 200, body: { lineTotal: EUR('2997.00') } })
    expect(await read(order)).toMatchObject({ total: EUR('2997.00') })
    await service.check({ as: 'ada', method: 'DELETE', path: line }, { status: 204 })
    expect(await read(order)).toMatchObject({ total: EUR('0.00'), items: [] })
    const locked = { as: 'ada', method: 'POST', path: '/orders/2/items', json: { productId: 1, quantity: 1 } }
    await refused(locked, 409, 'ILLEGAL_TRANSITION')
  })

  test('moves money, and refuses what cannot be moved', async () => {
    const transfer = (json: object, as = 'carl') => ({ as, method: 'POST', path: '/transfers', headers: key(), json })
    const base = { fromAccountId: 6, toAccountId: 7, amount: EUR('10.00') }
    const before = (await read('/accounts/6'))['balance'] as { amount: string }
    await service.check(transfer(base), { status: 201, body: { status: 'COMPLETED' } })
    const after = (await read('/accounts/6'))['balance'] as { amount: string }
    expect(Number(before.amount) - Number(after.amount)).toBeCloseTo(10)
    await refused(transfer({ ...base, toAccountId: 6 }), 422, 'SAME_ACCOUNT')
    await refused(transfer({ ...base, toAccountId: 9999 }), 422, 'UNKNOWN_REFERENCE')
    await refused(transfer({ ...base, toAccountId: 9 }), 422, 'CURRENCY_MISMATCH')
    await refused(transfer({ ...base, amount: EUR('99999999.00') }), 422, 'INSUFFICIENT_FUNDS')
    await refused(transfer({ ...base, amount: EUR('0.00') }), 422, 'BUSINESS_RULE')
    await refused(transfer(base, 'cora'), 403, 'FORBIDDEN')
    await refused({ ...transfer(base), headers: {} }, 400, 'IDEMPOTENCY_KEY_MISSING')
    const account = await create('/accounts', { currency: 'EUR' }, 'carl')
    await service.check({ as: 'carl', method: 'PATCH', path: account, json: { status: 'FROZEN' } }, { status: 200 })
    await refused(transfer({ ...base, toAccountId: Number(account.split('/')[2]) }), 422, 'ACCOUNT_NOT_OPEN')
    await service.check({ as: 'carl', path: '/accounts/6' }, { headers: { 'cache-control': 'no-store' } })
    await refused({ as: 'carl', path: '/accounts/7' }, 403, 'FORBIDDEN')
    const mine = (await read('/transfers?size=100', 'cora'))['items'] as {
      fromAccountId: number
      toAccountId: number
    }[]
    expect(
      mine.every(({ fromAccountId, toAccountId }) => [7, 9].includes(fromAccountId) || [7, 9].includes(toAccountId)),
    ).toBe(true)
  })

  test('keeps the sum of all balances under parallel transfers in both directions', async () => {
    const accounts = [await create('/accounts', { currency: 'EUR' }), await create('/accounts', { currency: 'EUR' })]
    const [a = 0, b = 0] = accounts.map((path) => Number(path.split('/')[2]))
    const move = (fromAccountId: number, toAccountId: number, amount: string) =>
      service.check(
        {
          as: 'ada',
          method: 'POST',
          path: '/transfers',
          headers: key(),
          json: { fromAccountId, toAccountId, amount: EUR(amount) },
        },
        {},
      )
    await move(1, a, '5.00')
    await move(1, b, '5.00')
    const moves = Array.from({ length: 20 }, (_, at) => (at % 2 ? move(a, b, '3.00') : move(b, a, '3.00')))
    for (const { status } of await Promise.all(moves)) expect([201, 422]).toContain(status)
    const balances = await Promise.all(
      accounts.map(async (path) => (await read(path))['balance'] as { amount: string }),
    )
    expect(balances.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(10)
    expect(balances.every(({ amount }) => Number(amount) >= 0)).toBe(true)
  })

  test('keeps a cart for each user', async () => {
    const put = { as: 'cora', method: 'PUT', path: '/cart', json: { items: [{ productId: 1, quantity: 2 }] } }
    const body = { total: EUR('1998.00'), items: [{ productId: 1, quantity: 2, lineTotal: EUR('1998.00') }] }
    await service.check(put, { status: 200, headers: { 'cache-control': 'no-store' }, body })
    const cart = await service.check({ as: 'cora', path: '/cart' }, { status: 200, body })
    await service.check({ as: 'carl', path: '/cart' }, { status: 200, body: { items: [] } })
    const patch = { ...put, method: 'PATCH', json: { items: [] }, headers: { 'if-match': cart.headers['etag'] ?? '' } }
    await service.check(patch, { status: 200, body: { items: [] } })
    await service.check(patch, { status: 412 })
    await refused({ ...put, json: { items: [{ productId: 9999, quantity: 1 }] } }, 422, 'UNKNOWN_REFERENCE')
    await service.check({ as: 'cora', method: 'DELETE', path: '/cart' }, { status: 204 })
  })
})
