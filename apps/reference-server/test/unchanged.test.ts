import { expect, test } from 'vitest'
import { createShorthands, onEveryDatabase } from './service.ts'

const MERGE = { 'content-type': 'application/merge-patch+json' }
const STEPS = { 'content-type': 'application/json-patch+json' }
const HOOK = { SVC_WEBHOOK_URL: 'http://127.0.0.1:9/hook', SVC_WEBHOOK_SECRET: `whsec_${'c2VjcmV0'.repeat(6)}` }

interface Outbox {
  count: number
}

onEveryDatabase(
  'a write that changes nothing',
  (service) => {
    const { create, read } = createShorthands(service)
    const messages = async (): Promise<number> => {
      const row = await service.running.database.get<Outbox>('select count(*) as "count" from "webhook_messages"')
      return row?.count ?? 0
    }
    const withoutEffect = async (call: {
      method: string
      path: string
      json: unknown
      headers?: Record<string, string>
    }) => {
      const of = { as: 'ada', path: call.path }
      const before = await service.check(of, { status: 200 })
      const sent = await messages()
      const { etag, 'last-modified': lastModified } = before.headers
      const answer = await service.check({ as: 'ada', ...call }, { status: 200 })
      // A validator in the response to a PUT means that the body was stored byte for byte (RFC 9110
      // §9.3.4).
      expect(answer.headers['etag']).toBe(call.method === 'PUT' ? undefined : etag)
      expect(answer.text).toBe(before.text)
      const after = await service.check(of, { status: 200, body: before.text })
      expect(after.headers).toMatchObject({ etag, ...(lastModified && { 'last-modified': lastModified }) })
      expect(await messages()).toBe(sent)
    }

    test.each([
      ['/employees/2', { salary: 1234.5, city: 'Graz' }],
      ['/v2/employees/3', { salary: { amount: '10.5', currency: 'EUR' }, department: { name: 'Sales' } }],
      ['/departments/1', { description: 'New' }],
      ['/projects/1', { employeeIds: [5, 3] }],
      ['/products/7', { price: { amount: '7', currency: 'JPY' }, stock: 3, discontinued: false }],
      ['/customers/3', { name: 'Zoë' }],
      ['/users/4', { displayName: 'Eve', roles: ['reader'] }],
      ['/accounts/1', { status: 'FROZEN' }],
    ])('keeps the revision of %s', async (path, json) => {
      await service.check({ as: 'ada', method: 'PATCH', path, json }, { status: 200 })
      await withoutEffect({ method: 'PATCH', path, json, headers: MERGE })
      await withoutEffect({ method: 'PATCH', path, json: {}, headers: MERGE })
      await withoutEffect({ method: 'PATCH', path, json: [], headers: STEPS })
      if (path !== '/accounts/1') await withoutEffect({ method: 'PUT', path, json: await read(path) })
    })

    test('3-order keeps its revision when it gets the same status and the same items', async () => {
      await withoutEffect({ method: 'PATCH', path: '/orders/2', json: { status: 'SHIPPED' } })
      const items = [{ productId: 1, quantity: 2 }]
      const path = await create('/orders', { customerId: 1, items })
      await withoutEffect({ method: 'PATCH', path, json: { status: 'CREATED', items } })
      await withoutEffect({ method: 'PUT', path, json: await read(path) })
      const [line] = (await read(`${path}/items`))['items'] as { id: number }[]
      await withoutEffect({ method: 'PATCH', path: `${path}/items/${line?.id}`, json: { quantity: 2 } })
      const before = (await service.check({ as: 'ada', path }, {})).headers['etag']
      await service.check({ as: 'ada', path }, { headers: { etag: before ?? '' } })
    })

    test('keeps the revision of a cart', async () => {
      const items = [
        { productId: 2, quantity: 1 },
        { productId: 1, quantity: 2 },
      ]
      await service.check({ as: 'ada', method: 'PUT', path: '/cart', json: { items } }, { status: 200 })
      await withoutEffect({ method: 'PUT', path: '/cart', json: { items: items.toReversed() } })
      await withoutEffect({ method: 'PATCH', path: '/cart', json: {}, headers: MERGE })
      await withoutEffect({ method: 'PUT', path: '/cart', json: await read('/cart') })
      await service.check({ as: 'ada', method: 'DELETE', path: '/cart' }, { status: 204 })
      const { headers } = await service.check({ as: 'ada', path: '/cart' }, { status: 200 })
      await service.check({ as: 'ada', method: 'DELETE', path: '/cart' }, { status: 204 })
      await service.check({ as: 'ada', path: '/cart' }, { headers: { etag: headers['etag'] ?? '' } })
    })

    test('is a write as soon as one value differs', async () => {
      for (const [path, json] of [
        ['/projects/2', { employeeIds: [1, 2, 9] }],
        ['/projects/2', { employeeIds: [] }],
        ['/projects/2', { endDate: null }],
        ['/products/3', { stock: 1001 }],
        ['/users/5', { password: 'correct horse battery' }],
        ['/users/5', { password: 'correct horse battery' }],
      ] as const) {
        const { headers } = await service.check({ as: 'ada', path }, { status: 200 })
        const answer = await service.check({ as: 'ada', method: 'PATCH', path, json, headers: MERGE }, { status: 200 })
        expect(answer.headers['etag'], `${path} ${JSON.stringify(json)}`).not.toBe(headers['etag'])
      }
    })
  },
  HOOK,
)
