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

  test.each([
    { user: 'nobody' },
    { user: 'ada', lifetimeSeconds: 0 },
    { user: 'ada', lifetimeSeconds: 1.5 },
    { user: 'ada', flaw: '__proto__' },
    { user: '__proto__' },
  ])('no token is made of %o', async (json) => {
    await service.check({ method: 'POST', path: '/_demo/tokens', json }, { status: 400 })
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
})

test('who wants to be somebody else is asked again, and comes back', async () => {
  const service = await startService()
  const path = '/login?not=ada&to=%2Forders%3Fsize%3D2'
  const challenge = { 'www-authenticate': /Basic realm="svc"/ }
  await service.check({ path }, { status: 401, headers: challenge })
  await service.check({ as: 'ada', path }, { status: 401, headers: challenge })
  await service.check({ as: 'eve', path }, { status: 302, headers: { location: '/orders?size=2' } })
  for (const to of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', ''])
    await service.check(
      { as: 'eve', path: `/login?to=${encodeURIComponent(to)}` },
      { status: 302, headers: { location: '/' } },
    )
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
