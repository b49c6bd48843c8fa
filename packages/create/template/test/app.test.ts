import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { rateLimit } from '@svc/ratelimit'
import { createApp } from '../src/app.ts'

async function start(t: TestContext, options?: Parameters<typeof createApp>[0]): Promise<string> {
  const server = createServer(createApp(options)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/tasks`
}

test('shows a task with the links of its state', async (t) => {
  const url = await start(t)
  const open = await fetch(`${url}/1`)
  assert.equal(open.status, 200)
  assert.ok(open.headers.get('etag'))
  const links = { self: { href: '/tasks/1' }, completion: { href: '/tasks/1/completion' } }
  assert.deepEqual(await open.json(), { id: 1, title: 'Read the code', done: false, _links: links })

  assert.equal((await fetch(`${url}/1/completion`)).status, 200)
  assert.equal((await fetch(`${url}/1/completion`, { method: 'PUT' })).status, 200)
  const done = (await (await fetch(`${url}/1`)).json()) as { _links: object }
  assert.deepEqual(done._links, { self: { href: '/tasks/1' } })
})

test('adds a task and returns its location', async (t) => {
  const url = await start(t)
  const headers = { 'content-type': 'application/json' }
  const added = await fetch(url, { method: 'POST', headers, body: '{"title":"Write a test"}' })
  assert.equal(added.status, 201)
  assert.equal(added.headers.get('location'), '/tasks/2')
  const invalid = await fetch(url, { method: 'POST', headers, body: '{}' })
  assert.equal(invalid.status, 400)
})

test('changes nothing if the client accepts none of the formats', async (t) => {
  const url = await start(t)
  const headers = { accept: 'image/png', 'content-type': 'application/json' }
  assert.equal((await fetch(url, { method: 'POST', headers, body: '{"title":"Lost"}' })).status, 406)
  assert.equal((await fetch(`${url}/1/completion`, { method: 'PUT', headers })).status, 406)
  const csv = await (await fetch(url, { headers: { accept: 'text/csv' } })).text()
  assert.equal(csv, 'id,title,done\r\n1,"Read the code",false\r\n')
})

for (const path of ['', '/1']) {
  test(`negotiates the format of /tasks${path}`, async (t) => {
    const url = (await start(t)) + path
    for (const type of ['application/hal+json', 'application/json', 'text/csv']) {
      const response = await fetch(url, { headers: { accept: type } })
      assert.equal(response.status, 200)
      assert.match(response.headers.get('content-type') ?? '', new RegExp(`^${type.replace('+', '\\+')}`))
      assert.match(response.headers.get('vary') ?? '', /Accept/)
    }
    const csv = await fetch(url, { headers: { accept: 'text/csv' } })
    assert.equal(await csv.text(), 'id,title,done\r\n1,"Read the code",false\r\n')
    const image = await fetch(url, { headers: { accept: 'image/png' } })
    assert.equal(image.status, 406)
  })
}

test('lists the tasks with the links of each', async (t) => {
  const url = await start(t)
  const hal = (await (await fetch(url)).json()) as { _embedded: { tasks: object[] }; page: object }
  assert.deepEqual(hal.page, { number: 0, size: 100, totalElements: 1, totalPages: 1 })
  assert.equal(hal._embedded.tasks.length, 1)
  const plain = await (await fetch(url, { headers: { accept: 'application/json' } })).json()
  assert.deepEqual((plain as { items: object[] }).items, hal._embedded.tasks)
})

test('links to the pages of the tasks', async (t) => {
  const url = await start(t, { limiter: rateLimit('1000/1m') })
  const headers = { 'content-type': 'application/json' }
  await Promise.all(
    Array.from({ length: 100 }, () => fetch(url, { method: 'POST', headers, body: '{"title":"Write a test"}' })),
  )
  type Page = { _embedded: { tasks: { id: number }[] }; _links: { next?: { href: string } } }
  const first = (await (await fetch(url)).json()) as Page
  const next = (await (await fetch(new URL(first._links.next?.href ?? '', url))).json()) as Page
  assert.equal(first._embedded.tasks.length, 100)
  assert.deepEqual(
    next._embedded.tasks.map(({ id }) => id),
    [101],
  )
  assert.equal((await fetch(`${url}?page=-1`)).status, 400)
})

test('links to the tasks from /', async (t) => {
  const root = new URL('/', await start(t))
  const response = await fetch(root)
  assert.equal(response.headers.get('content-type'), 'application/hal+json; charset=utf-8')
  assert.deepEqual(await response.json(), { _links: { self: { href: '/' }, tasks: { href: '/tasks' } } })
})

test('returns 404 and 405 with the reason', async (t) => {
  const url = await start(t)
  const missing = await fetch(`${url}/99`)
  assert.equal(missing.status, 404)
  const record = (await missing.json()) as { code: string; path: string }
  assert.equal(record.code, 'TASK_NOT_FOUND')
  assert.equal(record.path, '/tasks/99')
  const removal = await fetch(url, { method: 'DELETE' })
  assert.equal(removal.status, 405)
  assert.match(removal.headers.get('allow') ?? '', /POST/)
})

test('limits the rate of a client', async (t) => {
  const url = await start(t, { limiter: rateLimit('2/1m') })
  const statuses = [await fetch(url), await fetch(url), await fetch(url)].map(({ status }) => status)
  assert.deepEqual(statuses, [200, 200, 429])
})
