import { expect, test } from 'vitest'
import type { RequestLiteral } from '../../../../packages/internal/testing/check.ts'
import { onEveryDatabase, record } from '../service.ts'

const MONEY = { amount: expect.stringMatching(/^\d+\.\d\d$/), currency: expect.stringMatching(/^[A-Z]{3}$/) }

onEveryDatabase('4.1 the other collections', (service) => {
  let keys = 0
  const post = async (
    path: string,
    json: object,
    as = 'ada',
  ): Promise<{ path: string; body: Record<string, never> }> => {
    const headers = { 'idempotency-key': `rule-${keys++}` }
    const { headers: fields, text } = await service.check({ as, method: 'POST', path, json, headers }, { status: 201 })
    return { path: fields['location'] ?? '', body: JSON.parse(text) }
  }
  const refuse = (
    path: string,
    json: object,
    [status, code]: [number, string],
    {
      as = 'ada',
      method = 'POST',
      headers,
    }: { as?: string; method?: string; headers?: RequestLiteral['headers'] } = {},
  ): Promise<unknown> =>
    service.check(
      { as, method, path, json, headers: { 'idempotency-key': `rule-${keys++}`, ...headers } },
      { status, body: record(status, code) },
    )
  const read = async (path: string, as = 'ada'): Promise<ReturnType<typeof JSON.parse>> =>
    JSON.parse((await service.check({ as, path }, { status: 200 })).text)
  const allows = (path: string, allow: string): Promise<unknown> =>
    service.check({ method: 'OPTIONS', path }, { status: 204, headers: { allow } })
  const order = (customerId = 1, quantity = 1) => post('/orders', { customerId, items: [{ productId: 5, quantity }] })
  const ALL = 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'

  test('4.1-departments names are unique, and one with employees stays', async () => {
    const { path } = await post('/departments', { name: 'Research & Rules', description: 'x' })
    await refuse('/departments', { name: 'Research & Rules' }, [409, 'DUPLICATE_VALUE'])
    await refuse('/departments', { name: 'Other', managerId: 99_999 }, [422, 'UNKNOWN_REFERENCE'])
    await refuse('/departments/1', {}, [409, 'IN_USE'], { method: 'DELETE' })
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 204 })
    await allows('/departments/1', ALL)
  })

  test('4.1-projects dates are in order, and members exist', async () => {
    const json = {
      name: 'Apollo',
      startDate: '2026-01-01',
      endDate: '2026-12-31',
      departmentId: 1,
      employeeIds: [1, 2],
    }
    const { path, body } = await post('/projects', json)
    expect(body).toMatchObject({ ...json, status: 'PLANNED' })
    expect(await read(path)).toMatchObject(json)
    await refuse('/projects', { ...json, endDate: '2025-01-01' }, [422, 'DATE_ORDER'])
    await refuse('/projects', { ...json, employeeIds: [99_999] }, [422, 'UNKNOWN_REFERENCE'])
    await refuse('/projects', { ...json, startDate: '2026-02-30' }, [400, 'VALIDATION_FAILED'])
    await refuse('/projects', { ...json, status: 'LOST' }, [400, 'VALIDATION_FAILED'])
    await allows(path, ALL)
  })

  test('4.1-products are public, and their codes are unique', async () => {
    await service.check({ path: '/products?size=2' }, { status: 200, headers: { 'cache-control': /^public, max-age/ } })
    const json = { sku: 'RULE-1', name: 'Ruler', price: { amount: '2.50', currency: 'EUR' }, stock: 0, categoryId: 1 }
    const { path, body } = await post('/products', json)
    expect(body).toMatchObject({ ...json, availability: 'OUT_OF_STOCK' })
    await refuse('/products', json, [409, 'DUPLICATE_VALUE'])
    await refuse('/products', { ...json, sku: 'rule 1' }, [400, 'VALIDATION_FAILED'])
    await refuse('/products', { ...json, sku: 'RULE-2', stock: -1 }, [422, 'BUSINESS_RULE'])
    await refuse('/products', { ...json, sku: 'RULE-2', price: { amount: '2.5', currency: 'XXX' } }, [
      ...([400, 'VALIDATION_FAILED'] as const),
    ])
    await refuse('/products', json, [403, 'INSUFFICIENT_SCOPE'], { as: 'carl' })
    await service.check({ path }, { status: 200 })
    await allows(path, ALL)
  })

  test('4.1-categories they form trees, and one with products stays', async () => {
    await service.check({ path: '/categories' }, { status: 200 })
    const { path, body } = await post('/categories', { name: 'Rulers', parentId: 1 })
    const { path: below } = await post('/categories', { name: 'Long rulers', parentId: Number(body['id']) })
    const cycle = { parentId: Number(below.split('/')[2]) }
    await refuse(path, cycle, [422, 'CATEGORY_CYCLE'], { method: 'PATCH' })
    await refuse(path, {}, [409, 'IN_USE'], { method: 'DELETE' })
    await refuse('/categories', { name: 'Rulers' }, [409, 'DUPLICATE_VALUE'])
    await service.check({ as: 'ada', method: 'DELETE', path: below }, { status: 204 })
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 204 })
  })

  test('4.1-orders an order is priced by the service', async () => {
    const { path, body } = await post('/orders', { customerId: 1, items: [{ productId: 1, quantity: 2 }] })
    expect(body).toMatchObject({ status: 'CREATED', total: { amount: '1998.00', currency: 'EUR' } })
    const items = [{ productId: 1, quantity: 1 }]
    await refuse('/orders', { customerId: 1, items: [{ productId: 99_999, quantity: 1 }] }, [422, 'UNKNOWN_REFERENCE'])
    await refuse('/orders', { customerId: 99_999, items }, [422, 'UNKNOWN_REFERENCE'])
    await refuse('/orders', { customerId: 1, items, status: 'PAID' }, [400, 'VALIDATION_FAILED'])
    await service.check({ as: 'cora', path }, { status: 403, body: record(403, 'FORBIDDEN') })
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 204 })
  })

  test('4.1-payments one payment of the right amount makes an order PAID', async () => {
    const { path, body } = await order()
    const payment = { orderId: Number(body['id']), amount: body['total'], method: 'CARD' }
    await service.check(
      { as: 'ada', method: 'POST', path: '/payments', json: payment },
      { status: 400, body: record(400, 'IDEMPOTENCY_KEY_MISSING') },
    )
    await refuse('/payments', { ...payment, amount: { amount: '0.01', currency: 'EUR' } }, [422, 'AMOUNT_MISMATCH'])
    await refuse('/payments', { ...payment, token: '4111111111111111' }, [400, 'VALIDATION_FAILED'])
    const paid = await post('/payments', payment)
    expect(paid.body).toMatchObject({ ...payment, status: 'SUCCEEDED', createdAt: expect.stringMatching(/Z$/) })
    expect(await read(path)).toMatchObject({ status: 'PAID' })
    await refuse('/payments', payment, [409, 'ILLEGAL_TRANSITION'])
    await allows(paid.path, 'GET, HEAD, OPTIONS')
  })

  test('4.1-cart gives each user a separate cart', async () => {
    const items = [{ productId: 1, quantity: 2 }]
    const call = { as: 'carl', method: 'PUT', path: '/cart', json: { items } }
    const total = { amount: '1998.00', currency: 'EUR' }
    await service.check(call, {
      status: 200,
      body: { items: [{ productId: 1, quantity: 2, lineTotal: MONEY }], total },
    })
    await service.check({ as: 'carl', path: '/cart' }, { headers: { 'cache-control': 'no-store' }, body: { total } })
    expect((await read('/cart', 'cora')).items).toEqual([])
    await service.check({ ...call, json: { items: [{ productId: 99_999, quantity: 1 }] } }, { status: 422 })
    const twice = { productId: 2, quantity: 500 }
    const { text } = await service.check({ ...call, json: { items: [twice, twice] } }, { status: 422 })
    expect(JSON.parse(text).message).toBe('/items/1/quantity must be at most 999.')
    await service.check({ ...call, method: 'PATCH', json: { items: [] } }, { status: 200, body: { items: [] } })
    await service.check({ as: 'carl', method: 'DELETE', path: '/cart' }, { status: 204 })
    await service.check({ path: '/cart' }, { status: 401 })
    await allows('/cart', ALL)
  })

  test('4.1-users passwords go in and never come out; others are not shown', async () => {
    const json = { username: 'ruth', email: 'ruth@example.com', password: 'correct horse battery', roles: ['reader'] }
    const { path, body } = await post('/users', json)
    expect(body).not.toHaveProperty('password')
    const { text } = await service.check({ as: 'ada', path }, { status: 200, body: { username: 'ruth' } })
    expect(text).not.toMatch(/password|secret|scrypt|argon/i)
    const authorization = `Basic ${Buffer.from('ruth:correct horse battery').toString('base64')}`
    await service.check({ path: '/employees', headers: { authorization } }, { status: 200 })
    await refuse('/users', { ...json, email: 'other@example.com' }, [409, 'DUPLICATE_VALUE'])
    await refuse('/users', { ...json, username: 'rut', password: 'short' }, [400, 'VALIDATION_FAILED'])
    await service.check({ as: 'carl', path }, { status: 403, body: record(403, 'FORBIDDEN') })
    await allows(path, ALL)
  })

  test('4.1-accounts makes balances read-only and uncached, and visible to their owner only', async () => {
    const headers = { 'cache-control': 'no-store' }
    const { text } = await service.check({ as: 'carl', path: '/accounts' }, { status: 200, headers })
    const { items } = JSON.parse(text)
    expect(items.length).toBeGreaterThan(1)
    for (const item of items) expect(item).toMatchObject({ userId: 6, balance: MONEY, status: 'OPEN' })
    const own = `/accounts/${items[0].id}`
    const balance = { balance: { amount: '9.00', currency: 'EUR' } }
    await service.check({ as: 'carl', method: 'PATCH', path: own, json: balance }, { status: 422 })
    await service.check({ as: 'cora', path: own }, { status: 403 })
    const { body } = await post('/accounts', { currency: 'EUR' }, 'carl')
    expect(body).toMatchObject({ balance: { amount: '0.00', currency: 'EUR' }, status: 'OPEN' })
    await allows(own, 'GET, HEAD, OPTIONS, PATCH')
  })

  test('4.1-transfers money moves whole, within the balance, once', async () => {
    const [from, to] = (await read('/accounts?currency=EUR&sort=id')).items
    const amount = { amount: '10.00', currency: 'EUR' }
    const json = { fromAccountId: from.id, toAccountId: to.id, amount, reference: 'Rule' }
    const { body } = await post('/transfers', json)
    expect(body).toMatchObject({ ...json, status: 'COMPLETED' })
    const cents = (account: { balance: { amount: string } }): number => Math.round(Number(account.balance.amount) * 100)
    expect(cents(await read(`/accounts/${from.id}`))).toBe(cents(from) - 1000)
    expect(cents(await read(`/accounts/${to.id}`))).toBe(cents(to) + 1000)
    const huge = { ...json, amount: { amount: '99999999.00', currency: 'EUR' } }
    await refuse('/transfers', huge, [422, 'INSUFFICIENT_FUNDS'])
    await refuse('/transfers', { ...json, toAccountId: from.id }, [422, 'SAME_ACCOUNT'])
    const dollars = (await read('/accounts?currency=USD')).items[0]
    await refuse('/transfers', { ...json, toAccountId: dollars.id }, [422, 'CURRENCY_MISMATCH'])
    const frozen = await post('/accounts', { currency: 'EUR', userId: 1 })
    await service.check({ as: 'ada', method: 'PATCH', path: frozen.path, json: { status: 'FROZEN' } }, { status: 200 })
    const target = Number(frozen.path.split('/')[2])
    await refuse('/transfers', { ...json, toAccountId: target }, [422, 'ACCOUNT_NOT_OPEN'])
    await service.check({ as: 'ada', method: 'POST', path: '/transfers', json }, { status: 400 })
  })

  test('4.1-customers e-mail addresses are unique, whatever their case', async () => {
    const { path } = await post('/customers', { name: 'Zoë', email: 'zoe.rule@example.com' })
    await refuse('/customers', { name: 'Zoe', email: 'ZOE.rule@example.com' }, [409, 'DUPLICATE_VALUE'])
    await refuse('/customers', { name: 'Zoe', email: 'no' }, [400, 'VALIDATION_FAILED'])
    await refuse('/customers', { name: 'Zoe' }, [400, 'VALIDATION_FAILED'])
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 204 })
  })

  test('4.1-customer-orders the orders of one customer', async () => {
    const path = '/customers/4/orders'
    const { body } = await post(path, { items: [{ productId: 3, quantity: 1 }] })
    expect(body).toMatchObject({ customerId: 4 })
    const { items } = await read(`${path}?size=100`)
    expect(new Set(items.map(({ customerId }: { customerId: number }) => customerId))).toEqual(new Set([4]))
    expect(items.map(({ id }: { id: number }) => id)).toContain(body['id'])
    await service.check({ as: 'ada', path: '/customers/99999/orders' }, { status: 404 })
  })

  test('4.1-order-items lines of an order that is new can change', async () => {
    const { path } = await order(1, 1)
    const added = await post(`${path}/items`, { productId: 1, quantity: 2 })
    expect(added.body).toMatchObject({ productId: 1, quantity: 2, lineTotal: { amount: '1998.00' } })
    const line = { as: 'ada', path: added.path }
    await service.check({ ...line, method: 'PATCH', json: { quantity: 1 } }, { status: 200, body: { quantity: 1 } })
    expect((await read(`${path}/items`)).items).toHaveLength(2)
    await service.check({ ...line, method: 'DELETE' }, { status: 204 })
    await refuse('/orders/1/items', { productId: 1, quantity: 1 }, [409, 'ILLEGAL_TRANSITION'])
    await service.check({ as: 'ada', path: '/orders/99999/items' }, { status: 404 })
  })

  test('4.1-order-tracking exists from SHIPPED on', async () => {
    const event = { timestamp: expect.any(String), location: expect.any(String), description: expect.any(String) }
    expect(await read('/orders/2/tracking')).toMatchObject({
      orderId: 2,
      carrier: expect.any(String),
      trackingNumber: expect.any(String),
      status: 'IN_TRANSIT',
      estimatedDelivery: expect.any(String),
      events: expect.arrayContaining([expect.objectContaining(event)]),
    })
    await service.check({ as: 'ada', path: '/orders/3/tracking' }, { status: 404 })
    await service.check({ as: 'cora', path: '/orders/2/tracking' }, { status: 403 })
  })

  test('4.1-order-invoice exists from PAID on, and its sums are right', async () => {
    const { number, lines, subtotal, tax, total } = await read('/orders/1/invoice')
    expect(number).toEqual(expect.any(String))
    const cents = ({ amount }: { amount: string }): number => Math.round(Number(amount) * 100)
    const sum = lines.reduce((all: number, line: { lineTotal: { amount: string } }) => all + cents(line.lineTotal), 0)
    expect(cents(total)).toBe(sum)
    expect(cents(subtotal) + cents(tax)).toBe(cents(total))
    for (const accept of ['application/xml', 'text/html', 'text/plain', 'application/pdf'])
      await service.check({ as: 'ada', path: '/orders/1/invoice', headers: { accept } }, { status: 200 })
    await service.check({ as: 'ada', path: '/orders/3/invoice' }, { status: 404 })
  })

  test('4.1-product-reviews one for each user and product', async () => {
    const path = '/products/60/reviews'
    await service.check({ path }, { status: 200 })
    const json = { rating: 5, title: 'Straight', comment: 'As a rule.' }
    const { path: own, body } = await post(path, json, 'cora')
    expect(body).toMatchObject({ ...json, productId: 60, userId: 7 })
    await refuse(path, json, [409, 'DUPLICATE_VALUE'], { as: 'cora' })
    await refuse(path, { rating: 6 }, [422, 'BUSINESS_RULE'], { as: 'carl' })
    await service.check({ as: 'carl', method: 'DELETE', path: own }, { status: 403 })
    await service.check({ as: 'cora', method: 'DELETE', path: own }, { status: 204 })
    await service.check({ path: '/products/99999/reviews' }, { status: 404 })
  })

  test('4.1-user-orders the orders of the customer record of a user', async () => {
    const { items } = await read('/users/6/orders?size=100', 'carl')
    expect(items.length).toBeGreaterThan(0)
    for (const { customerId } of items) expect(customerId).toBe(1)
    await service.check({ as: 'cora', path: '/users/6/orders' }, { status: 403 })
    await service.check({ as: 'ada', path: '/users/99999/orders' }, { status: 404 })
  })

  test('4.1-employee-projects people are assigned and released', async () => {
    const { path } = await post('/projects', { name: 'Assignment' })
    const id = Number(path.split('/')[2])
    const assignment = `/employees/9/projects/${id}`
    const ids = async (): Promise<number[]> =>
      (await read('/employees/9/projects?size=100')).items.map((item: { id: number }) => item.id)
    await service.check({ as: 'ada', method: 'PUT', path: assignment }, {})
    expect(await ids()).toContain(id)
    const { status } = await service.check({ as: 'ada', method: 'PUT', path: assignment }, {})
    expect([200, 204]).toContain(status)
    await service.check({ as: 'ada', method: 'DELETE', path: assignment }, { status: 204 })
    expect(await ids()).not.toContain(id)
    await service.check({ as: 'ada', path: '/employees/99999/projects' }, { status: 404 })
  })

  test('4.1-8 accepts what takes longer, and reports its progress', async () => {
    const [from, to] = (await read('/accounts?currency=EUR&sort=id')).items
    const json = { fromAccountId: from.id, toAccountId: to.id, amount: { amount: '1.00', currency: 'EUR' } }
    const headers = { prefer: 'respond-async', 'idempotency-key': `rule-async-${keys++}` }
    const expected = { location: /^\/operations\/[\w-]+$/, 'preference-applied': 'respond-async', 'retry-after': '1' }
    const call = { as: 'ada', method: 'POST', path: '/transfers', json, headers }
    const accepted = await service.check(call, { status: 202, headers: expected })
    const operation = accepted.headers['location'] ?? ''
    await expect.poll(async () => (await read(operation)).status).toBe('SUCCEEDED')
    const { _links } = await read(operation)
    expect(await read(_links.result.href)).toMatchObject({ ...json, status: 'COMPLETED' })
  })
})
