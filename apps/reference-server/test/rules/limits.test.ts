import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { basic, record, type Service, serviceFor, startService } from '../service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ SVC_RATE_LIMIT: '12/1m', SVC_RATE_LIMIT_ANONYMOUS: '5/1m' })
})
afterAll(() => service.running.stop())

const OPERATORS = ['ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'startsWith']
const REFUSED = { 'retry-after': /^\d+$/, 'x-ratelimit-remaining': '0' }

describe('8 limits', () => {
  test('8-1 rejects the request beyond the limit, and reports what is left on each', async () => {
    for (let sent = 1; sent <= 12; sent++) {
      const usage = { 'x-ratelimit-limit': '12', 'x-ratelimit-remaining': String(12 - sent) }
      await service.check({ as: 'ada', path: '/employees/1' }, { status: 200, headers: usage })
    }
    const expected = { status: 429, headers: REFUSED, body: record(429, 'RATE_LIMITED', '/employees/1') }
    await service.check({ as: 'ada', path: '/employees/1' }, expected)
    await service.check({ as: 'bob', path: '/employees/1' }, { status: 200 })
  })

  test('7-429 limits unauthenticated clients by address', async () => {
    for (let sent = 1; sent <= 5; sent++) await service.check({ path: '/products/1' }, { status: 200 })
    await service.check({ path: '/products/1' }, { status: 429, headers: REFUSED, body: record(429, 'RATE_LIMITED') })
    await service.check({ path: '/health' }, { status: 200 })
  })

  test('4.3-ratelimit limit, remaining and reset are reported', async () => {
    const usage = { 'x-ratelimit-limit': '12', 'x-ratelimit-remaining': '11', 'x-ratelimit-reset': /^\d+$/ }
    await service.check({ as: 'eve', path: '/employees/1' }, { status: 200, headers: usage })
    const write = { as: 'eve', method: 'DELETE', path: '/employees/1' }
    await service.check(write, { status: 403, headers: { 'x-ratelimit-remaining': '9' } })
  })

  test('8-1 RateLimit and RateLimit-Policy are sent in addition, on every kind of response', async () => {
    const policy = { 'ratelimit-policy': '"authenticated";q=12;w=60' }
    const call = { as: 'adam', path: '/employees/1' }
    for (const [left, headers, status] of [
      [11, {}, 200],
      [10, { accept: 'image/webp' }, 406],
      [9, { accept: 'text/html' }, 200],
    ] as [number, Record<string, string>, number][]) {
      const limit = { ratelimit: new RegExp(`^"authenticated";r=${left};t=\\d+$`) }
      await service.check({ ...call, headers }, { status, headers: { ...policy, ...limit } })
    }
    for (let sent = 0; sent < 9; sent++) await service.check(call, { status: 200 })
    const exceeded = { ...policy, ratelimit: /^"authenticated";r=0;t=\d+$/, 'x-ratelimit-remaining': '0' }
    await service.check(call, { status: 429, headers: exceeded })
    await service.check({ method: 'OPTIONS', path: '/employees/1' }, { status: 204, headers: { ratelimit: undefined } })
  })

  test('4.3-retry-after says when to retry', async () => {
    for (let sent = 1; sent <= 12; sent++) await service.check({ as: 'sam', path: '/employees' }, { status: 403 })
    const { headers } = await service.check({ as: 'sam', path: '/employees' }, { status: 429 })
    const seconds = Number(headers['retry-after'])
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(5)
  })

  test('8-2 503 says when to retry', async () => {
    service.running.state.maintenance = true
    const headers = { 'retry-after': /^[1-9]\d*$/ }
    await service.check(
      { as: 'ada', path: '/employees' },
      { status: 503, headers, body: record(503, 'SERVICE_UNAVAILABLE') },
    )
    service.running.state.maintenance = false
  })

  test('8-2 a stop asks for five seconds, an overload for one', async () => {
    const { state } = service.running
    const refusedFor = (seconds: string): Promise<unknown> =>
      service.check({ as: 'cora', path: '/cart' }, { status: 503, headers: { 'retry-after': seconds } })
    state.draining = true
    await refusedFor('5')
    state.draining = false
    const atWork = Array.from({ length: 1001 }, () => ({}) as ServerResponse)
    state.inFlight.push(...atWork)
    await refusedFor('1')
    await service.check({ path: '/health' }, { status: 200 })
    state.inFlight.splice(state.inFlight.indexOf(atWork[0] as ServerResponse), atWork.length)
    await service.check({ as: 'cora', path: '/cart' }, { status: 200 })
  })

  test('8-3 ten tokens in a quarter of an hour', async () => {
    const { rateLimit, rateLimitAnonymous } = readConfig({})
    expect([rateLimit, rateLimitAnonymous]).toEqual(['600/1m', '60/1m'])
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const call = { as: 'carl', method: 'POST', path: '/tokens', headers, body: 'grant_type=client_credentials' }
    for (let sent = 1; sent <= 10; sent++) await service.check(call, { status: 200 })
    const { headers: fields } = await service.check(call, { status: 429 })
    expect(Number(fields['retry-after'])).toBeGreaterThan(800)
  })
})

describe('8 limits of credentials that fail', () => {
  const service = serviceFor(() => ({ SVC_RATE_LIMIT: '12/1m', SVC_RATE_LIMIT_ANONYMOUS: '5/1m' }))
  const get = (authorization: string, path = '/employees/1') => ({ path, headers: { authorization } })
  const refused = { status: 429, headers: REFUSED, body: record(429, 'RATE_LIMITED') }

  test('they count like requests without credentials, those that succeed do not', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const call = { as: 'bob', method: 'POST', path: '/tokens', headers: form, body: 'grant_type=client_credentials' }
    const token = JSON.parse((await service.check(call, { status: 200 })).text).access_token
    for (const as of ['ada', 'carl', 'cora']) {
      const usage = { 'x-ratelimit-limit': '12', ratelimit: /^"authenticated";r=\d+;t=\d+$/ }
      await service.check({ as, path: '/users/me' }, { status: 302, headers: usage })
    }
    const failing = [basic('u1', 'x'), 'Basic !', 'x', 'Bearer a.b.c', 'Bearer a b']
    for (const [index, authorization] of failing.entries()) {
      const usage = { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': String(4 - index) }
      const status = authorization === 'Bearer a b' ? 400 : 401
      await service.check(get(authorization), { status, headers: usage })
    }
    for (const authorization of failing) await service.check(get(authorization), refused)
    await service.check(get(basic('u2', 'x'), '/health'), refused)
    const type = { 'content-type': 'application/soap+xml' }
    const message = { method: 'POST', path: '/ws/customer', headers: { ...type, authorization: basic('u3', 'x') } }
    await service.check(message, { status: 429, headers: REFUSED, body: /f:RateLimited/ })
    // A password that was right before is known, and a token needs none.
    await service.check({ as: 'ada', path: '/employees/1' }, { status: 200 })
    await service.check(get(`Bearer ${token}`), { status: 200 })
    await service.check({ as: 'eve', path: '/employees/1' }, refused)
    await service.check({ path: '/products/1' }, { status: 200, headers: { 'x-ratelimit-remaining': '4' } })
  })
})

test('8-1 concurrent guesses are not more than others', async () => {
  const service = await startService({ SVC_RATE_LIMIT_ANONYMOUS: '5/1m' })
  const guesses = Array.from({ length: 20 }, (_, index) => {
    const headers = { authorization: basic(`u${index}`, 'x') }
    return service.check({ path: '/employees', headers }, {})
  })
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(15)
  await service.running.stop()
})

test('8-3 ten tokens in a quarter of an hour, also without a limit of anonymous requests', async () => {
  const service = await startService({ SVC_RATE_LIMIT: '600/1m' })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const call = { as: 'carl', method: 'POST', path: '/tokens', headers, body: 'grant_type=client_credentials' }
  for (let sent = 1; sent <= 10; sent++) await service.check(call, { status: 200 })
  await service.check(call, { status: 429, body: record(429, 'RATE_LIMITED') })
  await service.running.stop()
})

describe('8 numbers', () => {
  test('8-3 sizes of pages, bodies, targets and headers', async () => {
    const free = await startService()
    const sizes: [string, number][] = [
      ['/employees', 20],
      ['/employees?size=1000', 100],
    ]
    for (const [path, size] of sizes) await free.check({ as: 'ada', path }, { status: 200, body: { page: { size } } })
    await free.check({ as: 'ada', path: '/employees?page=101&size=100' }, { status: 400 })
    const json = (length: number) => ({ name: 'x'.repeat(length), department: 'x', salary: 1 })
    const post = { as: 'ada', method: 'POST', path: '/employees' }
    await free.check({ ...post, json: json(1024 * 1024) }, { status: 413, body: record(413, 'BODY_TOO_LARGE') })
    await free.check({ ...post, json: json(1024 * 1024 - 100) }, { status: 400 })
    const long = { status: 414, body: record(414, 'URI_TOO_LONG') }
    await free.check({ as: 'ada', path: `/employees?name=${'x'.repeat(8192)}` }, long)
    const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
    const ids = (length: number) => ({ name: 'x', employeeIds: Array.from({ length }, () => 1) })
    const send = (path: string, body: unknown, status: number, code?: string): Promise<unknown> =>
      free.check({ ...post, path, json: body }, { status, ...(code && { body: record(status, code) }) })
    await send('/employees', nested(32), 400, 'VALIDATION_FAILED')
    await send('/employees', nested(33), 400, 'MALFORMED_BODY')
    await send('/projects', ids(1001), 400, 'VALIDATION_FAILED')
    await send('/projects', ids(1000), 201)
    const patch = (length: number, status: number): Promise<unknown> => {
      const operations = Array.from({ length }, () => ({ op: 'test', path: '/id', value: 1 }))
      const headers = { 'content-type': 'application/json-patch+json' }
      return free.check({ as: 'ada', method: 'PATCH', path: '/employees/1', json: operations, headers }, { status })
    }
    await patch(100, 200)
    await patch(101, 400)
    const bomb = gzipSync(`"${'x'.repeat(4 * 1024 * 1024)}"`)
    const coded = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    await free.check({ ...post, headers: coded, body: bomb }, { status: 413, body: record(413, 'BODY_TOO_LARGE') })
    const xml = { 'content-type': 'application/soap+xml; charset=utf-8' }
    const message = { as: 'ada', method: 'POST', path: '/ws/customer', headers: xml, body: ' '.repeat(1024 * 1024 + 1) }
    await free.check(message, { status: 413 })
    const filters = ['name', 'department', 'city'].flatMap((name) => OPERATORS.map((one) => `${name}[${one}]=a`))
    await free.check({ as: 'ada', path: `/employees?${filters.slice(0, 20).join('&')}` }, { status: 200 })
    await free.check({ as: 'ada', path: `/employees?${filters.join('&')}` }, { status: 400 })
    const sorts = 'name,city,salary,department,managerId'
    await free.check({ as: 'ada', path: `/employees?sort=${sorts}` }, { status: 200 })
    await free.check({ as: 'ada', path: `/employees?sort=${sorts},id` }, { status: 400 })
    const large = { status: 431, body: record(431, 'HEADERS_TOO_LARGE') }
    await free.check({ as: 'ada', path: '/employees', headers: { 'x-long': 'x'.repeat(17_000) } }, large)
    await free.running.stop()
  })
})
