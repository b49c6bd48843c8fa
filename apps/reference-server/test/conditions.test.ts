import { expect, test } from 'vitest'
import { type Call, onEveryDatabase, record } from './service.ts'

onEveryDatabase('conditions, wherever something is changed', (service) => {
  const tagOf = async (as: string, path: string): Promise<string> =>
    (await service.check({ as, path }, { status: 200 })).headers['etag'] ?? ''

  // Another key each time: a replay would come before the condition.
  let keys = 0
  const headers = (tag: string) => ({ 'if-match': tag, 'idempotency-key': `conditions-${keys++}` })

  test.each<[string, string, Call]>([
    ['an item', '/departments/2', { method: 'PATCH', path: '/departments/2', json: { description: 'x' } }],
    [
      'a payment of an order',
      '/orders/3/payment',
      { method: 'POST', path: '/orders/3/payment', json: { method: 'CARD' } },
    ],
    ['a cancellation', '/orders/3/cancellation', { method: 'POST', path: '/orders/3/cancellation' }],
    ['an assignment', '/projects/1', { method: 'PUT', path: '/employees/20/projects/1' }],
    ['a release', '/projects/1', { method: 'DELETE', path: '/employees/20/projects/1' }],
    ['a cart', '/cart', { method: 'PUT', path: '/cart', json: { items: [{ productId: 1, quantity: 1 }] } }],
    ['an empty cart', '/cart', { method: 'DELETE', path: '/cart' }],
    [
      'a secret',
      '/users/1/soap-secret',
      { method: 'PUT', path: '/users/1/soap-secret', json: { secret: 'x'.repeat(12) } },
    ],
    ['no secret', '/users/1/soap-secret', { method: 'DELETE', path: '/users/1/soap-secret' }],
  ])('%s: with the tag that GET gave, once', async (_title, read, call) => {
    const old = { status: 412, body: record(412, 'PRECONDITION_FAILED') }
    await service.check({ as: 'ada', ...call, headers: headers('"other"') }, old)
    const current = { as: 'ada', ...call, headers: headers(await tagOf('ada', read)) }
    expect([200, 201, 204]).toContain((await service.check(current, {})).status)
    await service.check({ ...current, headers: headers(current.headers['if-match']) }, old)
  })

  const transfer = { fromAccountId: 6, toAccountId: 7, amount: { amount: '0.01', currency: 'EUR' } }

  test.each<[string, string, unknown]>([
    ['a collection', '/transfers', transfer],
    ['a collection below an item', '/orders/7/items', { productId: 1, quantity: 1 }],
  ])('%s: as a resource that exists and that no tag names', async (_title, path, json) => {
    const { _links: _, page: before } = JSON.parse((await service.check({ as: 'ada', path }, { status: 200 })).text)
    const post = (conditions: Record<string, string>, expected: object) => {
      const key = { 'idempotency-key': `conditions-${keys++}` }
      return service.check({ as: 'ada', method: 'POST', path, json, headers: { ...key, ...conditions } }, expected)
    }
    const failed = { status: 412, body: record(412, 'PRECONDITION_FAILED', path) }
    for (const condition of [{ 'if-match': '"nonsense"' }, { 'if-match': 'x' }, { 'if-none-match': '*' }]) {
      await post(condition, failed)
      await post({ ...condition, prefer: 'respond-async' }, failed)
      await post({ ...condition, prefer: 'tx=rollback' }, failed)
    }
    await service.check({ as: 'ada', path }, { body: { page: before } })
    const since = { 'if-unmodified-since': 'Sun, 06 Nov 1994 08:49:37 GMT' }
    for (const condition of [{ 'if-match': '*' }, { 'if-none-match': '"other"' }, since])
      await post(condition, { status: 201 })
  })
})
