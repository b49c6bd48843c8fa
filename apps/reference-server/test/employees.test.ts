import { expect, test } from 'vitest'
import { onEveryDatabase, record } from './service.ts'

const grace = { name: 'Grace Hopper', department: 'Engineering', salary: 5000.5, city: 'New York' }

onEveryDatabase('employees', (service) => {
  const create = async (body: object = grace): Promise<{ id: number; path: string; etag: string }> => {
    const answer = await service.check({ as: 'ada', method: 'POST', path: '/employees', json: body }, { status: 201 })
    const { id } = JSON.parse(answer.text)
    return { id, path: `/employees/${id}`, etag: answer.headers['etag'] ?? '' }
  }

  test('creates, reads, replaces, changes and deletes one', async () => {
    const created = await service.check(
      { as: 'ada', method: 'POST', path: '/employees', json: grace },
      { status: 201, headers: { location: /^\/employees\/\d+$/ }, body: grace },
    )
    const path = created.headers['location'] ?? ''
    expect(created.headers['content-location']).toBe(path)
    await service.check({ as: 'eve', path }, { status: 200, body: { ...grace, _links: { self: { href: path } } } })

    const other = { name: 'Grace Murray', department: 'R&D', salary: 1 }
    const replaced = await service.check({ as: 'ada', method: 'PUT', path, json: other }, { status: 200, body: other })
    expect(JSON.parse(replaced.text)).not.toHaveProperty('city')
    expect(replaced.headers['etag']).toBeUndefined()

    const patched = await service.check(
      { as: 'ada', method: 'PATCH', path, json: { salary: 6000 } },
      { status: 200, body: { ...other, salary: 6000 } },
    )
    expect(patched.headers['etag']).toBeDefined()

    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 204, body: '' })
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 404, body: record(404, 'NOT_FOUND', path) })
    await service.check({ as: 'ada', path }, { status: 404 })
  })

  test('never gives an id twice', async () => {
    const first = await create()
    await service.check({ as: 'ada', method: 'DELETE', path: first.path }, { status: 204 })
    expect((await create()).id).toBeGreaterThan(first.id)
  })

  test.each<[string, unknown, number, string, [string, string][]]>([
    [
      'nothing',
      {},
      400,
      'VALIDATION_FAILED',
      [
        ['/name', 'REQUIRED'],
        ['/department', 'REQUIRED'],
        ['/salary', 'REQUIRED'],
      ],
    ],
    ['a text as salary', { ...grace, salary: '5' }, 400, 'VALIDATION_FAILED', [['/salary', 'TYPE']]],
    ['too many digits', { ...grace, salary: 1.005 }, 400, 'VALIDATION_FAILED', [['/salary', 'FORMAT']]],
    ['a negative salary', { ...grace, salary: -1 }, 422, 'BUSINESS_RULE', [['/salary', 'RANGE']]],
    ['a huge salary', { ...grace, salary: 10_000_000.01 }, 422, 'BUSINESS_RULE', [['/salary', 'RANGE']]],
    ['a salary of 14 digits', { ...grace, salary: 99_999_999_999_999 }, 422, 'BUSINESS_RULE', [['/salary', 'RANGE']]],
    ['a salary of 22 digits', { ...grace, salary: 1e21 }, 422, 'BUSINESS_RULE', [['/salary', 'RANGE']]],
    ['a most negative salary', { ...grace, salary: -1e15 }, 422, 'BUSINESS_RULE', [['/salary', 'RANGE']]],
    ['too many digits of little', { ...grace, salary: 1e-7 }, 400, 'VALIDATION_FAILED', [['/salary', 'FORMAT']]],
    ['too many digits of a negative', { ...grace, salary: -0.001 }, 400, 'VALIDATION_FAILED', [['/salary', 'FORMAT']]],
    ['an empty name', { ...grace, name: ' ' }, 400, 'VALIDATION_FAILED', [['/name', 'LENGTH']]],
    ['a long name', { ...grace, name: 'x'.repeat(101) }, 400, 'VALIDATION_FAILED', [['/name', 'LENGTH']]],
    ['a control character', { ...grace, name: 'a\u0007b' }, 400, 'VALIDATION_FAILED', [['/name', 'FORMAT']]],
    ['an unknown field', { ...grace, shoe: 1 }, 400, 'VALIDATION_FAILED', [['/shoe', 'UNKNOWN']]],
    ['an id', { ...grace, id: 7 }, 400, 'VALIDATION_FAILED', [['/id', 'READ_ONLY']]],
    ['a hidden field', { ...grace, departmentId: 1 }, 400, 'VALIDATION_FAILED', [['/departmentId', 'READ_ONLY']]],
    [
      'an unknown manager',
      { ...grace, managerId: 99_999 },
      422,
      'UNKNOWN_REFERENCE',
      [['/managerId', 'UNKNOWN_REFERENCE']],
    ],
    ['an array', [grace], 400, 'VALIDATION_FAILED', [['', 'TYPE']]],
    ['null', null, 400, 'VALIDATION_FAILED', [['', 'TYPE']]],
  ])('refuses to create with %s', async (_title, json, status, code, problems) => {
    const answer = await service.check(
      { as: 'ada', method: 'POST', path: '/employees', json },
      { status, body: record(status, code, '/employees') },
    )
    const { errors } = JSON.parse(answer.text)
    expect(errors.map((entry: { pointer: string; code: string }) => [entry.pointer, entry.code])).toEqual(problems)
  })

  test.each([
    ['no JSON', '{"name":', 'MALFORMED_BODY'],
    ['a name twice', '{"name":"a","name":"b"}', 'MALFORMED_BODY'],
    ['an escaped name twice', '{"name":"a","\\u006eame":"b"}', 'MALFORMED_BODY'],
    ['100 levels', '['.repeat(100) + ']'.repeat(100), 'MALFORMED_BODY'],
    ['a byte order mark', `\ufeff${JSON.stringify(grace)}`, 'MALFORMED_BODY'],
    ['no body', '', 'MISSING_BODY'],
    ['__proto__', '{"__proto__":{"salary":1},"name":"a","department":"b","salary":1}', 'VALIDATION_FAILED'],
    [
      'constructor',
      '{"constructor":{"prototype":{"x":1}},"name":"a","department":"b","salary":1}',
      'VALIDATION_FAILED',
    ],
  ])('refuses the body with %s', async (_title, body, code) => {
    const headers = { 'content-type': 'application/json' }
    await service.check(
      { as: 'ada', method: 'POST', path: '/employees', headers, body },
      { status: 400, body: record(400, code) },
    )
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  test('refuses bytes that are no UTF-8', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = Buffer.from([0x22, 0xff, 0x22])
    const expected = { status: 400, body: record(400, 'MALFORMED_BODY') }
    await service.check({ as: 'ada', method: 'POST', path: '/employees', headers, body }, expected)
  })

  test('refuses a manager below oneself', async () => {
    const boss = await create()
    const worker = await create({ ...grace, managerId: boss.id })
    for (const managerId of [worker.id, boss.id]) {
      const expected = { status: 422, body: record(422, 'MANAGER_CYCLE') }
      await service.check({ as: 'ada', method: 'PATCH', path: boss.path, json: { managerId } }, expected)
    }
    await service.check({ as: 'ada', method: 'DELETE', path: boss.path }, { status: 409, body: record(409, 'IN_USE') })
  })

  test('closes no cycle of managers by parallel changes', async () => {
    const patch = (path: string, managerId: number) =>
      service.check({ as: 'ada', method: 'PATCH', path, json: { managerId } }, {})
    for (let round = 0; round < 5; round++) {
      const [first, second, third] = [await create(), await create(), await create()]
      expect((await patch(second.path, third.id)).status).toBe(200)
      const cycle = await Promise.all([patch(first.path, second.id), patch(third.path, first.id)])
      expect(cycle.map(({ status }) => status).sort()).toEqual([200, 422])
      const [left, right] = [await create(), await create()]
      const pair = await Promise.all([patch(left.path, right.id), patch(right.path, left.id)])
      expect(pair.map(({ status }) => status).sort()).toEqual([200, 422])
    }
  })

  test('takes back what it gave: PUT of the document that GET answered', async () => {
    const { path } = await create()
    const { text } = await service.check({ as: 'ada', path }, { status: 200 })
    await service.check({ as: 'ada', method: 'PUT', path, json: JSON.parse(text) }, { status: 200, body: grace })
    const expected = { status: 400, body: record(400, 'VALIDATION_FAILED') }
    await service.check({ as: 'ada', method: 'PUT', path, json: { ...grace, id: 1 } }, expected)
    await service.check({ as: 'ada', method: 'PUT', path, json: { salary: 1 } }, expected)
    await service.check({ as: 'ada', method: 'PUT', path: '/employees/99999', json: grace }, { status: 404 })
  })

  test.each([
    ['null on a required field', 'application/merge-patch+json', { name: null }, 400, 'VALIDATION_FAILED'],
    ['an array', 'application/merge-patch+json', [], 400, 'VALIDATION_FAILED'],
    ['an id', 'application/merge-patch+json', { id: 1 }, 422, 'BUSINESS_RULE'],
    [
      'a failed test',
      'application/json-patch+json',
      [{ op: 'test', path: '/name', value: 'x' }],
      409,
      'PATCH_CONFLICT',
    ],
    ['a missing path', 'application/json-patch+json', [{ op: 'remove', path: '/shoe' }], 409, 'PATCH_CONFLICT'],
    ['an unknown operation', 'application/json-patch+json', [{ op: 'paint', path: '/name' }], 400, 'MALFORMED_BODY'],
    [
      'the prototype',
      'application/json-patch+json',
      [{ op: 'add', path: '/__proto__/x', value: 1 }],
      409,
      'PATCH_CONFLICT',
    ],
    ['an invalid result', 'application/json-patch+json', [{ op: 'remove', path: '/name' }], 422, 'PATCH_INVALID'],
    ['no operations', 'application/json-patch+json', {}, 400, 'MALFORMED_BODY'],
  ])('refuses a patch with %s', async (_title, type, json, status, code) => {
    const { path } = await create()
    const headers = { 'content-type': type }
    await service.check({ as: 'ada', method: 'PATCH', path, headers, json }, { status, body: record(status, code) })
    await service.check({ as: 'ada', path }, { body: grace })
  })

  test('patches by each of the three formats', async () => {
    const { path } = await create()
    const patch = (type: string, json: unknown) =>
      service.check({ as: 'ada', method: 'PATCH', path, headers: { 'content-type': type }, json }, { status: 200 })
    const merged = await patch('application/merge-patch+json', { city: null, salary: 1 })
    expect(JSON.parse(merged.text)).not.toHaveProperty('city')
    const steps = [
      { op: 'test', path: '/salary', value: 1 },
      { op: 'replace', path: '/salary', value: 2 },
      { op: 'add', path: '/city', value: 'Oslo' },
    ]
    await patch('application/json-patch+json', steps)
    await patch('application/json', { name: 'G' })
    await service.check(
      { as: 'ada', path },
      { body: { name: 'G', department: 'Engineering', salary: 2, city: 'Oslo' } },
    )
  })

  test('lets exactly one of parallel writers with the same tag win', async () => {
    const { path, etag } = await create()
    const attempts = Array.from({ length: 8 }, (_, salary) =>
      service.check({ as: 'ada', method: 'PATCH', path, headers: { 'if-match': etag }, json: { salary } }, {}),
    )
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 412)).toHaveLength(7)
  })

  test('loses no parallel change of writers without a tag', async () => {
    const { path } = await create()
    const attempts = Array.from({ length: 6 }, (_, salary) =>
      service.check({ as: 'ada', method: 'PATCH', path, json: { salary } }, {}),
    )
    for (const { status } of await Promise.all(attempts)) expect(status).toBe(200)
  })

  test('answers conditions', async () => {
    const { path, etag } = await create()
    const read = await service.check({ as: 'ada', path }, { status: 200 })
    const headers = { 'if-none-match': read.headers['etag'] ?? '' }
    await service.check({ as: 'ada', path, headers }, { status: 304, body: '' })
    await service.check({ as: 'ada', method: 'DELETE', path, headers: { 'if-match': '"old"' } }, { status: 412 })
    await service.check(
      { as: 'ada', method: 'DELETE', path: '/employees/99999', headers: { 'if-match': '"x"' } },
      { status: 404 },
    )
    await service.check({ as: 'ada', method: 'DELETE', path, headers: { 'if-match': etag } }, { status: 204 })
  })

  test('answers HEAD with the fields of GET, OPTIONS with what is allowed, 405 with the same', async () => {
    const get = await service.check({ as: 'eve', path: '/employees' }, { status: 200 })
    const head = await service.check({ as: 'eve', method: 'HEAD', path: '/employees' }, { status: 200, body: '' })
    for (const name of ['content-type', 'content-length', 'etag', 'vary', 'link', 'cache-control'])
      expect(head.headers[name]).toBe(get.headers[name])
    const allow = 'GET, HEAD, OPTIONS, POST, QUERY'
    await service.check(
      { method: 'OPTIONS', path: '/employees' },
      { status: 204, headers: { allow, 'accept-post': /application\/json/, 'accept-query': '"application/json"' } },
    )
    await service.check({ method: 'OPTIONS', path: '/employees/1' }, { headers: { 'accept-patch': /merge-patch/ } })
    await service.check(
      { as: 'ada', method: 'DELETE', path: '/employees' },
      { status: 405, headers: { allow }, body: record(405, 'METHOD_NOT_ALLOWED', '/employees') },
    )
  })

  test('does a retried POST once', async () => {
    const call = { as: 'ada', method: 'POST', path: '/employees', json: grace, headers: { 'idempotency-key': 'k-1' } }
    const first = await service.check(call, { status: 201 })
    const second = await service.check(call, {
      status: 201,
      headers: { 'idempotent-replayed': 'true' },
      body: first.text,
    })
    for (const name of ['location', 'etag', 'content-type']) expect(second.headers[name]).toBe(first.headers[name])
    // A retry looks for 250 ms by default, which a loaded machine may take for eight of them.
    const patient = { ...call, headers: { ...call.headers, prefer: 'wait=10' } }
    const replays = await Promise.all(Array.from({ length: 8 }, () => service.check(patient, { status: 201 })))
    expect(new Set(replays.map(({ headers }) => headers['location']))).toEqual(new Set([first.headers['location']]))
    const parallel = { ...call, headers: { 'idempotency-key': 'k-2', prefer: 'wait=10' } }
    const answers = await Promise.all(Array.from({ length: 6 }, () => service.check(parallel, {})))
    const created = answers.filter(({ status }) => status === 201).map(({ headers }) => headers['location'])
    expect(new Set(created).size).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    const other = { ...call, json: { ...grace, salary: 1 } }
    await service.check(other, { status: 422, body: record(422, 'IDEMPOTENCY_KEY_REUSED') })
  })
})
