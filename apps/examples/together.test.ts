import { Agent, get, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { check, send } from '../../packages/internal/testing/check.ts'
import { listen, type RunningHost } from '../../packages/internal/testing/hosts.ts'
import { everything, hosts, LARGE } from './everything.ts'

let running: RunningHost | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
})

async function start(host: string) {
  const { parts, ...rest } = everything()
  running = await listen((hosts[host] as (typeof hosts)[string])(parts))
  return { url: running.url, server: running.server, ...rest }
}

/** What comes back for bytes, until the server closes or falls silent. */
function exchange(url: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text))
    socket.setTimeout(400, () => socket.destroy())
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', () => {}).on('close', () => resolve(answer))
  })
}

const post = (path: string, headers: Record<string, string> = {}, body: unknown = { salary: 5 }) => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

describe.each(Object.keys(hosts))('everything in one app of %s', (host) => {
  test('sends an old version compressed, with one Vary, and 304 for its ETag', async () => {
    const { url } = await start(host)
    const path = '/v1/employees/7'
    const headers = { 'accept-encoding': 'identity;q=0, gzip' }
    const found = await check(
      url,
      { path, headers },
      {
        status: 200,
        headers: {
          'content-encoding': 'gzip',
          etag: '"1.v1.gzip"',
          vary: 'Origin, Accept, Accept-Encoding',
          'api-version': '1',
          deprecation: '@1767225600',
        },
      },
    )
    expect(JSON.parse(gunzipSync(found.body).toString())).toEqual({
      id: 7,
      salary: 100,
      _links: { self: { href: '/v1/employees/7' }, all: { href: '/v1/employees' } },
    })
    const known = { ...headers, 'if-none-match': '"1.v1.gzip"' }
    await check(
      url,
      { path, headers: known },
      { status: 304, headers: { etag: '"1.v1.gzip"', vary: /Accept-Encoding/ } },
    )
    await check(url, { path: '/v2/employees/7', headers: known }, { status: 200, headers: { etag: '"1.gzip"' } })
    await check(url, { path, headers: { ...headers, 'if-none-match': '"1.gzip"' } }, { status: 200 })
  })

  test('accepts a change with the ETag of another version and encoding, once', async () => {
    const { url } = await start(host)
    const change = { ...post('/v1/employees/7', { 'if-match': '"1.v1.gzip"' }), method: 'PUT' }
    await check(url, change, { status: 200, headers: { etag: '"2.v1"' }, body: { salary: 5 } })
    await check(url, change, { status: 412, headers: { etag: undefined, vary: /Origin/ } })
    await check(url, { path: '/v2/employees/7' }, { body: { salary: { amount: '5', currency: 'EUR' } } })
  })

  test('replays a response in the version and encoding that the retry prefers, with every header once', async () => {
    const { url, hired } = await start(host)
    const key = { 'idempotency-key': 'a-key-of-one-hiring' }
    const first = await check(url, post('/v1/employees', key), {
      status: 201,
      headers: { location: '/v1/employees/1' },
      body: { id: 1, salary: 5 },
    })
    const again = await send(url, post('/v1/employees', { ...key, 'accept-encoding': 'identity;q=0, gzip' }))
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
    expect(gunzipSync(again.body).toString()).toBe(first.text)
    for (const name of ['link', 'api-version', 'deprecation', 'location'])
      expect([name, again.headers[name]]).toEqual([name, first.headers[name]])
    await check(url, post('/v2/employees', key), { status: 422 })
    expect(hired()).toBe(1)
  })

  test('returns all errors in the same format', async () => {
    const { url } = await start(host)
    const rows: [string, Record<string, string>, number][] = [
      ['/v9/employees', {}, 404],
      ['/v1/employees', { 'api-version': '2' }, 400],
      ['/employees', { accept: 'application/vnd.acme.v9+json' }, 406],
      ['/nowhere', {}, 404],
      ['/broken', {}, 500],
      ['/nowhere', { 'accept-encoding': '*;q=0' }, 406],
    ]
    for (const [path, headers, status] of rows) {
      const answer = await check(url, { path, headers }, { status, body: { status, path } })
      expect(answer.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', vary: /^Origin/ })
      expect(answer.text).not.toContain('secret')
      const head = await send(url, { method: 'HEAD', path, headers })
      expect([head.status, head.body.length]).toEqual([status, 0])
    }
    await check(url, { ...post('/v1/employees'), body: '{' }, { status: 400, body: { code: 'MALFORMED_BODY' } })
    await check(url, post('/v1/employees', {}, { salary: null, x: 1 }), { status: 201 })
  })

  test('sends a large response completely, even if the handler fails after it', async () => {
    const { url, logged } = await start(host)
    const answer = await send(url, { path: '/large', headers: { 'accept-encoding': 'gzip' } })
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, 'gzip'])
    expect(gunzipSync(answer.body).toString()).toBe(LARGE)
    expect(logged).toEqual(['after the response'])
  })

  test.each(['gzip', 'identity'])('cuts an answer in %s that fails in the middle', async (coding) => {
    const { url, logged } = await start(host)
    await expect(send(url, { path: '/half', headers: { 'accept-encoding': coding } })).rejects.toThrow()
    expect(logged).toEqual(['in the middle'])
    await check(url, { path: '/stream' }, { status: 200, body: 'one two three' })
  })

  test('sends events immediately, and detects that the client disconnected', async () => {
    const { url, logged } = await start(host)
    const events = await new Promise<IncomingMessage>((resolve) =>
      get(`${url}/events`, { headers: { 'accept-encoding': 'gzip' } }, resolve),
    )
    expect(events.headers['content-encoding']).toBe('gzip')
    await new Promise((resolve) => events.once('data', resolve))
    events.destroy()
    await expect.poll(() => logged).toEqual(['gone'])
  })

  test('separates the responses of one connection: pipelined, rejected with an unread body, HTTP/1.0', async () => {
    const { url } = await start(host)
    const large = 'x'.repeat(200_000)
    const pipelined = await exchange(
      url,
      [
        'GET /large HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n',
        `POST /v9/employees HTTP/1.1\r\nHost: x\r\nContent-Length: ${large.length}\r\n\r\n${large}`,
        'HEAD /v1/employees/7 HTTP/1.1\r\nHost: x\r\n\r\n',
        'GET /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      ].join(''),
    )
    expect(pipelined.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['200', '404', '200', '200'].map((code) => `HTTP/1.1 ${code}`))
    expect(pipelined).toMatch(/three\r\n0\r\n\r\n$/)
    const old = await exchange(url, 'GET /stream HTTP/1.0\r\nAccept-Encoding: gzip;q=0\r\n\r\n')
    expect(old).toMatch(/200 OK[^]*\r\n\r\none two three$/)
    const expecting = await exchange(
      url,
      'POST /v9/x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n',
    )
    expect(expecting.match(/HTTP\/1\.1 \d{3}/g)?.at(-1)).toBe('HTTP/1.1 404')
  })

  test('leaves no listeners on a connection that is reused', async () => {
    const { url, server } = await start(host)
    const counts = new Set<number>()
    server.on('request', (req: IncomingMessage) => {
      counts.add(req.socket.eventNames().reduce((sum, name) => sum + req.socket.listenerCount(name), 0))
    })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const headers = { 'accept-encoding': 'gzip' }
    for (let round = 0; round < 3; round++)
      for (const path of ['/v1/employees/7', '/large', '/nowhere', '/stream'])
        await new Promise<void>((resolve, reject) => {
          const onAnswer = (res: IncomingMessage): void => void res.resume().once('end', resolve)
          get(url + path, { agent, headers }, onAnswer).once('error', reject)
        })
    agent.destroy()
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
  })

  test('survives a client that disconnects while its body is read', async () => {
    const { url, server, hired, logged } = await start(host)
    const arrived = new Promise((resolve) => server.once('request', resolve))
    const cut = request(`${url}/v1/employees`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '100', 'idempotency-key': 'cut-in-the-middle' },
    })
    cut.on('error', () => {}).write('{"salary":')
    await arrived
    cut.destroy()
    await expect.poll(() => logged.length).toBe(1)
    expect(hired()).toBe(0)
    await check(url, post('/v1/employees', { 'idempotency-key': 'cut-in-the-middle' }), { status: 201 })
  })
})
