import { expect, test } from 'vitest'
import { createShorthands, onEveryDatabase } from './service.ts'

const EUR = (amount: string): object => ({ amount, currency: 'EUR' })
let keys = 0
const key = (): Record<string, string> => ({ 'idempotency-key': `key-${keys++}` })

onEveryDatabase('orders, payments and carts', (service) => {
  const { create, read, refused } = createShorthands(service)

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

  test.each(['4111111111111111', '4111-1111-1111-1111', '4111 1111 1111 1111', '4111 - 1111 - 1111', '6'.repeat(19)])(
    'refuses the card number %s as a token',
    async (token) => {
      const json = { method: 'CARD', token }
      const refusal = { status: 400, body: { errors: [{ pointer: '/token', detail: 'must not be a card number' }] } }
      const call = { as: 'ada', method: 'POST', headers: key() }
      await service.check({ ...call, path: '/orders/3/payment', json }, refusal)
      const payment = { orderId: 3, amount: EUR('1.00'), ...json }
      await service.check({ ...call, path: '/payments', headers: key(), json: payment }, refusal)
    },
  )

  test.each(['tok_4111111111111111', '4111-1111-111', '6'.repeat(20)])('takes the token %s', async (token) => {
    const path = `${await create('/orders', { customerId: 1, items: [{ productId: 1, quantity: 1 }] })}/payment`
    const call = { as: 'ada', method: 'POST', path, headers: key(), json: { method: 'CARD', token } }
    await service.check(call, { status: 201 })
  })

  test('refuses to pay for an order without items, whether the amount is named or not', async () => {
    const order = await create('/orders', { customerId: 1, items: [] })
    const json = { method: 'CARD' }
    const problem = { pointer: '/amount/amount', code: 'RANGE', detail: 'must be at least 0.01' }
    for (const [path, body] of [
      [`${order}/payment`, json],
      [`${order}/payment`, { ...json, amount: EUR('0.00') }],
      ['/payments', { ...json, amount: EUR('0.00'), orderId: Number(order.split('/')[2]) }],
    ] as const) {
      const call = { as: 'ada', method: 'POST', path, headers: key(), json: body }
      await service.check(call, { status: 422, body: { code: 'BUSINESS_RULE', errors: [problem] } })
    }
    expect(await read(order)).toMatchObject({ status: 'CREATED' })
  })

  test('gives each form of a payment, or none, an ETag', async () => {
    const path = await create('/orders', { customerId: 1, items: [{ productId: 1, quantity: 1 }] })
    const call = { path: `${path}/payment`, headers: { accept: 'application/prs.hal-forms+json' } }
    const withForm = await service.check({ ...call, as: 'ada' }, { status: 200, body: /"method":"POST"/ })
    const headers = { ...call.headers, 'if-none-match': withForm.headers['etag'] ?? '' }
    await service.check({ ...call, as: 'ada', headers }, { status: 304 })
    await service.check({ ...call, as: 'eve', headers }, { status: 200, body: { _templates: {} } })
    const pay = { as: 'ada', method: 'POST', path: call.path, json: { method: 'CARD' } }
    const condition = { ...key(), 'if-match': withForm.headers['etag'] ?? '' }
    await service.check({ ...pay, headers: condition }, { status: 201 })
  })

  test('never sells more than there is, however many pay at once', async () => {
    const product = await create('/products', { sku: 'PAY-2', name: 'Rare', price: EUR('1.00'), stock: 3 })
    const productId = Number(product.split('/')[2])
    const items = [{ productId, quantity: 1 }]
    const orders = await Promise.all(Array.from({ length: 6 }, () => create('/orders', { customerId: 1, items })))
    const attempts = orders.map((order) =>
      service.check(
        { as: 'ada', method: 'POST', path: `${order}/payment`, json: { method: 'WALLET' }, headers: key() },
        {},
      ),
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

  test('sells no product that is discontinued, except in lines from before', async () => {
    const product = { sku: 'GONE-1', name: 'Gone', price: EUR('2.00'), stock: 9 }
    const path = await create('/products', product)
    const line = { productId: Number(path.split('/')[2]), quantity: 1 }
    const other = { productId: 1, quantity: 1 }
    const order = await create('/orders', { customerId: 1, items: [line] })
    const cart = { as: 'carl', method: 'PUT', path: '/cart' }
    await service.check({ ...cart, json: { items: [line] } }, { status: 200 })
    await service.check({ as: 'ada', method: 'PATCH', path, json: { discontinued: true } }, { status: 200 })

    const problem = (pointer: string): object => ({
      status: 422,
      body: { code: 'BUSINESS_RULE', errors: [{ pointer, detail: 'names a product that is no longer sold' }] },
    })
    const items = [other, line]
    const post = { as: 'ada', method: 'POST', path: '/orders', json: { customerId: 1, items } }
    await service.check(post, problem('/items/1/productId'))
    await service.check({ ...post, path: `${order}/items`, json: line }, problem('/productId'))
    const newOrder = await create('/orders', { customerId: 1, items: [other] })
    const patch = { as: 'ada', method: 'PATCH', path: newOrder, json: { items } }
    await service.check(patch, problem('/items/1/productId'))
    await service.check({ ...cart, as: 'cora', json: { items } }, problem('/items/1/productId'))

    await service.check({ ...patch, path: order }, { status: 200, body: { total: EUR('1001.00') } })
    const [, { id }] = (await read(order))['items'] as [unknown, { id: number }]
    const more = { ...patch, path: `${order}/items/${id}`, json: { quantity: 2 } }
    await service.check(more, { status: 200, body: { lineTotal: EUR('4.00') } })
    await service.check({ ...cart, json: { items } }, { status: 200, body: { total: EUR('1001.00') } })
    await service.check(
      { ...post, path: `${order}/payment`, headers: key(), json: { method: 'CARD' } },
      { status: 201 },
    )
    await service.check({ ...cart, method: 'DELETE' }, { status: 204 })
    await service.check({ ...cart, json: { items: [line] } }, problem('/items/0/productId'))
  })

  test('creates a document without returning it', async () => {
    const order = await create('/orders', { customerId: 1, items: [{ productId: 1, quantity: 1 }] })
    const path = `${order}/cancellation`
    const call = { as: 'ada', method: 'POST', path, json: {}, headers: { prefer: 'return=minimal' } }
    const headers = { location: path, 'preference-applied': 'return=minimal' }
    await service.check(call, { status: 201, body: '', headers })
    expect(await read(order)).toMatchObject({ status: 'CANCELLED' })
  })

  test('keeps a cart for each user', async () => {
    const put = { as: 'cora', method: 'PUT', path: '/cart', json: { items: [{ productId: 1, quantity: 2 }] } }
    const body = { total: EUR('1998.00'), items: [{ productId: 1, quantity: 2, lineTotal: EUR('1998.00') }] }
    await service.check(put, { status: 200, headers: { 'cache-control': 'no-store' }, body })
    const minimal = { status: 204, body: '', headers: { 'preference-applied': 'return=minimal' } }
    await service.check({ ...put, headers: { prefer: 'return=minimal' } }, minimal)
    const cart = await service.check({ as: 'cora', path: '/cart' }, { status: 200, body })
    await service.check({ as: 'carl', path: '/cart' }, { status: 200, body: { items: [] } })
    const patch = { ...put, method: 'PATCH', json: { items: [] }, headers: { 'if-match': cart.headers['etag'] ?? '' } }
    await service.check(patch, { status: 200, body: { items: [] } })
    await service.check(patch, { status: 412 })
    const { headers } = await service.check({ as: 'cora', path: '/cart' }, { status: 200 })
    const add = { ...put, headers: { 'if-match': headers['etag'] ?? '' } }
    const parallel = [1, 2, 3].map((quantity) =>
      service.check({ ...add, json: { items: [{ productId: 1, quantity }] } }, {}),
    )
    expect((await Promise.all(parallel)).map(({ status }) => status).sort()).toEqual([200, 412, 412])
    await refused({ ...put, json: { items: [{ productId: 9999, quantity: 1 }] } }, 422, 'UNKNOWN_REFERENCE')
    await service.check({ as: 'cora', method: 'DELETE', path: '/cart' }, { status: 204 })
  })

  test('patches a cart as it is shown, and rejects an invalid result', async () => {
    const put = { as: 'cora', method: 'PUT', path: '/cart', json: { items: [{ productId: 1, quantity: 2 }] } }
    const { updatedAt } = JSON.parse((await service.check(put, { status: 200 })).text)
    const headers = { 'content-type': 'application/json-patch+json' }
    const patch = (...json: object[]) => ({ ...put, method: 'PATCH', headers, json })
    const invalid: [object, string, string][] = [
      [{ op: 'add', path: '/items/-', value: { productId: 'x', quantity: 1 } }, '/items/1/productId', 'TYPE'],
      [{ op: 'replace', path: '', value: 'x' }, '', 'TYPE'],
      [{ op: 'remove', path: '/items' }, '/items', 'REQUIRED'],
    ]
    for (const [operation, pointer, code] of invalid) {
      const body = { code: 'PATCH_INVALID', errors: [{ pointer, code }] }
      await service.check(patch(operation), { status: 422, body })
    }
    await refused(patch({ op: 'test', path: '/total/amount', value: '1.00' }), 409, 'PATCH_CONFLICT')
    await refused(patch({ op: 'paint', path: '/items' }), 400, 'MALFORMED_BODY')
    const tests = [
      { op: 'test', path: '/updatedAt', value: updatedAt },
      { op: 'test', path: '/total', value: EUR('1998.00') },
    ]
    const body = { items: [{ productId: 1, quantity: 3 }] }
    await service.check(patch(...tests, { op: 'replace', path: '/items/0/quantity', value: 3 }), { status: 200, body })
  })

  test('rejects a cart with too many pieces of a product, in one line or in several', async () => {
    const put = { as: 'cora', method: 'PUT', path: '/cart' }
    for (const [quantities, pointer] of [
      [[1000], '/items/0/quantity'],
      [[1, 998, 1], '/items/2/quantity'],
    ] as const) {
      const items = quantities.map((quantity) => ({ productId: 1, quantity }))
      const body = { code: 'BUSINESS_RULE', errors: [{ pointer, code: 'RANGE' }] }
      await service.check({ ...put, json: { items } }, { status: 422, body })
    }
  })

  test('gives a cart a new ETag when a price changes, and no date', async () => {
    const prices = ['20.00', '10.00']
    const ids: number[] = []
    for (const [index, amount] of prices.entries()) {
      const product = { sku: `CART-${index}`, name: 'Changing', price: EUR(amount) }
      ids.push(Number((await create('/products', product)).split('/')[2]))
    }
    const items = ids.map((productId) => ({ productId, quantity: 1 }))
    await service.check({ as: 'cora', method: 'PUT', path: '/cart', json: { items } }, { status: 200 })
    const before = await service.check({ as: 'cora', path: '/cart' }, { headers: { 'last-modified': undefined } })
    const conditional = {
      as: 'cora',
      path: '/cart',
      headers: { 'if-none-match': before.headers['etag'] ?? '' },
    }
    await service.check(conditional, { status: 304 })
    for (const [index, amount] of prices.toReversed().entries()) {
      const json = { price: EUR(amount) }
      await service.check({ as: 'ada', method: 'PATCH', path: `/products/${ids[index]}`, json }, { status: 200 })
    }
    const swapped = { items: [{ unitPrice: EUR('10.00') }, { unitPrice: EUR('20.00') }], total: EUR('30.00') }
    await service.check(conditional, { status: 200, body: swapped })
    const put = {
      ...conditional,
      method: 'PUT',
      json: { items },
      headers: { 'if-match': before.headers['etag'] ?? '' },
    }
    await service.check(put, { status: 412 })
  })
})
