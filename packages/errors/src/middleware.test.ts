import { type ErrorsOptions, errors, httpError, type LogEntry, notFound, validationError } from '@svc/errors'
import { afterEach, describe, expect, test } from 'vitest'
import type { IncomingMessage, Middleware, ServerResponse } from '../../internal/middleware.ts'
import { check, send } from '../../internal/testing/check.ts'
import { hosts, listen, type RunningHost } from '../../internal/testing/hosts.ts'

const NOW = Date.UTC(2026, 10, 21, 7, 30)
const RECORD_OF_500 = {
  timestamp: '2026-11-21T07:30:00.000Z',
  status: 500,
  error: 'Internal Server Error',
  message: 'The server could not process the request.',
  code: 'INTERNAL_ERROR',
}

let running: RunningHost | undefined
afterEach(() => running?.close())

/** An app that passes `thrown` to errors() under /fail. `before` gets the response first. */
async function serve(
  host: string,
  thrown: unknown,
  options: ErrorsOptions = {},
  before: (req: IncomingMessage, res: ServerResponse) => void = () => {},
): Promise<{ url: string; entries: LogEntry[] }> {
  const entries: LogEntry[] = []
  const onError = errors({ now: () => NOW, onError: (entry) => void entries.push(entry), ...options })
  const failing: Middleware = (req, res, next) => {
    if (!req.url?.startsWith('/fail')) return next()
    before(req, res)
    // Hosts ignore a falsy error, so it comes from wrap(), like that of any handler.
    if (thrown) next(thrown)
    else onError(thrown, req, res, next)
  }
  const make = hosts[host]
  if (!make) throw new Error(`there is no host ${host}`)
  running = await listen(make({ middlewares: [failing, notFound()], onError }))
  return { url: running.url, entries }
}

const HOSTS = Object.keys(hosts)

describe.each(HOSTS)('errors() on %s', (host) => {
  test('responds with the record', async () => {
    const { url } = await serve(host, httpError(404, 'Employee 7 does not exist.', { code: 'EMPLOYEE_NOT_FOUND' }))
    const answer = await check(
      url,
      { path: '/fail/7?token=abc' },
      {
        status: 404,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          vary: 'Accept',
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
          'content-language': undefined,
        },
      },
    )
    expect(answer.text).toBe(
      '{"timestamp":"2026-11-21T07:30:00.000Z","status":404,"error":"Not Found",' +
        '"message":"Employee 7 does not exist.","path":"/fail/7","code":"EMPLOYEE_NOT_FOUND"}',
    )
  })

  test('responds with 404 after all other middleware', async () => {
    const { url } = await serve(host, undefined)
    await check(url, { path: '/nowhere?a=b' }, { status: 404, body: { code: 'ROUTE_NOT_FOUND', path: '/nowhere' } })
  })

  test.each([
    ['an error of the language', new Error('db 10.0.0.1 password x')],
    ['a text', 'text'],
    ['null', null],
    ['undefined', undefined],
    ['zero', 0],
    ['a symbol', Symbol('x')],
    ['a function', () => 'x'],
    ['an object without a prototype', Object.create(null)],
    ['an error with the status 200', Object.assign(new Error('x'), { status: 200 })],
    ['an error with the status 99', Object.assign(new Error('x'), { status: 99 })],
    ['an error with the status "abc"', Object.assign(new Error('x'), { status: 'abc' })],
    ['an error with a cyclic cause', cyclic()],
    ['an error with a getter that throws', withThrowingGetter()],
    ['a proxy that throws', new Proxy({}, { get: fail, has: fail, getPrototypeOf: fail, ownKeys: fail })],
  ])('responds to %s with 500 and a constant message', async (_name, thrown) => {
    const { url, entries } = await serve(host, thrown)
    const answer = await check(url, { path: '/fail' }, { status: 500 })
    expect(JSON.parse(answer.text)).toEqual({ ...RECORD_OF_500, path: '/fail' })
    expect(entries).toMatchObject([{ status: 500, severity: 'error', path: '/fail', method: 'GET' }])
    expect(entries[0]?.error).toBe(thrown)
  })

  test.each([
    [404, 404, 'NOT_FOUND'],
    [503, 503, 'SERVICE_UNAVAILABLE'],
    [201, 500, 'INTERNAL_ERROR'],
    [302, 500, 'INTERNAL_ERROR'],
    [600, 500, 'INTERNAL_ERROR'],
  ])('keeps the status of the response like Express: %i becomes %i', async (set, status, code) => {
    const { url } = await serve(host, new Error('db 10.0.0.1'), {}, (_req, res) => {
      res.statusCode = set
    })
    const answer = await check(url, { path: '/fail' }, { status, body: { status, code } })
    expect(answer.text).not.toContain('10.0.0.1')
  })

  test('prefers the status of an error to the status of the response', async () => {
    const { url } = await serve(host, httpError(409, 'Taken.'), {}, (_req, res) => {
      res.statusCode = 404
    })
    await check(url, { path: '/fail' }, { status: 409, body: { message: 'Taken.' } })
  })

  test.each([
    [new Error('No such product.'), 'warn'],
    [new TypeError('x is not a function'), 'error'],
  ])('logs %s under a status of 404 with the severity %s', async (thrown, severity) => {
    const { url, entries } = await serve(host, thrown, {}, (_req, res) => {
      res.statusCode = 404
    })
    await check(url, { path: '/fail' }, { status: 404 })
    expect(entries).toMatchObject([{ status: 404, severity, error: thrown }])
  })

  test('sends a message that is exposed', async () => {
    const shown = Object.assign(new Error('Employee 7 does not exist.'), { status: 404, expose: true })
    const { url } = await serve(host, shown)
    await check(url, { path: '/fail' }, { status: 404, body: { message: 'Employee 7 does not exist.' } })
  })

  test('hides a message that is not exposed', async () => {
    const { url } = await serve(host, Object.assign(new Error('pg pool'), { status: 503, expose: false }))
    const message = 'The service is temporarily unavailable.'
    await check(url, { path: '/fail' }, { status: 503, body: { message, code: 'SERVICE_UNAVAILABLE' } })
  })

  test('sends a message unchanged, in a type that no browser parses as HTML', async () => {
    const { url } = await serve(host, httpError(400, '<script>'))
    const headers = { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' }
    await check(url, { path: '/fail' }, { status: 400, headers, body: { message: '<script>' } })
  })

  test('sends HEAD the headers of GET and no body', async () => {
    const { url } = await serve(host, httpError(404, 'No.', { headers: { 'X-Mine': 'a' } }))
    const get = await send(url, { path: '/fail' })
    const head = await send(url, { path: '/fail', method: 'HEAD' })
    const { date: _get, ...expected } = get.headers
    expect([head.status, head.body.length]).toEqual([404, 0])
    expect(head.headers).toMatchObject(expected)
  })

  test('removes the headers of the failed content, and keeps those of the connection and the client', async () => {
    const failed = [
      'Content-Type',
      'ETag',
      'Last-Modified',
      'Content-Encoding',
      'Content-Disposition',
      'Set-Cookie',
      'Location',
    ]
    const kept = [
      'Access-Control-Allow-Origin',
      'X-Correlation-ID',
      'RateLimit',
      'Content-Security-Policy',
      'Deprecation',
    ]
    const { url } = await serve(host, httpError(409), {}, (_req, res) => {
      for (const name of [...failed, ...kept]) res.setHeader(name, 'before')
      res.setHeader('Cache-Control', 'max-age=60')
      res.setHeader('Vary', 'Origin')
      res.statusMessage = 'Fine'
    })
    const answer = await check(
      url,
      { path: '/fail' },
      {
        status: 409,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-store',
          vary: 'Origin, Accept',
        },
      },
    )
    for (const name of failed) expect(answer.headers[name.toLowerCase()]).not.toBe('before')
    for (const name of kept) expect(answer.headers[name.toLowerCase()]).toBe('before')
  })

  test('sends the headers of the error, each value of a list as a separate header', async () => {
    const challenges = ['Bearer realm="svc"', 'Basic realm="svc", charset="UTF-8"']
    const headers = {
      'WWW-Authenticate': challenges,
      'Content-Type': 'text/evil',
      'X-Split': 'a\r\nb: c',
      'Bad Name': 'x',
    }
    const { url } = await serve(host, httpError(401, undefined, { headers, retryAfter: 1.2 }))
    await check(
      url,
      { path: '/fail' },
      {
        status: 401,
        headers: {
          'www-authenticate': challenges.join(', '),
          'content-type': 'application/json; charset=utf-8',
          'retry-after': '2',
          'x-split': undefined,
          b: undefined,
        },
      },
    )
  })

  test('closes the connection if a part of the response has been sent', async () => {
    const { url, entries } = await serve(host, httpError(400), {}, (_req, res) => {
      res.write('{"half":')
    })
    await expect(send(url, { path: '/fail' })).rejects.toThrow(/aborted|hang up|reset/)
    expect(entries).toHaveLength(1)
  })

  test('does not change a complete response', async () => {
    const { url, entries } = await serve(host, new Error('after the end'), {}, (_req, res) => {
      res.setHeader('Content-Length', 2).end('ok')
    })
    await check(url, { path: '/fail' }, { status: 200, body: 'ok' })
    expect(entries).toHaveLength(1)
  })

  test.each([
    ['application/problem+json', 'application/problem+json; charset=utf-8', /^\{"type":"about:blank"/],
    ['application/problem+xml', 'application/problem+xml; charset=utf-8', /<problem xmlns="urn:ietf:rfc:7807"><type>/],
    ['application/xml', 'application/xml; charset=utf-8', /<Error><timestamp>2026-11-21T07:30:00.000Z<\/timestamp>/],
    ['text/plain', 'text/plain; charset=utf-8', /^400 Bad Request\n\nThe request has values/],
    ['text/html', 'application/json; charset=utf-8', /^\{"timestamp"/],
    ['image/png', 'application/json; charset=utf-8', /^\{"timestamp"/],
  ])('responds to Accept %s with %s', async (accept, type, body) => {
    const { url } = await serve(host, validationError([{ path: ['a'], message: 'bad' }]))
    await check(
      url,
      { path: '/fail', headers: { accept } },
      {
        status: 400,
        headers: { 'content-type': type, vary: 'Accept' },
        body,
      },
    )
  })
})

function fail(): never {
  throw new Error('canary')
}

function cyclic(): Error {
  const error = new Error('x')
  error.cause = error
  return error
}

function withThrowingGetter(): Error {
  return Object.defineProperty(new Error('x'), 'status', { get: fail, enumerable: true })
}
