import { expect, test } from 'vitest'
import { onEveryDatabase, record } from './service.ts'

const grace = { name: 'Grace Hopper', department: 'Engineering', salary: 5000.5, city: 'New York' }

onEveryDatabase('employees', (service) => {
  const create = async (body: object = grace): Promise<{ id: number; path: string; etag: string }> => {
    const answer = await service.check({ as: 'ada', method: 'POST', path: '/employees', json: body }, { status: 201 })
    const { id } = JSON.parse(answer.text)
    return { id, path: `/employees/${id}`, etag: answer.headers['etag'] ?? '' }
  }

  test('gives a page with totals and links', async () => {
    const answer = await service.check({ as: 'eve', path: '/employees?page=1&size=5' }, { status: 200 })
    const { items, page, _links } = JSON.parse(answer.text)
    expect(items).toHaveLength(5)
    expect(page).toMatchObject({ number: 1, size: 5 })
    expect(page.totalElements).toBeGreaterThanOrEqual(137)
    expect(Object.keys(_links)).toEqual(['self', 'first', 'previous', 'next', 'last'])
    expect(answer.headers['link']).toContain('rel="prev"')
    expect(answer.headers['cache-control']).toBe('private, no-cache')
  })

  test.each([
    ['a page beyond the end', 'page=400&size=20', (items: unknown[]) => expect(items).toEqual([])],
    ['size over the limit', 'size=1000', (items: unknown[]) => expect(items).toHaveLength(100)],
    [
      'a filter with the characters of a query',
      'department=R%26D&size=100',
      (items: { department: string }[]) =>
        expect(new Set(items.map((each) => each.department))).toEqual(new Set(['R&D'])),
    ],
    [
      'any of several values',
      'department=Sales&department=HR&size=100',
      (items: { department: string }[]) =>
        expect(new Set(items.map((each) => each.department))).toEqual(new Set(['Sales', 'HR'])),
    ],
    [
      'ranges and order',
      'salary[gte]=5000&salary[lt]=6000&sort=-salary,name&size=100',
      (items: { salary: number }[]) => {
        const salaries = items.map(({ salary }) => salary)
        expect(salaries.length).toBeGreaterThan(3)
        expect(salaries.every((salary) => salary >= 5000 && salary < 6000)).toBe(true)
        expect(salaries).toEqual([...salaries].sort((a, b) => b - a))
      },
    ],
    [
      'parts of text',
      'name[startsWith]=A&city[contains]=erl&size=100',
      (items: { name: string; city: string }[]) => {
        expect(items.length).toBeGreaterThan(0)
        expect(items.every(({ name, city }) => name.startsWith('A') && city === 'Berlin')).toBe(true)
      },
    ],
    [
      'absent values first when ascending',
      'sort=city&size=3',
      (items: { city?: string }[]) => expect(items.every(({ city }) => city === undefined)).toBe(true),
    ],
    [
      'chosen fields',
      'fields=name,salary&size=1',
      (items: object[]) => expect(Object.keys(items[0] ?? {}).sort()).toEqual(['_links', 'name', 'salary']),
    ],
  ])('filters, sorts and pages: %s', async (_title, query, verify) => {
    const answer = await service.check({ as: 'eve', path: `/employees?${query}` }, { status: 200 })
    verify(JSON.parse(answer.text).items)
  })

  test.each([
    ['page=-1', 'INVALID_PARAMETER'],
    ['page=1.5', 'INVALID_PARAMETER'],
    ['page=1&page=2', 'INVALID_PARAMETER'],
    ['size=0', 'INVALID_PARAMETER'],
    ['page=200&size=100', 'INVALID_PARAMETER'],
    ['sort=shoe', 'INVALID_PARAMETER'],
    ['sort=__proto__', 'INVALID_PARAMETER'],
    ['salary=many', 'INVALID_PARAMETER'],
    ['salary[contains]=1', 'INVALID_PARAMETER'],
    ['salary[like]=1', 'INVALID_PARAMETER'],
    ['fields=shoe', 'INVALID_PARAMETER'],
    ['__proto__=1', 'UNKNOWN_PARAMETER'],
    ['deparment=Sales', 'UNKNOWN_PARAMETER'],
    ['%', 'MALFORMED_URI'],
    ['name=%00', 'MALFORMED_URI'],
    ['access_token=abc', 'INVALID_REQUEST'],
  ])('refuses the query %s', async (query, code) => {
    const expected = { status: 400, body: record(400, code, '/employees') }
    await service.check({ as: 'eve', path: `/employees?${query}` }, expected)
  })

  test('overlooks unknown parameters where the client prefers that', async () => {
    await service.check({ as: 'eve', path: '/employees?x=1', headers: { prefer: 'handling=lenient' } }, { status: 200 })
  })

  test('leaves totals out where the client prefers little', async () => {
    const headers = { prefer: 'return=minimal' }
    const answer = await service.check({ as: 'eve', path: '/employees?size=2', headers }, { status: 200 })
    expect(JSON.parse(answer.text).page).toEqual({ number: 0, size: 2 })
    expect(answer.headers['preference-applied']).toBe('return=minimal')
  })

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
      400,
      'MALFORMED_BODY',
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

  test('answers QUERY with the page that its Location repeats', async () => {
    const json = { filter: { department: ['Sales', 'HR'], salary: { gte: 3000 } }, sort: ['-salary'], size: 3 }
    const answer = await service.check({ as: 'eve', method: 'QUERY', path: '/employees', json }, { status: 200 })
    const again = await service.check({ as: 'eve', path: answer.headers['location'] ?? '' }, { status: 200 })
    expect(JSON.parse(again.text).items).toEqual(JSON.parse(answer.text).items)
    const wrong = { filter: { shoe: 1 } }
    await service.check({ as: 'eve', method: 'QUERY', path: '/employees', json: wrong }, { status: 422 })
    await service.check({ as: 'eve', method: 'QUERY', path: '/employees' }, { status: 400 })
  })

  test('embeds what its links lead to, where that is wanted and may be read', async () => {
    const path = '/employees?embed=manager,department&size=20&sort=-id'
    const { text } = await service.check(
      { as: 'eve', path: '/employees?embed=manager&size=30&sort=name' },
      { status: 200 },
    )
    const managed = JSON.parse(text).items.filter((item: { managerId?: number }) => item.managerId !== undefined)
    expect(managed.length).toBeGreaterThan(0)
    for (const { managerId, _embedded } of managed) expect(_embedded.manager.id).toBe(managerId)
    const headers = { accept: 'application/hal+json' }
    const page = await service.check({ as: 'eve', path, headers }, { status: 200, body: /"_embedded":\{"manager":/ })
    expect(JSON.parse(page.text)._links.next.href).toContain('embed=manager%2Cdepartment')
    const one = await service.check({ as: 'eve', path: '/employees/20?embed=department' }, { status: 200 })
    expect(JSON.parse(one.text)._embedded.department.name).toBe(JSON.parse(one.text).department)
    const plain = await service.check({ as: 'eve', path: '/employees/20' }, { status: 200 })
    expect(JSON.parse(plain.text)).not.toHaveProperty('_embedded')
    const refused = { status: 400, body: record(400, 'INVALID_PARAMETER') }
    await service.check({ as: 'eve', path: '/employees?embed=shoe' }, refused)
    await service.check({ as: 'eve', path: '/employees/20?embed=self' }, refused)
  })

  test.each(['', '&sort=name', '&sort=-city,salary', '&sort=city&salary[gte]=3000'])(
    'walks by marks over every employee once%s',
    async (query) => {
      const all = await service.check({ as: 'eve', path: `/employees?size=100${query}` }, { status: 200 })
      const { totalElements } = JSON.parse(all.text).page
      const ids: number[] = []
      let path: string | undefined = `/employees?cursor=&size=23${query}`
      while (path !== undefined) {
        const { text } = await service.check({ as: 'eve', path }, { status: 200 })
        const { items, _links } = JSON.parse(text)
        ids.push(...items.map(({ id }: { id: number }) => id))
        path = _links.next?.href
      }
      expect(ids).toHaveLength(totalElements)
      expect(new Set(ids).size).toBe(totalElements)
      expect(ids.slice(0, 100)).toEqual(JSON.parse(all.text).items.map(({ id }: { id: number }) => id))
    },
  )

  test('takes no mark that it did not give, nor one of another query', async () => {
    const { text } = await service.check({ as: 'eve', path: '/employees?cursor=&size=5&sort=name' }, { status: 200 })
    const cursor = new URLSearchParams(JSON.parse(text)._links.next.href.split('?')[1]).get('cursor') ?? ''
    await service.check({ as: 'eve', path: `/employees?cursor=${cursor}&sort=name` }, { status: 200 })
    const refused = { status: 400, body: record(400, 'INVALID_PARAMETER') }
    for (const query of [
      `cursor=${cursor}`,
      `cursor=x${cursor}&sort=name`,
      'cursor=abc',
      `cursor=${cursor}&sort=name&page=1`,
    ])
      await service.check({ as: 'eve', path: `/employees?${query}` }, refused)
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
    const replays = await Promise.all(Array.from({ length: 8 }, () => service.check(call, { status: 201 })))
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
