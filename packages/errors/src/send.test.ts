import { get } from 'node:http'
import { connect, constants, createServer } from 'node:http2'
import { type AddressInfo, connect as connectTcp } from 'node:net'
import { type ErrorsOptions, errors, httpError } from '@svc/errors'
import { describe, expect, test, vi } from 'vitest'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { check } from '../../internal/testing/check.ts'
import { fail, run, runHttp2, serve } from './testing/serve.ts'

test('a listener of the response that throws closes the connection, not the process', async () => {
  const answer = errors({ onError: () => {} })
  const running = await run((req: IncomingMessage, res: ServerResponse) => {
    res.setHeader = () => fail('canary')
    answer(httpError(404), req, res)
  })
  await expect(check(running.url, {}, {})).rejects.toThrow(/hang up|reset/)
})

test('closes the connection in stages if a rejected body exceeds what it reads (RFC 9112 §9.6)', async () => {
  const { url } = await serve(httpError(413))
  const { hostname, port } = new URL(url)
  const response = await new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = connectTcp(Number(port), hostname)
    socket.write(`POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ${64 * 1024 * 1024}\r\n\r\n`)
    socket.write(Buffer.alloc(4 * 1024 * 1024))
    socket.on('data', (chunk) => (text += chunk)).on('error', reject)
    socket.on('end', () => resolve(text))
  })
  expect(response).toMatch(/^HTTP\/1\.1 413 .*\r\nConnection: close\r\n/s)
})

test('sends several challenges as several headers (RFC 9110 §11.6.1)', async () => {
  const challenges = ['Bearer realm="svc"', 'Basic realm="svc", charset="UTF-8"']
  const { url } = await serve(httpError(401, undefined, { headers: { 'WWW-Authenticate': challenges } }))
  const raw = await new Promise<string[]>((resolve) => {
    get(url, (res) => resolve(res.resume().rawHeaders))
  })
  expect(raw.filter((_text, at) => raw[at - 1] === 'WWW-Authenticate')).toEqual(challenges)
})

describe('the challenge of a 401 (RFC 9110 §11.6.1)', () => {
  test('is that of the option if neither the error nor the response has one', async () => {
    const { url } = await serve(httpError(401), { challenge: 'Bearer realm="svc"' })
    await check(url, {}, { status: 401, headers: { 'www-authenticate': 'Bearer realm="svc"' } })
    const own = await serve(httpError(401, 'x', { headers: { 'www-authenticate': 'Basic' } }), { challenge: 'Bearer' })
    await check(own.url, {}, { status: 401, headers: { 'www-authenticate': 'Basic' } })
  })

  test('is kept if the app set it on the response', async () => {
    const answer = errors({ challenge: 'Bearer' })
    const { url } = await run((req, res) => {
      res.setHeader('WWW-Authenticate', 'Negotiate')
      answer(httpError(401), req, res)
    })
    await check(url, {}, { status: 401, headers: { 'www-authenticate': 'Negotiate' } })
  })

  test('is missing with one warning, which can be disabled', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    const { url } = await serve(httpError(401))
    await check(url, {}, { status: 401, headers: { 'www-authenticate': undefined } })
    await check(url, {}, { status: 401 })
    const quiet = await serve(httpError(401), { challenge: false })
    await check(quiet.url, {}, { status: 401, headers: { 'www-authenticate': undefined } })
    const other = await serve(httpError(403))
    await check(other.url, {}, { status: 403 })
    const { calls } = warn.mock
    warn.mockRestore()
    expect(calls).toEqual([
      [expect.stringContaining('option challenge'), { type: 'SvcWarning', code: 'WRN_ERRORS_CHALLENGE_MISSING' }],
    ])
  })
})

test('an error can set its Cache-Control', async () => {
  const { url } = await serve(httpError(410, undefined, { headers: { 'Cache-Control': 'max-age=60' } }))
  await check(url, {}, { status: 410, headers: { 'cache-control': 'max-age=60' } })
})

test('merges the Vary of an error with that of the response', async () => {
  const answer = errors({ onError: () => {} })
  const { url } = await run((req, res) => {
    res.setHeader('Vary', 'Origin')
    answer(httpError(406, undefined, { headers: { vary: 'Accept-Encoding, origin' } }), req, res)
  })
  await check(url, {}, { status: 406, headers: { vary: 'Origin, Accept, Accept-Encoding' } })
})

describe('HTTP/2', () => {
  async function ask(listener: (req: IncomingMessage, res: ServerResponse) => void): Promise<unknown[]> {
    const server = createServer((req, res) => listener(req as never, res as never))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    try {
      const stream = session.request({ ':path': '/a?b' })
      let status: unknown
      let text = ''
      stream.on('response', (headers) => {
        status = headers[':status']
      })
      stream
        .on('error', () => {})
        .on('data', (chunk) => {
          text += chunk
        })
      await new Promise((resolve) => stream.once('close', resolve))
      return [status, text, stream.rstCode]
    } finally {
      session.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
  const answer = errors({ onError: () => {} })

  test('gets the same response', async () => {
    const [status, text, reset] = await ask((req, res) => answer(httpError(413), req, res))
    expect([status, reset]).toEqual([413, constants.NGHTTP2_NO_ERROR])
    expect(JSON.parse(String(text))).toMatchObject({ error: 'Content Too Large', path: '/a' })
  })

  describe('has no headers of a connection (RFC 9113 §8.2.2)', () => {
    const connection = {
      'Keep-Alive': 'timeout=5',
      'Proxy-Connection': 'keep-alive',
      Upgrade: 'h2c',
      Connection: 'upgrade',
    }
    const headers = { ...connection, 'X-Plan': 'free' }
    const expected = {
      status: 426,
      headers: {
        'x-plan': 'free',
        'content-type': 'application/json; charset=utf-8',
        ...Object.fromEntries(Object.keys(connection).map((name) => [name.toLowerCase(), undefined])),
      },
      body: { status: 426 },
    }

    test.each<[string, ErrorsOptions, Record<string, string>, (res: ServerResponse) => void]>([
      ['of an error', {}, headers, () => {}],
      ['of an error after the app has set a header', {}, headers, (res) => res.setHeader('X-Plan', 'paid')],
      ['of the option headers', { headers }, {}, () => {}],
      ['of the app', {}, {}, (res) => Object.entries(headers).map(([name, value]) => res.setHeader(name, value))],
    ])('%s', async (_origin, options, errorHeaders, before) => {
      const handle = errors({ onError: () => {}, ...options })
      const { url } = await runHttp2((req, res) => {
        before(res)
        handle(httpError(426, undefined, { headers: errorHeaders }), req, res)
      })
      await check(url, {}, expected)
      const head = await check(url, { method: 'HEAD' }, { ...expected, body: '' })
      expect(Number(head.headers['content-length'])).toBeGreaterThan(0)
    })

    test('but HTTP/1.1 has them (RFC 9110 §15.5.22)', async () => {
      const { url } = await serve(httpError(426, undefined, { headers: { Upgrade: 'h2c', Connection: 'upgrade' } }))
      await check(url, {}, { status: 426, headers: { upgrade: 'h2c', connection: 'upgrade' } })
    })
  })

  test('gets its stream closed, not a second body', async () => {
    const half = await ask((req, res) => res.write('half', () => answer(httpError(413), req, res)))
    expect(half).toEqual([200, 'half', constants.NGHTTP2_INTERNAL_ERROR])
  })
})
