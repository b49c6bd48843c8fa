import { describe, expect, test } from 'vitest'
import { createShorthands, onEveryDatabase } from './service.ts'

const EUR = (amount: string): object => ({ amount, currency: 'EUR' })
const JPY = (amount: string): object => ({ amount, currency: 'JPY' })
let keys = 0
const key = (): Record<string, string> => ({ 'idempotency-key': `money-${keys++}` })

onEveryDatabase('money', (service) => {
  const { create, read, refused } = createShorthands(service)
  let skus = 0
  const product = async (price: object): Promise<number> =>
    Number((await create('/products', { sku: `MONEY-${skus++}`, name: 'Yen', price, stock: 9 })).split('/')[2])
  const newOrder = (...productIds: number[]): Promise<string> =>
    create('/orders', { customerId: 1, items: productIds.map((productId) => ({ productId, quantity: 2 })) }, 'carl')

  test('4.1-orders keep the currency of a product through order, payment, refund and invoice', async () => {
    const order = await newOrder(await product(JPY('1500')))
    expect(await read(order)).toMatchObject({
      total: JPY('3000'),
      items: [{ unitPrice: JPY('1500'), lineTotal: JPY('3000') }],
    })
    expect(await read(`${order}/payment`)).toMatchObject({ due: JPY('3000') })
    const pay = { as: 'carl', method: 'POST', path: `${order}/payment` }
    const wrong = { ...pay, headers: key(), json: { method: 'CARD', amount: EUR('30.00') } }
    await refused(wrong, 422, 'CURRENCY_MISMATCH')
    await refused({ ...wrong, headers: key(), json: { method: 'CARD', amount: JPY('30') } }, 422, 'AMOUNT_MISMATCH')
    const paid = { due: JPY('0'), status: 'PAID', payments: [{ amount: JPY('3000') }] }
    await service.check({ ...pay, headers: key(), json: { method: 'CARD' } }, { status: 201, body: paid })
    const invoice = { subtotal: JPY('2521'), tax: JPY('479'), total: JPY('3000') }
    expect(await read(`${order}/invoice`)).toMatchObject({ ...invoice, lines: [{ unitPrice: JPY('1500') }] })
    const accept = { accept: 'text/plain' }
    await service.check({ as: 'carl', path: `${order}/invoice`, headers: accept }, { body: /Total +3000 JPY/ })
    await service.check(
      { as: 'carl', path: '/orders?sort=-createdAt', headers: { accept: 'text/csv' } },
      { body: /,3000 JPY,/ },
    )
    await service.check(
      { as: 'carl', method: 'PATCH', path: order, json: { status: 'CANCELLED' } },
      { body: { total: JPY('3000') } },
    )
    expect(await read(`${order}/payment`)).toMatchObject({ status: 'REFUNDED', payments: [{ amount: JPY('3000') }] })
  })

  test('7-422 a line in another currency than its order is rejected, and changes nothing', async () => {
    const [yen, euro] = [await product(JPY('100')), await product(EUR('1.00'))]
    const items = [yen, euro].map((productId) => ({ productId, quantity: 1 }))
    const pointer = { errors: [{ pointer: '/items/1/productId', code: 'CURRENCY_MISMATCH' }] }
    const both = { as: 'carl', method: 'POST', path: '/orders', json: { customerId: 1, items } }
    await service.check(both, { status: 422, body: pointer })
    const order = await newOrder(yen)
    const before = await read(order)
    for (const call of [
      { method: 'POST', path: `${order}/items`, json: { productId: euro, quantity: 1 } },
      { method: 'PATCH', path: order, json: { items } },
      { method: 'PATCH', path: order, json: { items: [{ productId: euro, quantity: 1 }] } },
      { method: 'PUT', path: order, json: { items: items.slice(1) } },
    ])
      await refused({ as: 'carl', ...call }, 422, 'CURRENCY_MISMATCH')
    const [line] = (await read(`${order}/items`))['items'] as { id: number }[]
    const swap = { as: 'carl', method: 'PATCH', path: `${order}/items/${line?.id}`, json: { productId: euro } }
    await refused(swap, 422, 'CURRENCY_MISMATCH')
    expect(await read(order)).toEqual(before)
  })

  test('gives an order the currency of its first line for as long as it exists', async () => {
    const [yen, euro] = [await product(JPY('100')), await product(EUR('1.00'))]
    const order = await newOrder()
    const line = await create(`${order}/items`, { productId: yen, quantity: 1 }, 'carl')
    expect(await read(order)).toMatchObject({ total: JPY('100') })
    await service.check({ as: 'carl', method: 'DELETE', path: line }, { status: 204 })
    expect(await read(order)).toMatchObject({ total: JPY('0'), items: [] })
    const other = { as: 'carl', method: 'POST', path: `${order}/items`, json: { productId: euro, quantity: 1 } }
    await refused(other, 422, 'CURRENCY_MISMATCH')
  })

  test('keeps the price that was ordered when a product gets another currency', async () => {
    const yen = await product(JPY('100'))
    const order = await newOrder(yen)
    await service.check(
      { as: 'ada', method: 'PATCH', path: `/products/${yen}`, json: { price: EUR('1.00') } },
      { status: 200 },
    )
    const more = { as: 'carl', method: 'PATCH', path: order, json: { items: [{ productId: yen, quantity: 3 }] } }
    await service.check(more, { status: 200, body: { total: JPY('300') } })
  })

  test('4.1-cart has one currency', async () => {
    const [yen, euro] = [await product(JPY('100')), await product(EUR('1.00'))]
    const put = (...productIds: number[]) => ({
      as: 'cora',
      method: 'PUT',
      path: '/cart',
      json: { items: productIds.map((productId) => ({ productId, quantity: 2 })) },
    })
    await service.check(put(yen), { status: 200, body: { total: JPY('200'), items: [{ unitPrice: JPY('100') }] } })
    await refused(put(yen, euro), 422, 'CURRENCY_MISMATCH')
    await service.check(
      { as: 'ada', method: 'PATCH', path: `/products/${yen}`, json: { price: EUR('9.00') } },
      { status: 200 },
    )
    await service.check({ as: 'cora', path: '/cart' }, { status: 200, body: { items: [] } })
    await service.check({ as: 'cora', method: 'DELETE', path: '/cart' }, { status: 204 })
    await service.check(put(euro), { status: 200, body: { total: EUR('2.00') } })
  })

  describe('a cart of products that have become too expensive', () => {
    const DEAREST = EUR('9999999999999.99')
    const put = (...items: [productId: number, quantity: number][]) => ({
      as: 'cora',
      method: 'PUT',
      path: '/cart',
      json: { items: items.map(([productId, quantity]) => ({ productId, quantity })) },
    })
    const setPrice = (productId: number, price: object) =>
      service.check({ as: 'ada', method: 'PATCH', path: `/products/${productId}`, json: { price } }, { status: 200 })
    const shows = async (total: string, ...productIds: number[]): Promise<void> => {
      const cart = await read('/cart', 'cora')
      expect(cart).toMatchObject({ total: EUR(total), items: productIds.map((productId) => ({ productId })) })
    }

    test('4.1-cart omits a line whose total has too many digits, until the cart is replaced', async () => {
      const [dear, cheap] = [await product(EUR('2.00')), await product(EUR('1.00'))]
      await service.check(put([dear, 999], [cheap, 1]), { status: 200 })
      await setPrice(dear, DEAREST)
      await shows('1.00', cheap)
      await refused(put([dear, 999]), 422, 'BUSINESS_RULE')
      await setPrice(dear, EUR('2.00'))
      await shows('1999.00', dear, cheap)
      await setPrice(dear, DEAREST)
      await service.check(put([cheap, 1]), { status: 200 })
      await setPrice(dear, EUR('2.00'))
      await shows('1.00', cheap)
    })

    test('4.1-cart omits a line with which its total has too many digits', async () => {
      const [first, second, third] = [
        await product(EUR('1.00')),
        await product(EUR('1.00')),
        await product(EUR('0.00')),
      ]
      await service.check(put([first, 1], [second, 1], [third, 1]), { status: 200 })
      await setPrice(first, DEAREST)
      await setPrice(second, DEAREST)
      await shows('9999999999999.99', first, third)
    })

    test('4.1-cart can be cleared of lines that it omits', async () => {
      const dear = await product(EUR('2.00'))
      await service.check(put([dear, 999]), { status: 200 })
      await setPrice(dear, DEAREST)
      await shows('0.00')
      await service.check({ as: 'cora', method: 'DELETE', path: '/cart' }, { status: 204 })
      await setPrice(dear, EUR('2.00'))
      await shows('0.00')
    })
  })

  test('refuses sums that have too many digits', async () => {
    const dear = await product(EUR('9999999999999.99'))
    const json = { customerId: 1, items: [{ productId: dear, quantity: 999 }] }
    await refused({ as: 'carl', method: 'POST', path: '/orders', json }, 422, 'BUSINESS_RULE')
    const order = await newOrder()
    await create(`${order}/items`, { productId: dear, quantity: 1 }, 'carl')
    const again = { as: 'carl', method: 'POST', path: `${order}/items`, json: { productId: dear, quantity: 1 } }
    await refused(again, 422, 'BUSINESS_RULE')
  })

  test('refuses a transfer in a currency that one of the accounts does not have', async () => {
    const json = { fromAccountId: 6, toAccountId: 7, amount: JPY('1000') }
    await refused({ as: 'carl', method: 'POST', path: '/transfers', headers: key(), json }, 422, 'CURRENCY_MISMATCH')
  })

  test('filters by amount and currency, and sorts amounts within their currency', async () => {
    const [low, high, yen] = [await product(EUR('15.01')), await product(EUR('16.00')), await product(JPY('1500'))]
    const ids = async (query: string): Promise<number[]> => {
      const { items } = await read(`/products?${new URLSearchParams(query)}&size=100`)
      return (items as { id: number }[]).map(({ id }) => id).filter((id) => [low, high, yen].includes(id))
    }
    expect(await ids('price=15.01 EUR')).toEqual([low])
    expect(await ids('price=1500')).toEqual([yen])
    expect(await ids('price[gt]=15.01&sort=price')).toEqual([high, yen])
    expect(await ids('price[gt]=15.01 EUR')).toEqual([high])
    expect(await ids('price[lte]=16 EUR&sort=-price')).toEqual([high, low])
    expect(await ids('price[in]=15.01 EUR,1500 JPY&sort=price')).toEqual([low, yen])
    expect((await ids('price[ne]=15.01 EUR&sort=price')).slice(-1)).toEqual([yen])
    for (const price of ['abc', '1 XXX', '1 EUR 2', '1.001'])
      await refused({ path: `/products?${new URLSearchParams({ price })}` }, 400, 'INVALID_PARAMETER')
  })

  test('pages through mixed currencies by cursor, each product once', async () => {
    const seen: number[] = []
    let path: string | undefined = '/products?sort=-price&size=7&cursor='
    while (path !== undefined) {
      const { items, _links } = (await read(path)) as {
        items: { id: number }[]
        _links: { next?: { href: string } }
      }
      seen.push(...items.map(({ id }) => id))
      path = _links.next?.href
    }
    const { page } = (await read('/products')) as { page: { totalElements: number } }
    expect(seen).toHaveLength(page.totalElements)
    expect(new Set(seen).size).toBe(seen.length)
  })
})
