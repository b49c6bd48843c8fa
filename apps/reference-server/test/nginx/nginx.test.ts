import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Agent, request } from 'node:https'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../../../../packages/internal/testing/check.ts'
import { basic, type Call, record, type Service, send, startService, toLiteral } from '../service.ts'
import { hasNginx, type Nginx, startNginx } from './start-nginx.ts'

const grace = { name: 'Grace Hopper', department: 'Engineering', salary: 5000 }
const ORIGIN = 'https://service.example'
const ENV = { SVC_TRUST_PROXY: '127.0.0.1', SVC_PUBLIC_URL: ORIGIN, SVC_RATE_LIMIT_ANONYMOUS: '30/1h' }

describe.skipIf(!hasNginx())('behind nginx (needs nginx)', () => {
  let service: Service
  let nginx: Nginx
  beforeAll(async () => {
    service = await startService(ENV)
    nginx = await startNginx(service.url)
  })
  afterAll(async () => {
    await nginx.stop()
    await service.running.stop()
  })

  const through = (call: Call, options: object = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { method = 'GET', path = '/', headers, body } = toLiteral(call)
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const fields = { ...length, ...headers }
      const req = request(nginx.url + path, {
        method,
        headers: fields,
        rejectUnauthorized: false,
        agent: false,
        ...options,
      })
      req.on('error', reject).on('response', (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
        res.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const answered = Object.entries(res.headers).map(([name, value]) => [name, String(value)])
          resolve({
            status: res.statusCode ?? 0,
            headers: Object.fromEntries(answered),
            body: bytes,
            text: bytes.toString(),
          })
        })
      })
      req.end(body)
    })

  const as = 'ada'
  const json = (salary: number) => ({ ...grace, salary })
  const alike: [string, Call][] = [
    ['an item', { as, path: '/employees/1' }],
    ['a page', { as, path: '/employees?page=1&size=5&sort=-salary&department=R%26D' }],
    ['XML', { as, path: '/employees/1', headers: { accept: 'application/xml' } }],
    ['text', { as, path: '/employees/1', headers: { accept: 'text/plain' } }],
    ['gzip', { as, path: '/employees', headers: { 'accept-encoding': 'gzip' } }],
    ['br', { as, path: '/employees', headers: { 'accept-encoding': 'br' } }],
    ['HEAD', { as, method: 'HEAD', path: '/employees' }],
    ['OPTIONS', { method: 'OPTIONS', path: '/employees/1' }],
    ['QUERY', { as, method: 'QUERY', path: '/employees', json: { filter: { department: 'Sales' } } }],
    [
      'a preflight',
      {
        method: 'OPTIONS',
        path: '/employees',
        headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
      },
    ],
    ['301', { as, path: '/employees/?size=1' }],
    ['400', { as, path: '/employees?page=-1' }],
    ['bytes that are no text', { as, path: '/employees/%E0%A4' }],
    ['an encoded slash', { as, path: '/employees/1%2F2' }],
    ['401', { path: '/employees' }],
    ['403', { as: 'sam', path: '/employees' }],
    ['404', { as, path: '/employees/99999' }],
    ['405', { as, method: 'DELETE', path: '/employees' }],
    ['406', { as, path: '/employees/1', headers: { accept: 'image/webp' } }],
    ['409', { as, method: 'POST', path: '/departments', json: { name: 'Sales' } }],
    ['412', { as, method: 'PATCH', path: '/employees/1', headers: { 'if-match': '"old"' }, json: { salary: 1 } }],
    ['414', { as, path: `/employees?name=${'x'.repeat(9000)}` }],
    ['415', { as, method: 'POST', path: '/employees', body: 'x', headers: { 'content-type': 'text/plain' } }],
    ['422', { as, method: 'POST', path: '/employees', json: json(-1) }],
    ['431', { as, path: '/employees', headers: { 'x-long': 'x'.repeat(17_000) } }],
  ]
  // nginx says its own about the connection, and anonymous requests are counted.
  const OWN = [
    'ratelimit',
    'date',
    'connection',
    'keep-alive',
    'server',
    'transfer-encoding',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
  ]

  test.each(alike)('%s is answered as without it', async (_title, call) => {
    const traced = { ...call, headers: { 'x-correlation-id': 'nginx-1', ...call.headers } }
    const alone = await send(service.url, toLiteral(traced))
    const proxied = await through(traced)
    expect(proxied.status, proxied.text.slice(0, 200)).toBe(alone.status)
    const fields = ({ headers }: Answer) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.includes(name)))
    expect(fields(proxied)).toEqual(fields(alone))
    const body = ({ text }: Answer) => text.replace(/"timestamp":"[^"]+"/, '"timestamp":""')
    expect(body(proxied)).toBe(body(alone))
  })

  test('1-3 clients create, replay, revalidate and change through an intermediary as without one', async () => {
    const post: Call = { as, method: 'POST', path: '/employees', json: grace, headers: { 'idempotency-key': 'nginx' } }
    const created = await through(post)
    expect(created).toMatchObject({
      status: 201,
      headers: { location: expect.stringContaining(`${ORIGIN}/employees/`) },
    })
    expect(await send(service.url, toLiteral(post))).toMatchObject({
      status: 201,
      headers: { 'idempotent-replayed': 'true' },
    })
    const path = new URL(created.headers['location'] ?? '').pathname
    const read = await through({ as, path, headers: { 'accept-encoding': 'gzip' } })
    const tag = read.headers['etag'] ?? ''
    const again = await through({ as, path, headers: { 'if-none-match': tag } })
    expect(again).toMatchObject({ status: 304, text: '', headers: { etag: tag } })
    const change = { as, method: 'PATCH', path, json: { salary: 1 }, headers: { 'if-match': tag } }
    expect((await through(change)).status).toBe(200)
    expect((await through(change)).status).toBe(412)
    expect(await through({ as, method: 'DELETE', path })).toMatchObject({ status: 204, text: '' })
  })

  test('a compressed answer goes through as it was made', async () => {
    const coded = await through({ as, path: '/employees', headers: { 'accept-encoding': 'gzip' } })
    const plain = await through({ as, path: '/employees' })
    expect(coded.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(coded.body).toString()).toBe(plain.text)
    expect(coded.headers['etag']).not.toMatch(/^W\//)
  })

  test('bodies that are refused early are answered by the service, and never by 502', async () => {
    const large = { as, method: 'POST', path: '/employees', json: { name: 'x'.repeat(3_000_000) } }
    const refused = { ...large, as: 'sam', json: { name: 'x'.repeat(900_000) } }
    for (let round = 0; round < 30; round++) {
      const answers = await Promise.all([through(large), through(refused)])
      expect(
        answers.map(({ status }) => status),
        nginx.errors(),
      ).toEqual([413, 403])
      expect(JSON.parse(answers[0].text)).toMatchObject(record(413, 'BODY_TOO_LARGE', '/employees'))
      expect(JSON.parse(answers[1].text)).toMatchObject(record(403, 'INSUFFICIENT_SCOPE', '/employees'))
    }
  })

  test('connections to the service are kept', async () => {
    const opened: unknown[] = []
    const count = (message: unknown): void => void opened.push(message)
    subscribe('net.server.socket', count)
    const agent = new Agent({ keepAlive: true, maxSockets: 2 })
    await Promise.all(Array.from({ length: 40 }, () => through({ as, path: '/employees/1' }, { agent })))
    agent.destroy()
    unsubscribe('net.server.socket', count)
    expect(opened.length).toBeLessThanOrEqual(4)
  })

  test('clients are told apart by their own address, whatever they claim', async () => {
    const from = async (localAddress: string, at: number): Promise<number> =>
      (await through({ path: '/products/1', headers: { 'x-forwarded-for': `10.0.0.${at}` } }, { localAddress })).status
    const statuses: number[] = []
    for (let at = 0; at < 31; at++) statuses.push(await from('127.0.0.2', at))
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    expect(statuses.at(-1)).toBe(429)
    expect(await from('127.0.0.3', 1)).toBe(200)
  })

  test('plain HTTP is sent to HTTPS', async () => {
    for (const [method, expected] of [
      ['GET', 301],
      ['HEAD', 301],
      ['POST', 308],
      ['DELETE', 308],
    ] as const) {
      const call = { method, path: '/employees?size=1', headers: { host: 'evil.example' } }
      const { status, headers } = await send(nginx.plainUrl, call)
      expect([status, headers['location']]).toEqual([expected, 'https://localhost/employees?size=1'])
    }
  })

  test('another name than that of the service is refused', async () => {
    expect((await through({ path: '/health', headers: { host: 'evil.example' } })).status).toBe(421)
  })

  test('a proxy that is not trusted is not believed', async () => {
    const other = await startService({ ...ENV, SVC_TRUST_PROXY: '10.9.9.9' })
    const headers = { authorization: basic('ada'), 'x-forwarded-proto': 'http', 'x-forwarded-for': '1.2.3.4' }
    expect((await send(other.url, { path: '/employees/1', headers })).status).toBe(200)
    expect((await send(service.url, { path: '/employees/1', headers })).status).toBe(301)
    await other.running.stop()
  })
})
