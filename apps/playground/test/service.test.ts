import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Service, send, startService } from '../../reference-server/test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.running.stop())

describe('the playground', () => {
  test.each([
    ['418', 418],
    ['nonsense', 400],
    ['slow:999s', 400],
    ['slow:11s', 400],
    ['200', 400],
  ])('X-Demo-Fault: %s gives %i', async (fault, status) => {
    await service.check({ path: '/health', headers: { 'x-demo-fault': fault } }, { status })
  })

  test('calls of the policy concurrency share their limit while they last', async () => {
    const path = '/play/ratelimit/calls?policy=concurrency&client=overlapping'
    const first = await Promise.all(Array.from({ length: 8 }, () => send(service.url, { path })))
    expect(first.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    await service.check({ path }, { status: 200 })
  })

  test('the log keeps the last 200, without itself', async () => {
    for (let at = 0; at < 205; at++) await send(service.url, { path: `/health?_at=${at}` })
    const { text } = await service.check({ path: '/_demo/requests' }, { status: 200 })
    const { entries } = JSON.parse(text) as { entries: { target: string }[] }
    expect(entries).toHaveLength(200)
    expect(entries[0]?.target).toBe('/health?_at=204')
    await service.check(
      { path: '/_demo/requests' },
      { body: { entries: entries.slice(0, 1).concat(entries.slice(1)) } },
    )
  })

  test('requests that wait on purpose do not take the service from others', async () => {
    const startedAt = performance.now()
    const measure = async (): Promise<number> => {
      await service.check({ path: '/health', headers: { 'x-demo-fault': 'slow:2s' } }, { status: 200 })
      return performance.now() - startedAt
    }
    const times = await Promise.all(Array.from({ length: 101 }, measure))
    expect(times.filter((ms) => ms < 1900)).toHaveLength(1)
  })

  test('the log masks credentials wherever a header has them', async () => {
    const headers = { 'x-api-key': 'hidden', 'x-auth': 'hidden', referer: 'http://localhost/?token=hidden&page=2' }
    await service.check({ path: '/Employees?api_key=hidden', headers }, { status: 301 })
    const { text } = await service.check({ path: '/_demo/requests?path=/Employees' }, { status: 200 })
    expect(text).not.toContain('hidden')
    const [entry] = (JSON.parse(text) as { entries: { response: object; request: object }[] }).entries
    expect(entry?.response).toMatchObject({ location: '/employees?api_key=***' })
    expect(entry?.request).toMatchObject({ 'x-api-key': '***', referer: 'http://localhost/?token=***&page=2' })
  })

  test('the log has a line to send a request again only if it would be the same request', async () => {
    const page = async (search: string): Promise<string> => {
      const path = `/_demo/requests?path=/health?again${search}`
      return (await service.check({ path, headers: { accept: 'text/html' } }, { status: 200 })).text
    }
    const headers = { 'idempotency-key': 'abc', 'x-custom': 'def' }
    await service.check({ path: '/health?again=1', headers }, {})
    expect(await page('=1')).toMatch(/curl -si -H &#39;x-custom: def&#39; &#39;http:[^ ]+\/health\?again=1&#39;</)
    expect(await page('=1')).toMatch(/ id="entry-\d+-\d{13}"/)
    expect(await page('=1')).toMatch(/<time datetime="[^"]+">\d\d:\d\d:\d\d UTC</)
    await service.check({ method: 'POST', path: '/health?again=2', json: {} }, {})
    await service.check({ path: '/health?again=3&api_key=s' }, {})
    await service.check({ path: `/health?again=4${'a'.repeat(500)}` }, {})
    for (const search of ['=2', '=3', '=4']) {
      expect(await page(search)).toContain(`/health?again${search}`)
      expect(await page(search)).not.toContain('curl -si -H')
      expect(await page(search)).not.toContain('id="entry-')
    }
  })

  test('the log disconnects a watcher that does not read', async () => {
    const closed = once(watchLater(service.url, '2s'), 'close')
    const headers = { 'x-filler': 'a'.repeat(14_000) }
    for (let count = 0; count < 10; count++)
      await Promise.all(Array.from({ length: 10 }, () => send(service.url, { path: '/health', headers })))
    await closed
  })

  test.each([
    { user: 'nobody' },
    { user: 'ada', lifetimeSeconds: 0 },
    { user: 'ada', lifetimeSeconds: 1.5 },
    { user: 'ada', flaw: '__proto__' },
    { user: '__proto__' },
  ])('no token is made of %o', async (json) => {
    await service.check({ method: 'POST', path: '/_demo/tokens', json }, { status: 400 })
  })

  test.each(['null', '1', '"ada"', '[]'])('no token is made of the body %s', async (body) => {
    const headers = { 'content-type': 'application/json' }
    await service.check({ method: 'POST', path: '/_demo/tokens', headers, body }, { status: 400 })
  })

  test('a token has what was asked for, and no more than its user may', async () => {
    const json = { user: 'eve', scope: 'employees:read employees:write', lifetimeSeconds: 60 }
    const expected = {
      expires_in: 60,
      scope: 'employees:read',
      claims: { sub: expect.stringMatching(/^user:/), roles: ['reader'] },
    }
    const { text } = await service.check(
      { method: 'POST', path: '/_demo/tokens', json },
      { status: 200, body: expected },
    )
    const headers = { authorization: `Bearer ${JSON.parse(text).access_token}` }
    await service.check({ path: '/employees/1', headers }, { status: 200 })
    await service.check({ path: '/orders', headers }, { status: 403 })
  })

  test('the service stops although somebody watches the log', async () => {
    const other = await startService()
    const watching = await fetch(`${other.url}/_demo/requests/events`)
    expect(watching.headers.get('content-type')).toBe('text/event-stream')
    const warn = vi.spyOn(other.running.log, 'warn')
    await other.running.stop()
    expect(warn).not.toHaveBeenCalled()
    await watching.text()
  })

  test('the service stops while requests that the log shows are still in progress', async () => {
    const other = await startService()
    watchLater(other.url, '2s')
    const headers = { 'x-demo-fault': 'slow:1.5s' }
    const pending = send(other.url, { path: '/products', headers })
    await sleep(100)
    await other.running.stop()
    expect((await pending).status).toBe(200)
  })
})

test('who wants to be somebody else is asked again, and comes back', async () => {
  const service = await startService()
  const path = '/login?not=ada&to=%2Forders%3Fsize%3D2'
  const challenge = { 'www-authenticate': /Basic realm="svc"/ }
  await service.check({ path }, { status: 401, headers: challenge })
  await service.check({ as: 'ada', path }, { status: 401, headers: challenge })
  await service.check({ as: 'eve', path }, { status: 302, headers: { location: '/orders?size=2' } })
  const elsewhere = [
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'https://evil.example',
  ]
  for (const to of [...elsewhere, 'javascript:alert(1)', 'http://', '\n', ''])
    await service.check(
      { as: 'eve', path: `/login?to=${encodeURIComponent(to)}` },
      { status: 302, headers: { location: '/' } },
    )
  await service.check({ as: 'eve', path: '/login?to=/%F0%9F%98%80' }, { headers: { location: '/%F0%9F%98%80' } })
  const { text } = await service.check(
    { as: 'sam', path: '/orders', headers: { accept: 'text/html' } },
    { status: 403 },
  )
  expect(text).toContain('href="/login?not=sam&amp;to=%2Forders"')
  expect(text).toContain('eve-demo')
  await service.running.stop()
})

test('the service has no trace of it with SVC_DEMO=off', async () => {
  const service = await startService({ SVC_DEMO: 'off' })
  for (const path of ['/play', '/play/ratelimit', '/play/ratelimit/calls?client=a', '/_demo/map', '/_demo/tokens'])
    await service.check({ path }, { status: 404 })
  await service.check({ path: '/health', headers: { 'x-demo-fault': '503' } }, { status: 200 })
  const pages = [
    '/',
    '/docs',
    '/problems',
    '/rels',
    '/employees',
    '/ws/customer',
    '/robots.txt',
    '/llms.txt',
    '/openapi.json',
  ]
  for (const path of pages) {
    const { text } = await service.check({ path, headers: { accept: 'text/html, */*;q=0.1' } }, {})
    expect(text.length, path).toBeGreaterThan(10)
    expect(text, path).not.toMatch(/_demo|\/play|\/login|ada-demo|demo[-_]fault|playground/i)
  }
  await service.running.stop()
})

test('/_demo responds to this host only', async () => {
  const service = await startService()
  for (const path of ['/_demo/requests', '/_demo/tokens', '/_demo/map', '/v2/_demo/map'])
    await service.check({ path, headers: { host: 'attacker.example' } }, { status: 421 })
  await service.running.stop()
})

test('/_demo rejects the scripts of other sites and what a proxy forwards', async () => {
  const service = await startService({ SVC_TRUST_PROXY: '127.0.0.1' })
  const path = '/_demo/requests'
  const { host } = new URL(service.url)
  const rejected = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://localhost:${Number(new URL(service.url).port) + 1}` },
    { 'x-forwarded-for': '203.0.113.9' },
    { forwarded: 'for=203.0.113.9' },
    { 'x-real-ip': '203.0.113.9' },
    { via: '1.1 proxy' },
  ]
  for (const headers of rejected) await service.check({ path, headers }, { status: 403 })
  await service.check({ path, headers: { origin: `http://${host}` } }, { status: 200 })
  const json = { user: 'ada' }
  const fromElsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  await service.check({ method: 'POST', path: '/_demo/tokens', json, headers: fromElsewhere }, { status: 403 })
  await service.running.stop()
})

/** Watches the log behind a slow response: until that ends, nothing of the log is read. */
function watchLater(url: string, seconds: string): Socket {
  const { port, host } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  socket.write(`GET /health HTTP/1.1\r\nHost: ${host}\r\nX-Demo-Fault: slow:${seconds}\r\n\r\n`)
  socket.write(`GET /_demo/requests/events HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  return socket.resume()
}
