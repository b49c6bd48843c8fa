import { expect, test } from 'vitest'
import { createShorthands, onEveryDatabase } from './service.ts'

onEveryDatabase('a department that is renamed', (service) => {
  const { create, read } = createShorthands(service)

  test.each([
    ['', 'PATCH', { department: 'Quality' }],
    ['/v2', 'PUT', { department: { id: expect.any(Number), name: 'Quality' } }],
  ])('keeps its employees, by a change below "%s"', async (prefix, method, shown) => {
    const path = await create('/departments', { name: 'Testing' })
    const employee = await create('/employees', { name: 'Tess Ting', department: 'Testing', salary: 1 })
    const other = await create('/employees', { name: 'Otto Ther', department: 'Sales', salary: 1 })
    const before = await service.check({ as: 'ada', path: employee }, { status: 200 })
    const unrelated = await service.check({ as: 'ada', path: other }, { status: 200 })
    await service.check({ as: 'ada', method, path: prefix + path, json: { name: 'Quality' } }, { status: 200 })

    const item = await read(prefix + employee)
    expect(item).toMatchObject(shown)
    expect(item['_links']).toMatchObject({ department: { href: prefix + path } })
    const members = await read(`${prefix}/employees?department=Quality`)
    expect(members['items']).toMatchObject([{ name: 'Tess Ting' }])
    const unchanged = (etag = '') => ({ 'if-none-match': etag })
    await service.check({ as: 'ada', path: employee, headers: unchanged(before.headers['etag']) }, { status: 200 })
    await service.check({ as: 'ada', path: other, headers: unchanged(unrelated.headers['etag']) }, { status: 304 })
    await service.check({ as: 'ada', method: 'DELETE', path }, { status: 409 })
    for (const each of [employee, path])
      await service.check({ as: 'ada', method: 'DELETE', path: each }, { status: 204 })
  })

  test('leaves its employees as they are, if the change is not made', async () => {
    const path = await create('/departments', { name: 'Archive' })
    const employee = await create('/employees', { name: 'Ar Chive', department: 'Archive', salary: 1 })
    const rename = { as: 'ada', method: 'PATCH', path, json: { name: 'Sales' } }
    await service.check(rename, { status: 409 })
    const headers = { prefer: 'tx=rollback' }
    await service.check({ ...rename, headers, json: { name: 'Attic' } }, { status: 200 })
    expect(await read(employee)).toMatchObject({ department: 'Archive' })
  })
})
