import { expect, test } from 'vitest'
import { serviceFor } from './service.ts'

const service = serviceFor()

const _grace = { name: 'Grace Hopper', department: 'Engineering', salary: 5000 }

const v2 = { salary: { currency: 'EUR', amount: expect.stringMatching(/^\d+\.\d\d$/) }, department: { id: 1 } }
test.each([
  ['path', '/v2/employees/1', {}, '/v2'],
  ['API-Version', '/employees/1', { 'api-version': '2' }, ''],
  ['Accept-Version', '/employees/1', { 'accept-version': '2' }, ''],
  ['media type', '/employees/1', { accept: 'application/vnd.svc.v2+json' }, ''],
])('gives version 2 by %s, and links keep the way', async (_title, path, headers, prefix) => {
  const body = { ...v2, _links: { self: { href: `${prefix}/employees/1` } } }
  const expected = { status: 200, headers: { 'api-version': '2', deprecation: undefined }, body }
  await service.check({ as: 'ada', path, headers: headers as Record<string, string> }, expected)
})

test('announces the end of version 1', async () => {
  const headers = { 'api-version': '1', deprecation: /^@\d+$/, sunset: /GMT$/, link: /successor-version/ }
  await service.check({ as: 'ada', path: '/employees/1' }, { status: 200, headers })
})

test('creates in version 2, and checks it by its own shape', async () => {
  const json = { name: 'Two', department: { name: 'Sales' }, salary: { amount: '10.5', currency: 'EUR' } }
  const path = '/v2/employees'
  const answer = await service.check({ as: 'ada', method: 'POST', path, json }, { status: 201 })
  expect(answer.headers['location']).toMatch(/^\/v2\/employees\/\d+$/)
  expect(JSON.parse(answer.text)).toMatchObject({ salary: { amount: '10.50' }, department: { name: 'Sales', id: 2 } })
  const location = (answer.headers['location'] ?? '').slice(3)
  await service.check({ as: 'ada', path: location }, { body: { salary: 10.5, department: 'Sales' } })
  const wrong = { ...json, salary: 10 }
  const refused = await service.check({ as: 'ada', method: 'POST', path, json: wrong }, { status: 400 })
  expect(JSON.parse(refused.text).errors).toMatchObject([{ pointer: '/salary', code: 'TYPE' }])
})

test.each([
  ['/v9/employees', {}, 404],
  ['/employees', { 'api-version': '9' }, 400],
  ['/v1/employees', { 'api-version': '2' }, 400],
  ['/employees', { accept: 'application/vnd.svc.v9+json' }, 406],
])('refuses %s with %j by %i', async (path, headers, status) => {
  await service.check({ as: 'ada', path, headers: headers as Record<string, string> }, { status })
})
