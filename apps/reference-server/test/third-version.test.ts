import { afterAll, beforeAll, expect, test } from 'vitest'
import { check, type Expectation } from '../../../packages/internal/testing/check.ts'
import { readConfig } from '../src/config.ts'
import { apiVersions } from '../src/domain/versions.ts'
import * as field from '../src/engine/field-types.ts'
import type { ApiVersion } from '../src/engine/versions.ts'
import { type Running, start } from '../src/start.ts'
import { type Call, QUIET, toLiteral } from './service.ts'

// Everything that a version is, as a file in domain/versions declares it.
const v3: ApiVersion = {
  name: '3',
  changes: [
    {
      description: 'The name of an employee is called fullName.',
      resource: 'employees',
      up: ({ name, ...rest }) => (name === undefined ? rest : { ...rest, fullName: name }),
      down: ({ fullName, ...rest }) => (fullName === undefined ? rest : { ...rest, name: fullName }),
    },
  ],
  fields: { employees: { name: undefined, fullName: field.text({ max: 100 }) } },
}

let running: Running
beforeAll(async () => {
  running = await start(readConfig(QUIET), { versions: [...apiVersions, v3] })
})
afterAll(() => running?.stop())

const send = (call: Call, expected: Expectation) =>
  check(running.url.replace('localhost', '127.0.0.1'), toLiteral({ as: 'ada', ...call }), expected)

const json = { fullName: 'Kim Lee', department: { id: 3 }, salary: { amount: '10.00', currency: 'EUR' } }

test('serves a version that one more declaration adds, beside those before it', async () => {
  const salary = { amount: expect.any(String), currency: 'EUR' }
  const department = { id: expect.any(Number), name: expect.any(String) }
  const { text: third } = await send({ path: '/v3/employees/1' }, { status: 200 })
  expect(JSON.parse(third)).toMatchObject({ id: 1, fullName: expect.any(String), department, salary })
  expect(JSON.parse(third)).not.toHaveProperty('name')
  expect(JSON.parse(third)._links.self.href).toBe('/v3/employees/1')
  const { fullName: name } = JSON.parse(third)
  await send({ path: '/employees/1', headers: { 'api-version': '3' } }, { status: 200, body: { fullName: name } })
  await send({ path: '/v2/employees/1' }, { status: 200, body: { name, department, salary } })
  await send({ path: '/employees/1' }, { status: 200, body: { name, salary: expect.any(Number) } })
  const { text: chosen } = await send({ path: '/v3/employees/1?fields=fullName' }, { status: 200 })
  expect(JSON.parse(chosen)).toEqual({ fullName: name, _links: expect.any(Object) })
})

test('writes in a version that one more declaration adds', async () => {
  const { headers } = await send({ method: 'POST', path: '/v3/employees', json }, { status: 201 })
  const path = headers['location'] ?? ''
  expect(path).toMatch(/^\/v3\/employees\/\d+$/)
  await send({ path: path.replace('/v3', '') }, { status: 200, body: { name: 'Kim Lee', salary: 10 } })
  await send({ method: 'PATCH', path, json: { fullName: 'Kim' } }, { status: 200, body: { fullName: 'Kim' } })
  const moved = { department: { id: 1, name: expect.any(String) } }
  await send({ method: 'PATCH', path, json: { department: { id: 1 } } }, { status: 200, body: moved })
  await send({ path: path.replace('/v3', '/v2') }, { status: 200, body: { name: 'Kim', ...moved } })
  await send({ method: 'POST', path: '/v3/employees', json: { ...json, name: 'Kim' } }, { status: 400 })
  await send({ method: 'POST', path: '/v2/employees', json }, { status: 400 })
})

test('describes a version that one more declaration adds', async () => {
  const { text: document } = await send({ path: '/v3/openapi.json' }, { status: 200 })
  const { NewEmployee } = JSON.parse(document).components.schemas
  expect(Object.keys(NewEmployee.properties)).toContain('fullName')
  expect(Object.keys(NewEmployee.properties)).not.toContain('name')
  expect(JSON.parse(document).info.description).toContain('/v1 and /v2 and /v3')
  const { text: docs } = await send({ path: '/v3/docs', headers: { accept: 'text/html' } }, { status: 200 })
  expect(docs).toContain('href="/v3/openapi.json"')
  const accept = 'application/prs.hal-forms+json'
  const { text: forms } = await send({ path: '/v3/employees/1', headers: { accept } }, { status: 200 })
  expect(forms).toContain('"name":"fullName"')
})

test('finds routes of a version that one more declaration adds, from other origins and from pages', async () => {
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
  const { headers: allowed } = await send({ method: 'OPTIONS', path: '/v3/employees/1', headers }, { status: 204 })
  expect(allowed['access-control-allow-methods']).toContain('PUT')
  const { headers: described } = await send({ method: 'OPTIONS', path: '/v3/employees/1' }, { status: 204 })
  expect(described['api-supported-versions']).toBe('1, 2, 3')
  // Nothing refers to it yet, so it can be deleted.
  const { headers: created } = await send({ method: 'POST', path: '/v3/employees', json }, { status: 201 })
  const html = { accept: 'text/html' }
  const { text: page } = await send({ path: created['location'] ?? '', headers: html }, { status: 200 })
  expect(page).toContain('data-method="DELETE"')
})
