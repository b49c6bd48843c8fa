import { expect, test } from 'vitest'
import { createShorthands, onEveryDatabase, serviceFor } from './service.ts'

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

onEveryDatabase('departments of version 2', (both) => {
  const { create, read, refused } = createShorthands(both)
  const salary = { amount: '10.00', currency: 'EUR' }
  const merge = { 'content-type': 'application/merge-patch+json' }
  const patch = { 'content-type': 'application/json-patch+json' }
  const hire = (): Promise<string> => create('/v2/employees', { name: 'Kim', department: { id: 1 }, salary })

  test.each([
    ['an id', { id: 3 }, { id: 3, name: 'Marketing' }],
    ['a name', { name: 'Sales' }, { id: 2, name: 'Sales' }],
    ['both', { id: 2, name: 'Sales' }, { id: 2, name: 'Sales' }],
    ['a name that no department has', { name: 'Catering' }, { name: 'Catering' }],
  ])('are assigned by %s in POST, PUT and PATCH', async (_title, department, expected) => {
    const json = { name: 'Kim', department, salary }
    const created = await create('/v2/employees', json)
    expect((await read(created))['department']).toEqual(expected)
    const path = await hire()
    await both.check({ as: 'ada', method: 'PUT', path, json }, { status: 200, body: { department: expected } })
    const other = await hire()
    const change = { as: 'ada', method: 'PATCH', path: other, json: { department }, headers: merge }
    await both.check(change, { status: 200, body: { department: expected } })
    const third = await hire()
    const operations = Object.entries(department).map(([name, value]) => ({
      op: 'replace',
      path: `/department/${name}`,
      value,
    }))
    const steps = { as: 'ada', method: 'PATCH', path: third, json: operations, headers: patch }
    await both.check(steps, { status: 200, body: { department: expected } })
    const whole = [{ op: 'replace', path: '/department', value: department }]
    await both.check({ ...steps, path: await hire(), json: whole }, { body: { department: expected } })
  })

  test.each([
    ['an unknown id', { id: 999 }, 'UNKNOWN_REFERENCE', '/department/id'],
    ['an unknown id with a name', { id: 999, name: 'Sales' }, 'UNKNOWN_REFERENCE', '/department/id'],
    ['an id and the name of another one', { id: 3, name: 'Sales' }, 'REFERENCE_MISMATCH', '/department/name'],
    ['its own id and the name of another one', { id: 1, name: 'Sales' }, 'REFERENCE_MISMATCH', '/department/name'],
    ['an id and a name that no department has', { id: 1, name: 'Catering' }, 'REFERENCE_MISMATCH', '/department/name'],
  ])('are refused for %s, and nothing changes', async (_title, department, code, pointer) => {
    const json = { name: 'Kim', department, salary }
    const path = await hire()
    const before = await both.check({ as: 'ada', path }, { status: 200 })
    for (const call of [
      { method: 'POST', path: '/v2/employees', json },
      { method: 'PUT', path, json },
      { method: 'PATCH', path, json: { department }, headers: merge },
      { method: 'PATCH', path, json: [{ op: 'replace', path: '/department', value: department }], headers: patch },
    ]) {
      const answer = await refused({ as: 'ada', ...call }, 422, code)
      expect(JSON.parse(answer.text).errors).toMatchObject([{ pointer }])
    }
    const after = await both.check({ as: 'ada', path }, { status: 200, body: before.text })
    expect(after.headers['etag']).toBe(before.headers['etag'])
  })

  test.each([[{}], [{ id: 0 }], [{ id: '3' }], [{ name: '' }], [{ id: 3, code: 'M' }], ['Sales'], [3]])(
    'are refused for the shape %j',
    async (department) => {
      const json = { name: 'Kim', department, salary }
      await refused({ as: 'ada', method: 'POST', path: '/v2/employees', json }, 400, 'VALIDATION_FAILED')
    },
  )

  test.each(['-0.01', '10000000.01', '99999999999999.00', '99999999999999999.99', '-99999999999999.00'])(
    'are refused for a salary of %s',
    async (amount) => {
      const json = { name: 'Kim', department: { id: 1 }, salary: { amount, currency: 'EUR' } }
      const answer = await refused({ as: 'ada', method: 'POST', path: '/v2/employees', json }, 422, 'BUSINESS_RULE')
      expect(JSON.parse(answer.text).errors).toMatchObject([{ pointer: '/salary/amount', code: 'RANGE' }])
    },
  )

  test('are assigned by an id in XML, and stay as they are in other changes', async () => {
    const xml =
      '<employee><name>Kim</name><department><id>3</id></department><salary><amount>1.00</amount><currency>EUR</currency></salary></employee>'
    const headers = { 'content-type': 'application/xml' }
    const post = { as: 'ada', method: 'POST', path: '/v2/employees', headers, body: xml }
    const { headers: sent } = await both.check(post, {
      status: 201,
      body: { department: { id: 3, name: 'Marketing' } },
    })
    const path = sent['location'] ?? ''
    const rename = { as: 'ada', method: 'PATCH', path, json: { name: 'Kim Lee' } }
    await both.check(rename, { status: 200, body: { department: { id: 3, name: 'Marketing' } } })
    const v1 = { ...rename, path: path.slice(3), json: { department: 'Sales' } }
    await both.check(v1, { status: 200, body: { department: 'Sales' } })
    const hidden = { ...v1, json: { departmentId: 3 } }
    await refused(hidden, 422, 'BUSINESS_RULE')
  })
})
