import { expect, test } from 'vitest'
import { send } from '../../../../packages/internal/testing/check.ts'
import { onEveryDatabase, record } from '../service.ts'

const grace = { name: 'Grace Hopper', department: 'Engineering', salary: 5000 }

onEveryDatabase('7 statuses and errors', (service) => {
  const post = (json: object, status: number, code?: string, path = '/employees') =>
    service.check(
      { as: 'ada', method: 'POST', path, json },
      { status, ...(code !== undefined && { body: record(status, code, path) }) },
    )

  test('7-200 what was processed', async () => {
    await service.check({ as: 'ada', path: '/employees/1' }, { status: 200, body: { id: 1 } })
  })

  test('7-201 what was created', async () => {
    const { headers } = await post(grace, 201)
    expect(headers['location']).toBeDefined()
  })

  test('7-202 what was accepted', async () => {
    const { text } = await service.check({ as: 'ada', path: '/accounts?currency=EUR&sort=id' }, { status: 200 })
    const [from, to] = JSON.parse(text).items
    const json = { fromAccountId: from.id, toAccountId: to.id, amount: { amount: '1.00', currency: 'EUR' } }
    const headers = { prefer: 'respond-async', 'idempotency-key': 'rule-202' }
    const answer = await service.check(
      { as: 'ada', method: 'POST', path: '/transfers', json, headers },
      { status: 202 },
    )
    await service.check({ as: 'ada', path: answer.headers['location'] ?? '' }, { status: 200 })
  })

  test('7-204 success without a body', async () => {
    const { headers } = await post(grace, 201)
    const path = headers['location'] ?? ''
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 204, body: '' })
    await service.check({ method: 'OPTIONS', path: '/employees' }, { status: 204, body: '' })
  })

  test('7-301 redirects a trailing slash and capital letters', async () => {
    const moved = { status: 301, headers: { location: '/employees?size=1' } }
    await service.check({ as: 'ada', path: '/employees/?size=1' }, moved)
    await service.check({ as: 'ada', path: '/Employees?size=1' }, moved)
    const kept = { status: 308, headers: { location: '/employees' } }
    await service.check({ as: 'ada', method: 'POST', path: '/employees/', json: grace }, kept)
    for (const path of ['//evil.example/', '/\\evil.example/', '//evil.example//employees/'])
      expect((await service.check({ as: 'ada', path }, {})).headers['location'] ?? '').not.toMatch(/^(\/\/|\/\\|http)/)
  })

  test('7-302 /users/me is the caller', async () => {
    await service.check({ as: 'carl', path: '/users/me' }, { status: 302, headers: { location: '/users/6' } })
    await service.check({ path: '/users/me' }, { status: 401 })
  })

  test('7-304 not modified', async () => {
    const { headers } = await service.check({ as: 'ada', path: '/orders/1' }, { status: 200 })
    const again = { as: 'ada', path: '/orders/1', headers: { 'if-none-match': headers['etag'] ?? '' } }
    await service.check(again, { status: 304, body: '' })
  })

  test('7-400 a required field, JSON, a parameter, a value', async () => {
    await post({ department: 'x', salary: 1 }, 400, 'VALIDATION_FAILED')
    await post({ ...grace, salary: 'much' }, 400, 'VALIDATION_FAILED')
    await post({ ...grace, shoe: 1 }, 400, 'VALIDATION_FAILED')
    const headers = { 'content-type': 'application/json' }
    const broken = { as: 'ada', method: 'POST', path: '/employees', headers, body: '{"name":' }
    await service.check(broken, { status: 400, body: record(400, 'MALFORMED_BODY') })
    for (const query of ['page=-1', 'page=x', 'size=0', 'sort=shoe', 'shoe=1', 'salary=much']) {
      const path = `/employees?${query}`
      await service.check({ as: 'ada', path }, { status: 400, body: record(400, expect.any(String) as never) })
    }
  })

  test('7-401 rejects missing and wrong credentials', async () => {
    const challenge = /Bearer realm="svc".*Basic realm="svc"/
    for (const headers of [{}, { authorization: 'Basic YWRhOng=' }] as Record<string, string>[]) {
      const expected = { status: 401, headers: { 'www-authenticate': challenge } }
      await service.check({ path: '/employees', headers }, expected)
    }
  })

  test('7-403 rejects a user without permission', async () => {
    await service.check({ as: 'sam', path: '/employees' }, { status: 403, body: record(403, 'INSUFFICIENT_SCOPE') })
    await service.check({ as: 'cora', path: '/orders/1' }, { status: 403, body: record(403, 'FORBIDDEN') })
  })

  test('7-404 returns 404 for a missing resource', async () => {
    await service.check({ as: 'ada', path: '/nothing' }, { status: 404, body: record(404, 'ROUTE_NOT_FOUND') })
    await service.check({ as: 'ada', path: '/employees/99999' }, { status: 404, body: record(404, 'NOT_FOUND') })
  })

  test('7-406 rejects an unsupported format', async () => {
    const call = { as: 'ada', path: '/employees/1', headers: { accept: 'image/webp' } }
    await service.check(call, { status: 406, body: record(406, 'NOT_ACCEPTABLE', '/employees/1') })
  })

  test('7-409 a duplicate, and a state that does not allow it', async () => {
    await post({ name: 'Sales' }, 409, 'DUPLICATE_VALUE', '/departments')
    const ship = { as: 'ada', method: 'PATCH', path: '/orders/3', json: { status: 'SHIPPED' } }
    await service.check(ship, { status: 409, body: record(409, 'ILLEGAL_TRANSITION', '/orders/3') })
  })

  test('7-415 rejects a body in an unsupported format', async () => {
    const call = { as: 'ada', method: 'POST', path: '/employees', body: 'x', headers: { 'content-type': 'text/plain' } }
    const headers = { 'accept-post': /application\/json/ }
    await service.check(call, { status: 415, headers, body: record(415, 'UNSUPPORTED_MEDIA_TYPE') })
  })

  test('7-422 a value that breaks a rule', async () => {
    await post({ ...grace, salary: -1 }, 422, 'BUSINESS_RULE')
    await post({ ...grace, managerId: 99_999 }, 422, 'UNKNOWN_REFERENCE')
  })

  test('7-500 returns no details of an unexpected error', async () => {
    const { database } = service.running
    await database.run('alter table "notifications" rename to "notifications_away"')
    const answer = await service.check({ as: 'ada', path: '/notifications' }, { status: 500 })
    await database.run('alter table "notifications_away" rename to "notifications"')
    const { code, message } = JSON.parse(answer.text)
    expect(JSON.parse(answer.text)).toMatchObject(record(500, code, '/notifications'))
    expect(`${code} ${message}`).not.toMatch(/notifications_away|table|relation|select|sqlite/i)
    await service.check({ as: 'ada', path: '/notifications' }, { status: 200 })
  })

  test('7-503 maintenance', async () => {
    const { adminUrl } = service.running
    await send(adminUrl, { method: 'PUT', path: '/maintenance' })
    const headers = { 'retry-after': /^\d+$/ }
    const expected = { status: 503, headers, body: record(503, 'SERVICE_UNAVAILABLE') }
    await service.check({ as: 'ada', path: '/employees' }, expected)
    await service.check({ path: '/health' }, { status: 200 })
    await send(adminUrl, { method: 'DELETE', path: '/maintenance' })
    await service.check({ as: 'ada', path: '/employees' }, { status: 200 })
  })

  test('7-1 rejections of every stage are Error records', async () => {
    const json = { 'content-type': 'application/json' }
    const calls = [
      { path: '/nothing' },
      { path: '/employees' },
      { as: 'sam', path: '/employees' },
      { as: 'ada', method: 'DELETE', path: '/employees' },
      { as: 'ada', method: 'POST', path: '/employees', body: 'x' },
      { as: 'ada', method: 'POST', path: '/employees', headers: json, body: '{' },
      { as: 'ada', method: 'POST', path: '/employees', headers: json, body: '{}' },
      { as: 'ada', path: `/employees?name=${'x'.repeat(9000)}` },
      { as: 'ada', path: '/employees/1', headers: { accept: 'image/webp' } },
      { as: 'ada', method: 'DELETE', path: '/employees/1', headers: { 'if-match': '"x"' } },
      { as: 'ada', path: '/employees/%' },
      { as: 'ada', path: '/v9/employees' },
    ]
    for (const call of calls) {
      const { status, text, headers } = await service.check(call, {})
      expect(status).toBeGreaterThanOrEqual(400)
      expect(headers['content-type']).toMatch(/^application\/json/)
      expect(JSON.parse(text), JSON.stringify(call)).toMatchObject({
        ...record(status, JSON.parse(text).code, call.path.replace(/\?.*/, '')),
      })
    }
  })

  test('7-2 an invalid format is 400, an invalid value 422', async () => {
    for (const salary of ['1', 1.005, null, true]) await post({ ...grace, salary }, 400)
    for (const salary of [-1, 10_000_001]) await post({ ...grace, salary }, 422)
    const line = (quantity: unknown) => ({ customerId: 1, items: [{ productId: 1, quantity }] })
    await post(line('1'), 400, undefined, '/orders')
    await post(line(0), 422, undefined, '/orders')
  })

  test('7-3 known failures have their own status, unknown ones no details', async () => {
    const body = JSON.stringify({ ...grace, name: 'x'.repeat(1_100_000) })
    const headers = { 'content-type': 'application/json' }
    await service.check({ as: 'ada', method: 'POST', path: '/employees', headers, body }, { status: 413 })
    const stack = /node_modules|\bat .*:\d+:\d+|\.ts\b|[a-z]:\\|\/src\//
    for (const path of ['/employees/%00', '/employees?name=%00', '/employees/1%2F..%2F', '/constructor', '/__proto__'])
      expect((await service.check({ as: 'ada', path }, {})).text).not.toMatch(stack)
  })

  test('7-400 rejects a malformed id', async () => {
    for (const id of [{ toString: 1 }, { amount: 1 }, [[]], null, true]) {
      const call = { as: 'ada', path: '/employees/1', json: { ...grace, id } }
      await service.check({ ...call, method: 'PUT' }, { status: 400, body: record(400, 'VALIDATION_FAILED') })
      if (id !== null) await service.check({ ...call, method: 'PATCH' }, { status: 422 })
    }
  })

  test('7-6 every error has a code of the service', async () => {
    const { text } = await post({ ...grace, salary: 'x', name: '' }, 400, 'VALIDATION_FAILED')
    expect(JSON.parse(text).errors).toEqual([
      expect.objectContaining({ pointer: '/name', code: 'LENGTH', detail: expect.any(String) }),
      expect.objectContaining({ pointer: '/salary', code: 'TYPE', detail: expect.any(String) }),
    ])
  })
})
