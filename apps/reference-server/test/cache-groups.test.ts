import { describe, expect, test } from 'vitest'
import { serviceFor } from './service.ts'

const service = serviceFor()

describe('cache groups (RFC 9875)', () => {
  test.each([
    ['/employees', '"employees"'],
    ['/employees/1', '"employees"'],
    ['/employees?embed=department', '"employees", "departments"'],
    ['/employees?embed=manager', '"employees"'],
    ['/customers/1/orders', '"orders"'],
    ['/orders/1/invoice', '"orders", "products"'],
    ['/departments/1/salaries', '"departments", "employees"'],
    ['/products/1', '"products"'],
    ['/accounts', undefined],
    ['/health', undefined],
    ['/employees/99999', undefined],
  ])('%s is in the groups %s', async (path, groups) => {
    const headers = { 'cache-groups': groups, 'cache-group-invalidation': undefined }
    await service.check({ as: 'ada', path }, { headers })
  })

  test('a change makes stale what shows it, and a refusal nothing', async () => {
    const change = async (method: string, path: string, json: object, status: number): Promise<unknown> => {
      const headers = { 'idempotency-key': `"${method} ${path} ${status}"` }
      const answer = await service.check({ as: 'ada', method, path, json, headers }, { status })
      expect(answer.headers['cache-groups']).toBeUndefined()
      return answer.headers['cache-group-invalidation']
    }
    const money = { amount: '1.00', currency: 'EUR' }
    expect(await change('PATCH', '/employees/1', { salary: 1 }, 200)).toBe('"employees"')
    expect(await change('PATCH', '/employees/1', { salary: -1 }, 422)).toBeUndefined()
    expect(await change('PATCH', '/departments/1', { description: 'x' }, 200)).toBe('"departments", "employees"')
    expect(await change('POST', '/orders/3/items', { productId: 1, quantity: 1 }, 201)).toBe('"items", "orders"')
    expect(await change('POST', '/orders/3/payment', { method: 'CARD' }, 201)).toBe('"orders", "products"')
    expect(await change('POST', '/payments', { orderId: 3, amount: money, method: 'CARD' }, 409)).toBeUndefined()
    expect(await change('PUT', '/employees/20/projects/1', {}, 200)).toBe('"projects"')
    expect(await change('DELETE', '/employees/20/projects/1', {}, 204)).toBe('"projects"')
  })

  test('what was accepted for later makes nothing stale', async () => {
    const headers = { prefer: 'respond-async', 'idempotency-key': 'later' }
    const json = { fromAccountId: 1, toAccountId: 2, amount: { amount: '0.01', currency: 'EUR' } }
    const call = { as: 'ada', method: 'POST', path: '/transfers', json, headers }
    await service.check(call, { status: 202, headers: { 'cache-group-invalidation': undefined } })
  })
})
