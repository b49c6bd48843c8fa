import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createShorthands, onEveryDatabase } from './service.ts'

onEveryDatabase('users', (service) => {
  const { create, read, refused } = createShorthands(service)

  test('lets users see and change themselves, and admins everybody', async () => {
    await service.check({ as: 'carl', path: '/users/me' }, { status: 302, headers: { location: '/users/6' } })
    await service.check({ as: 'carl', path: '/users/6' }, { status: 200, body: { username: 'carl', customerId: 1 } })
    await refused({ as: 'carl', path: '/users/1' }, 403, 'FORBIDDEN')
    await refused({ as: 'bob', path: '/users/1' }, 403, 'FORBIDDEN')
    expect(((await read('/users', 'carl'))['items'] as object[]).length).toBe(1)
    await refused(
      { as: 'carl', method: 'PATCH', path: '/users/6', json: { roles: ['admin'] } },
      403,
      'INSUFFICIENT_SCOPE',
    )
    const changed = { as: 'carl', method: 'PATCH', path: '/users/6', json: { displayName: 'Carl the Customer' } }
    await service.check(changed, { status: 200, body: { displayName: 'Carl the Customer' } })
    expect(((await read('/users/6/orders', 'carl'))['items'] as object[]).length).toBeGreaterThan(0)
  })

  test('reads an id of 64 bits as the same value from a string and from a number', async () => {
    const { _links: _, ...carl } = await read('/users/6', 'carl')
    for (const customerId of ['1', 1])
      await service.check(
        { as: 'carl', method: 'PUT', path: '/users/6', json: { ...carl, customerId } },
        { status: 200, body: { customerId: 1 } },
      )
    const tags = new Set<string | undefined>()
    for (const customerId of [1, '1', '1']) {
      const call = { as: 'ada', method: 'PATCH', path: '/users/6', json: { customerId } }
      tags.add((await service.check(call, { status: 200, body: { customerId: 1 } })).headers['etag'])
    }
    expect(tags.size).toBe(1)
  })

  test('counts a new password at once, and the old one no more', async () => {
    const json = { username: 'pat', email: 'pat@example.com', password: 'first-password', roles: ['reader'] }
    const path = await create('/users', json)
    const login = (password: string) => ({
      authorization: `Basic ${Buffer.from(`pat:${password}`).toString('base64')}`,
    })
    await service.check({ path: '/employees', headers: login('first-password') }, { status: 200 })
    await service.check({ as: 'ada', method: 'PATCH', path, json: { password: 'second-password' } }, { status: 200 })
    await service.check({ path: '/employees', headers: login('first-password') }, { status: 401 })
    await service.check({ path: '/employees', headers: login('second-password') }, { status: 200 })
  })

  test('hashes a password while no transaction is open', async () => {
    const { database } = service.running
    const user = (name: string) => ({ username: name, email: `${name}@example.com`, password: 'a-long-password' })
    const key = { 'idempotency-key': 'hashed-once' }
    const created = { as: 'ada', method: 'POST', path: '/users', headers: key, json: user('kim') }
    const calls = [
      created,
      { as: 'ada', method: 'POST', path: '/users', json: user('lou') },
      {
        as: 'ada',
        method: 'PATCH',
        path: '/users/6',
        headers: { prefer: 'tx=rollback' },
        json: { password: 'another-long-one' },
      },
    ]
    let turns = 0
    let isDone = false
    const watched = (async () => {
      for (; !isDone; turns++) {
        if (database.dialect === 'sqlite') expect(database.changes()).toBeDefined()
        await setImmediate()
      }
    })()
    const [first] = await Promise.all(calls.map((call) => service.check(call, {})))
    isDone = true
    await watched
    expect(turns).toBeGreaterThan(10)
    const replayed = await service.check(created, { status: 201, headers: { 'idempotent-replayed': 'true' } })
    expect(replayed.text).toBe(first?.text)
    await refused({ ...created, headers: {} }, 409, 'DUPLICATE_VALUE')
  })
})
