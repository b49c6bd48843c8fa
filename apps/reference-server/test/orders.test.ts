import { expect, test } from 'vitest'
import { insertRows } from '../src/database/connection.ts'
import { onEveryDatabase, record } from './service.ts'

const BIG = '9223372036854775000'

onEveryDatabase('orders and customers', (service) => {
  const order = async (as = 'ada', customerId = 1): Promise<string> => {
    const json = { customerId, items: [{ productId: 1, quantity: 2 }] }
    const answer = await service.check({ as, method: 'POST', path: '/orders', json }, { status: 201 })
    return answer.headers['location'] ?? ''
  }
  const linksOf = async (path: string, as = 'ada'): Promise<string[]> => {
    const answer = await service.check({ as, path, headers: { accept: 'application/hal+json' } }, { status: 200 })
    return Object.keys(JSON.parse(answer.text)._links)
  }

  test.each([
    ['/orders/3', 'CREATED', ['self', 'update', 'delete', 'cancel', 'payment']],
    ['/orders/1', 'PAID', ['self', 'update', 'cancel', 'invoice']],
    ['/orders/2', 'SHIPPED', ['self', 'update', 'invoice', 'tracking']],
  ])('offers at %s what can be done with an order that is %s', async (path, status, links) => {
    await service.check({ as: 'ada', path }, { status: 200, body: { status } })
    expect(await linksOf(path)).toEqual(links)
  })

  test('offers readers nothing that changes', async () => {
    expect(await linksOf('/orders/3', 'eve')).toEqual(['self'])
  })

  test('prices the lines of a new order', async () => {
    const path = await order()
    const { text } = await service.check({ as: 'ada', path }, { status: 200 })
    expect(JSON.parse(text)).toMatchObject({
      customerId: 1,
      status: 'CREATED',
      total: { amount: '1998.00', currency: 'EUR' },
      items: [{ productId: 1, quantity: 2, unitPrice: { amount: '999.00' }, lineTotal: { amount: '1998.00' } }],
      createdAt: expect.stringMatching(/Z$/),
    })
  })

  test.each([
    ['SHIPPED', 409, 'ILLEGAL_TRANSITION'],
    ['PAID', 409, 'ILLEGAL_TRANSITION'],
    ['LOST', 400, 'VALIDATION_FAILED'],
    ['CREATED', 200, undefined],
    ['CANCELLED', 200, undefined],
  ])('answers a new order that is to become %s by %i', async (state, status, code) => {
    const path = await order()
    const body = code === undefined ? { status: state } : record(status, code, path)
    await service.check({ as: 'ada', method: 'PATCH', path, json: { status: state } }, { status, body })
  })

  test('lets only those who fulfil orders ship them, and only once', async () => {
    const ship = { method: 'PATCH', path: '/orders/1', json: { status: 'SHIPPED' } }
    await service.check({ ...ship, as: 'carl' }, { status: 403, body: record(403, 'INSUFFICIENT_SCOPE') })
    await service.check({ ...ship, as: 'bob' }, { status: 200, body: { status: 'SHIPPED' } })
    const items = [{ productId: 2, quantity: 1 }]
    const change = { as: 'bob', method: 'PATCH', path: '/orders/1', json: { items } }
    await service.check(change, { status: 409, body: record(409, 'ILLEGAL_TRANSITION') })
    await service.check({ as: 'ada', method: 'DELETE', path: '/orders/1' }, { status: 409 })
  })

  test('changes the lines of a new order, and deletes it', async () => {
    const path = await order()
    const items = [{ productId: 2, quantity: 3 }]
    const body = { total: { amount: '1347.00' }, items: [{ productId: 2, quantity: 3 }] }
    await service.check({ as: 'ada', method: 'PATCH', path, json: { items } }, { status: 200, body })
    const { text } = await service.check({ as: 'ada', path }, { status: 200, body })
    await service.check({ as: 'ada', method: 'PUT', path, json: JSON.parse(text) }, { status: 200, body })
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 204 })
  })

  test('keeps the customer of an order, whether a client sends the id as a number or as a string', async () => {
    const path = await order()
    const { _links: _, ...json } = JSON.parse((await service.check({ as: 'ada', path }, { status: 200 })).text)
    const put = (customerId: unknown, status: number) =>
      service.check({ as: 'ada', method: 'PUT', path, json: { ...json, customerId } }, { status })
    await put(1, 200)
    await put('1', 200)
    for (const customerId of [2, '2', '01', 'x', null, true]) await put(customerId, 400)
  })

  test('returns for each write of an order what a read returns', async () => {
    const written = async (method: string, path: string, json: object): Promise<string> => {
      const answer = await service.check({ as: 'ada', method, path, json }, { status: method === 'POST' ? 201 : 200 })
      const at = answer.headers['location'] ?? path
      const { text } = await service.check({ as: 'ada', path: at }, { status: 200 })
      expect(answer.text).toBe(text)
      return at
    }
    // The products are neither in the order of their ids nor all different.
    const items = [3, 1, 2, 1].map((productId, index) => ({ productId, quantity: index + 1 }))
    const path = await written('POST', '/orders', { customerId: 1, items })
    await written('PATCH', path, { items: items.toReversed() })
    await written('PATCH', path, { status: 'CANCELLED' })
    await written('POST', '/orders', { customerId: 1, items: [] })
  })

  test('keeps the price at which each line was ordered, also of one product twice', async () => {
    const json = { sku: 'TWO-PRICES', name: 'x', price: { amount: '10.00', currency: 'EUR' }, stock: 9 }
    const created = await service.check({ as: 'ada', method: 'POST', path: '/products', json }, { status: 201 })
    const product = created.headers['location'] ?? ''
    const line = { productId: JSON.parse(created.text).id, quantity: 1 }
    const change = (path: string, json: object, expected: object): Promise<unknown> =>
      service.check({ as: 'ada', method: 'PATCH', path, json }, { status: 200, body: expected })
    const order = { as: 'ada', method: 'POST', path: '/orders', json: { customerId: 1, items: [line] } }
    const path = (await service.check(order, { status: 201 })).headers['location'] ?? ''
    await change(product, { price: { amount: '12.00', currency: 'EUR' } }, {})
    await service.check({ ...order, path: `${path}/items`, json: line }, { status: 201 })
    const total = { amount: '22.00', currency: 'EUR' }
    await change(path, { items: [line, line] }, { total })
    await change(path, { status: 'CANCELLED' }, { total, items: [{ unitPrice: { amount: '10.00' } }, {}] })
  })

  test.each([
    ['an unknown customer', { customerId: 9999, items: [] }, 422, 'UNKNOWN_REFERENCE'],
    ['an unknown product', { customerId: 1, items: [{ productId: 9999, quantity: 1 }] }, 422, 'UNKNOWN_REFERENCE'],
    ['a quantity of 0', { customerId: 1, items: [{ productId: 1, quantity: 0 }] }, 422, 'BUSINESS_RULE'],
    ['a quantity of 1000', { customerId: 1, items: [{ productId: 1, quantity: 1000 }] }, 422, 'BUSINESS_RULE'],
    ['a quantity of 1e20', { customerId: 1, items: [{ productId: 1, quantity: 1e20 }] }, 422, 'BUSINESS_RULE'],
    ['a quantity of -1e300', { customerId: 1, items: [{ productId: 1, quantity: -1e300 }] }, 422, 'BUSINESS_RULE'],
    ['a quantity of 1000.5', { customerId: 1, items: [{ productId: 1, quantity: 1000.5 }] }, 400, 'VALIDATION_FAILED'],
    [
      'an unknown field in a line',
      { customerId: 1, items: [{ productId: 1, quantity: 1, x: 1 }] },
      400,
      'VALIDATION_FAILED',
    ],
    ['no product', { customerId: 1, items: [{ quantity: 1 }] }, 400, 'VALIDATION_FAILED'],
    ['a status', { customerId: 1, items: [], status: 'PAID' }, 400, 'VALIDATION_FAILED'],
    ['a price', { customerId: 1, items: [], total: { amount: '1', currency: 'EUR' } }, 400, 'VALIDATION_FAILED'],
  ])('refuses an order with %s', async (_title, json, status, code) => {
    await service.check({ as: 'ada', method: 'POST', path: '/orders', json }, { status, body: record(status, code) })
  })

  test('shows customers what is theirs, and refuses the rest', async () => {
    const page = await service.check({ as: 'carl', path: '/orders?size=100' }, { status: 200 })
    const owners = JSON.parse(page.text).items.map(({ customerId }: { customerId: number }) => customerId)
    expect(new Set(owners)).toEqual(new Set([1]))
    await service.check({ as: 'carl', path: '/orders/1' }, { status: 200 })
    await service.check({ as: 'cora', path: '/orders/1' }, { status: 403, body: record(403, 'FORBIDDEN') })
    await service.check({ as: 'cora', path: '/customers/1/orders' }, { status: 403 })
    await service.check({ as: 'cora', path: '/customers/2/orders' }, { status: 200 })
    const json = { customerId: 1, items: [] }
    await service.check({ as: 'cora', method: 'POST', path: '/orders', json }, { status: 403 })
    await order('cora', 2)
  })

  test('lists and creates orders below their customer', async () => {
    const json = { items: [{ productId: 3, quantity: 1 }] }
    const path = '/customers/7/orders'
    await service.check({ as: 'ada', method: 'POST', path, json }, { status: 201, body: { customerId: 7 } })
    const { text } = await service.check({ as: 'ada', path: `${path}?status=CREATED` }, { status: 200 })
    expect(JSON.parse(text).items.length).toBeGreaterThan(0)
    expect(JSON.parse(text)._links.self.href).toBe(`${path}?page=0&size=20&status=CREATED`)
    await service.check({ as: 'ada', path: '/customers/9999/orders' }, { status: 404 })
  })

  test('refuses an e-mail address that is taken, whatever its case', async () => {
    const json = { name: 'Zoë', email: 'zoe@example.com' }
    const call = { as: 'ada', method: 'POST', path: '/customers', json }
    await service.check(call, { status: 201, body: json })
    const taken = { status: 409, body: record(409, 'DUPLICATE_VALUE') }
    await service.check({ ...call, json: { ...json, email: 'ZOE@example.com' } }, taken)
    await service.check({ ...call, json: { ...json, email: 'no' } }, { status: 400 })
  })

  test('assigns ids next to the greatest one that a client can bring', async () => {
    const { database } = service.running
    await insertRows(database, 'customer_ids', [{ id: 9223372036854775807n, brought: 1 }])
    const json = { name: 'Next', email: 'next@example.com' }
    await service.check({ as: 'ada', method: 'POST', path: '/customers', json }, { status: 201 })
  })

  test('keeps ids of 64 bits exact, in links and in XML too', async () => {
    const { database } = service.running
    const now = new Date().toISOString()
    const kept = { revision: 1, createdAt: now, updatedAt: now }
    const row = { id: BigInt(BIG), name: 'Big', email: `big@example.com`, phone: null, ...kept }
    await insertRows(database, 'customers', [row])
    const path = `/customers/${BIG}`
    await service.check({ as: 'ada', path }, { status: 200, body: { id: BIG, _links: { self: { href: path } } } })
    const xml = { accept: 'application/xml' }
    await service.check({ as: 'ada', path, headers: xml }, { status: 200, body: new RegExp(`<id>${BIG}</id>`) })
    const json = { customerId: BIG, items: [] }
    const created = await service.check(
      { as: 'ada', method: 'POST', path: '/orders', json },
      { status: 201, body: json },
    )
    const filtered = await service.check({ as: 'ada', path: `/orders?customerId=${BIG}` }, { status: 200 })
    expect(JSON.parse(filtered.text).page.totalElements).toBe(1)
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 409, body: record(409, 'IN_USE') })
    await service.check({ as: 'ada', method: 'DELETE', path: created.headers['location'] ?? '' }, { status: 204 })
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 204 })
    await service.check({ as: 'ada', path: '/customers/9223372036854775808' }, { status: 404 })
  })
})
