import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { exchange, splitResponses } from './raw.ts'
import { basic, record, serviceFor } from './service.ts'

const service = serviceFor(() => ({ SVC_RATE_LIMIT: '600/1m', SVC_RATE_LIMIT_ANONYMOUS: '600/1m' }))

const DOCUMENT_HEADERS = [
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-permitted-cross-domain-policies',
]
const PREFLIGHT = { origin: 'https://app.example', 'access-control-request-method': 'GET' }

test('4.3-security the headers of JSON take at most 900 bytes, with rate limits on', async () => {
  const headers = `Host: localhost\r\nAuthorization: ${basic('ada')}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n`
  const bytes = await exchange(service.url, `GET /employees/1 HTTP/1.1\r\n${headers}\r\n`)
  const [response] = splitResponses(bytes)
  const { status, head = '' } = response ?? {}
  expect(status).toBe(200)
  expect(Buffer.byteLength(`${head}\r\n\r\n`)).toBeLessThanOrEqual(900)
  for (const name of [
    'Content-Type',
    'Content-Length',
    'Cache-Control',
    'ETag',
    'Last-Modified',
    'Vary',
    'Date',
    'Cache-Groups',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-Correlation-ID',
    'API-Version',
    'RateLimit',
    'RateLimit-Policy',
    'X-Frame-Options',
    'X-Content-Type-Options',
    'Content-Security-Policy',
    'Referrer-Policy',
    'Access-Control-Allow-Origin',
    'Access-Control-Expose-Headers',
    'Cross-Origin-Resource-Policy',
  ])
    expect(head).toMatch(new RegExp(`\\r\\n${name}: .`, 'i'))
})

describe('headers that only documents need', () => {
  test.each([
    [200, '/', 'text/html'],
    [200, '/employees', 'text/html'],
    [404, '/nothing', 'text/html'],
    [200, '/ws/customer', 'text/html'],
    [200, '/play', 'text/html'],
  ])('are on pages: %i %s', async (status, path, accept) => {
    const response = await service.check({ as: 'ada', path, headers: { accept } }, { status })
    expect(response.headers['content-type']).toMatch(/^text\/html/)
    for (const name of DOCUMENT_HEADERS) expect(response.headers[name], name).toBeDefined()
    expect(response.headers['content-security-policy']).toMatch(/script-src 'self'/)
  })

  test.each([
    [200, '/employees/1', 'application/json'],
    [200, '/employees', 'text/csv'],
    [404, '/nothing', 'application/problem+json'],
    [200, '/ws/customer?wsdl', '*/*'],
    [301, '/employees/', '*/*'],
  ])('are on nothing else: %i %s', async (status, path, accept) => {
    const response = await service.check({ as: 'ada', path, headers: { accept } }, { status })
    for (const name of DOCUMENT_HEADERS) expect(response.headers[name], name).toBeUndefined()
    expect(response.headers['access-control-expose-headers']).toBe('*')
  })
})

describe('preflights', () => {
  const preflight = (path: string, status: number, method = 'GET') =>
    service.check(
      { method: 'OPTIONS', path, headers: { ...PREFLIGHT, 'access-control-request-method': method } },
      { status, headers: { 'access-control-allow-origin': '*' } },
    )

  test('4.3-cors an unknown path is 404 and allows no method', async () => {
    for (const path of ['/nothing', '/v1/nothing', '/v1/ws/customer']) {
      const { headers, text } = await preflight(path, 404)
      expect(headers['access-control-allow-methods']).toBeUndefined()
      expect(JSON.parse(text)).toMatchObject(record(404, 'ROUTE_NOT_FOUND', path))
    }
    expect((await preflight('/ws/customer', 204)).headers['access-control-allow-methods']).toBe('GET,HEAD,POST')
    expect((await preflight('/v2/cart', 204)).headers['access-control-allow-methods']).toMatch(/\bPATCH\b/)
  })

  test('4.3-cors a browser app can read 503 and its Retry-After in maintenance and in overload, and health', async () => {
    const { state } = service.running
    const inFlight = Array.from({ length: 1001 }, () => ({}) as ServerResponse)
    const modes: [() => void, () => void, RegExp][] = [
      [() => (state.maintenance = true), () => (state.maintenance = false), /^60$/],
      [
        () => state.inFlight.push(...inFlight),
        () => state.inFlight.splice(state.inFlight.indexOf(inFlight[0] as ServerResponse), inFlight.length),
        /^1$/,
      ],
      [() => (state.draining = true), () => (state.draining = false), /^5$/],
    ]
    for (const [begin, end, retryAfter] of modes) {
      begin()
      await preflight('/employees', 204)
      const headers = { origin: PREFLIGHT.origin, authorization: basic('ada') }
      await service.check(
        { path: '/employees', headers },
        {
          status: 503,
          headers: {
            'access-control-allow-origin': '*',
            'access-control-expose-headers': '*',
            'retry-after': retryAfter,
          },
          body: record(503, 'SERVICE_UNAVAILABLE', '/employees'),
        },
      )
      for (const path of ['/health/live', '/v1/health/live', '/v2/health/live'])
        await service.check({ path }, { status: 200, body: { status: 'pass' } })
      await service.check({ as: 'ada', path: '/v1/employees' }, { status: 503 })
      end()
    }
  })
})

describe('vendor types', () => {
  test.each(['html', 'csv', 'plain', 'json', 'xml'])('4.3-accept-encoding are compressed: +%s', async (suffix) => {
    const headers = { accept: `application/vnd.svc.v1+${suffix}`, 'accept-encoding': 'gzip' }
    const coded = await service.check({ as: 'ada', path: '/employees?size=100', headers }, { status: 200 })
    expect(coded.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: expect.stringContaining('Accept-Encoding'),
    })
  })

  const list = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
    const wanted = { accept: 'image/webp', ...headers }
    const { text } = await service.check({ as: 'ada', path, headers: wanted }, { status: 406 })
    return JSON.parse(text).message
  }

  test('7-406 the list names the types of every version that the path accepts', async () => {
    for (const type of ['application/vnd.svc.v1+json', 'application/vnd.svc.v2+json', 'application/vnd.svc.v2+csv'])
      expect(await list('/employees/1')).toContain(type)
    for (const [path, headers] of [
      ['/v2/employees/1', {}],
      ['/employees/1', { 'api-version': '2' }],
    ] as const) {
      expect(await list(path, headers)).toContain('application/vnd.svc.v2+json')
      expect(await list(path, headers)).not.toContain('vnd.svc.v1')
    }
  })

  test('7-415 the list names the types of every version, and each is accepted', async () => {
    const call = { as: 'ada', method: 'POST', path: '/employees', body: '{}' }
    const rejected = await service.check({ ...call, headers: { 'content-type': 'text/plain' } }, { status: 415 })
    const types = (rejected.headers['accept-post'] ?? '').split(', ')
    expect(types).toEqual(expect.arrayContaining(['application/vnd.svc.v1+json', 'application/vnd.svc.v2+json']))
    for (const type of types.filter((each) => each.endsWith('json')))
      await service.check(
        { ...call, headers: { 'content-type': type } },
        { status: 400, body: record(400, 'VALIDATION_FAILED') },
      )
  })
})

test('7-5 a fault for another host and the response have the same status', async () => {
  const headers = { host: 'evil.example', 'content-type': 'application/soap+xml; charset=utf-8' }
  const { text } = await service.check({ method: 'POST', path: '/ws/customer', headers, body: '<a/>' }, { status: 421 })
  expect(text).toMatch(/<t:status>421<\/t:status><t:error>Misdirected Request<\/t:error>/)
})

test('7-404 a SOAP address has no version in its path', async () => {
  const expected = { status: 404, body: record(404, 'ROUTE_NOT_FOUND', '/v1/ws/customer') }
  await service.check({ path: '/v1/ws/customer?wsdl' }, expected)
})
