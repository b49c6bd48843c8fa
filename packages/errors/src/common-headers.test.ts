import { get } from 'node:http'
import { connect as connectHttp2, constants, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { type ErrorsOptions, errors, httpError, type LogEntry } from '@svc/errors'
import { errors as fetchErrors } from '@svc/errors/fetch'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { describe, expect, test, vi } from 'vitest'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { check } from '../../internal/testing/check.ts'
import { listen } from '../../internal/testing/hosts.ts'
import { fail, run, serve } from './testing/serve.ts'

type Headers = NonNullable<ErrorsOptions['headers']>

const SECURITY = { 'Content-Security-Policy': "default-src 'none'", 'Access-Control-Allow-Origin': '*' }
const SENT = { 'content-security-policy': "default-src 'none'", 'access-control-allow-origin': '*' }

describe('the option headers', () => {
  test.each<[string, Headers]>([
    ['an object', SECURITY],
    ['a frozen object', Object.freeze({ ...SECURITY })],
    ['a function', () => SECURITY],
    ['a function that returns several', () => [{ 'content-security-policy': 'x' }, {}, SECURITY]],
  ])('is sent with every error: %s', async (_name, headers) => {
    const { url } = await serve(httpError(404), { headers })
    const own = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', vary: 'Accept' }
    for (const method of ['GET', 'HEAD']) await check(url, { method }, { status: 404, headers: { ...SENT, ...own } })
    const problem = { headers: { accept: 'application/problem+xml' } }
    await check(url, problem, { headers: { ...SENT, 'content-type': 'application/problem+xml; charset=utf-8' } })
  })

  test('is called for each request, after the handler', async () => {
    const headers: Headers = (req) => ({ 'X-Correlation-ID': `of ${req.url}` })
    const { url } = await serve(httpError(404), { headers })
    await check(url, { path: '/a' }, { headers: { 'x-correlation-id': 'of /a' } })
    await check(url, { path: '/b' }, { headers: { 'x-correlation-id': 'of /b' } })
  })

  test('gets the current values of an object that is not frozen', async () => {
    const shared: Record<string, string> = {}
    const headers: Headers = (req) => Object.assign(shared, { 'X-Path': String(req.url) })
    const { url } = await serve(httpError(404), { headers })
    for (const path of ['/a', '/b']) await check(url, { path }, { headers: { 'x-path': path } })
  })

  test.each<[string, Headers]>([
    ['an object', { 'cache-control': 'max-age=9', vary: 'Origin', 'x-a': 'common', 'x-b': 'common' }],
    [
      'several',
      () => [
        { vary: 'Origin', 'x-b': 'first' },
        { 'cache-control': 'max-age=9', 'x-b': 'common' },
      ],
    ],
  ])('is overridden by the headers of the error, and Vary is merged: %s', async (_name, headers) => {
    const error = httpError(406, undefined, { headers: { 'X-A': 'error', Vary: 'Accept-Encoding, origin' } })
    const { url } = await serve(error, { headers })
    const expected = { 'x-a': 'error', 'x-b': 'common', vary: 'Origin, Accept, Accept-Encoding' }
    await check(url, {}, { status: 406, headers: { ...expected, 'cache-control': 'max-age=9' } })
  })

  test('joins frozen parts that recur, and keeps what an error adds out of the next one', async () => {
    const common = Object.freeze({ 'X-Part': 'common', Vary: 'Origin' })
    const versions = ['1', '2'].map((version) => Object.freeze({ 'API-Version': version, Vary: 'API-Version' }))
    const headers: Headers = (req) => [common, versions[Number(req.url === '/2')] ?? {}, { 'X-Path': String(req.url) }]
    const { url } = await serve(httpError(404, undefined, { headers: { 'X-Part': 'error' } }), { headers })
    const plain = await serve(httpError(404), { headers })
    for (const path of ['/1', '/1', '/2', '/1']) {
      const sent = { 'api-version': path.slice(1), 'x-path': path, vary: 'Origin, API-Version, Accept' }
      await check(url, { path }, { headers: { ...sent, 'x-part': 'error' } })
      await check(plain.url, { path }, { headers: { ...sent, 'x-part': 'common' } })
    }
  })

  test('sends several values of a header as several headers', async () => {
    const { url } = await serve(httpError(404), { headers: { 'Reporting-Endpoints': ['a="/a"', 'b="/b"'] } })
    const raw = await new Promise<string[]>((resolve) => {
      get(url, (res) => resolve(res.resume().rawHeaders))
    })
    expect(raw.filter((_text, index) => raw[index - 1] === 'Reporting-Endpoints')).toEqual(['a="/a"', 'b="/b"'])
  })

  test('cannot set headers about the body, or split the response', async () => {
    const bad = { 'Content-Type': 'text/evil', ETag: '"a"', 'X-Split': 'a\r\nb: c', 'Bad Name': 'x', 'X-Good': 'y' }
    const { url } = await serve(httpError(404), { headers: () => bad })
    const type = 'application/json; charset=utf-8'
    const headers = { 'content-type': type, etag: undefined, 'x-split': undefined, b: undefined, 'x-good': 'y' }
    await check(url, {}, { status: 404, headers })
  })

  test.each<[string, () => never]>([
    ['throws', () => fail('canary')],
    ['returns nothing', () => undefined as never],
  ])('is logged and skipped if it %s', async (_name, headers) => {
    const { url, entries } = await serve(httpError(404), { headers })
    await check(url, {}, { status: 404, headers: { 'cache-control': 'no-store' } })
    expect(entries).toMatchObject([{ status: 404 }, { status: 500, severity: 'error' }])
  })

  test.each<[unknown, string]>([
    ['x', 'errors: headers must be an object or a function, got "x"'],
    [[], 'errors: headers must be an object or a function, got an array'],
    [null, 'errors: headers must be an object or a function, got null'],
    [{ 'Content-Type': 'a' }, 'errors: headers must not contain "Content-Type" with the value "a"'],
    [{ 'X-A': 1 }, 'errors: headers must not contain "X-A" with the value 1'],
    [{ 'X-A': 'a\nb' }, 'errors: headers must not contain "X-A" with the value "a\\nb"'],
  ])('rejects %j', (headers, message) => {
    expect(() => errors({ headers } as ErrorsOptions)).toThrow(new TypeError(message))
  })

  test('is sent on Fetch hosts', async () => {
    const handle = fetchErrors({ headers: () => [SECURITY, { vary: 'Origin', 'X-List': ['a', 'b'] }] })
    const response = await handle(new Request('https://api.example/'), () => fail('canary'))
    expect(Object.fromEntries(response.headers)).toMatchObject({ ...SENT, vary: 'Origin, Accept', 'x-list': 'a, b' })
  })
})

describe('a response that already has headers', () => {
  const options = { headers: { ...SECURITY, 'X-Own': 'common', vary: 'Origin' }, onError: () => {} }
  const answer = errors(options)

  test('keeps them, and gets the others', async () => {
    const { url } = await run((req, res) => {
      res.setHeader('X-Own', 'own')
      res.setHeader('ETag', '"a"')
      res.setHeader('Vary', 'Prefer')
      answer(httpError(409), req, res)
    })
    const headers = { ...SENT, 'x-own': 'own', etag: undefined, vary: 'Prefer, Origin, Accept' }
    await check(url, {}, { status: 409, headers })
  })

  test('has no headers of a CDN about the failed content (RFC 9213)', async () => {
    const names = ['CDN-Cache-Control', 'Vercel-CDN-Cache-Control', 'Surrogate-Control']
    const { url } = await run((req, res) => {
      for (const name of names) res.setHeader(name, 'max-age=3600')
      answer(httpError(409), req, res)
    })
    const absent = Object.fromEntries(names.map((name) => [name.toLowerCase(), undefined]))
    await check(url, {}, { status: 409, headers: { ...absent, 'cache-control': 'no-store' } })
  })

  test('keeps X-Powered-By of Express', async () => {
    const failing: RequestHandler = (_req, _res, next) => next(httpError(409))
    const app = express().use(failing, errors(options) as ErrorRequestHandler)
    const running = await listen(app)
    try {
      await check(running.url, {}, { status: 409, headers: { ...SENT, 'x-powered-by': 'Express', 'x-own': 'common' } })
    } finally {
      await running.close()
    }
  })
})

test.each([true, false])(
  'the language of render overrides that of the error if other headers are set: %s',
  async (hasHeader) => {
    const response = {
      contentType: 'text/plain',
      body: 'x',
      headers: { 'Content-Language': 'fr', 'X-Content-Type-Options': 'x' },
    }
    const answer = errors({ localize: () => 'Nein.', languages: ['de'], render: () => response, onError: () => {} })
    const { url } = await run((req, res) => {
      if (hasHeader) res.setHeader('X-Own', 'own')
      answer(httpError(409), req, res)
    })
    await check(url, {}, { headers: { 'content-language': 'fr', 'x-content-type-options': 'x' } })
  },
)

describe('a response without headers', () => {
  const answer = errors({ headers: SECURITY, onError: () => {} })

  test('gets all of them in one call of writeHead()', async () => {
    const prototype = await import('node:http').then(({ ServerResponse }) => ServerResponse.prototype)
    const setHeader = vi.spyOn(prototype, 'setHeader')
    const removeHeader = vi.spyOn(prototype, 'removeHeader')
    const { url } = await run((req, res) => answer(httpError(429, undefined, { retryAfter: 3 }), req, res))
    await check(url, {}, { status: 429, headers: { ...SENT, 'retry-after': '3' } })
    const calls = setHeader.mock.calls.length + removeHeader.mock.calls.length
    vi.restoreAllMocks()
    expect(calls).toBe(0)
  })

  // on-headers before 1.1 reads each string of a list as a pair (CVE-2025-7339).
  test.each(['writeHead', 'setHeader'] as const)('gets them by setHeader() if %s is replaced', async (method) => {
    const seen: unknown[] = []
    const { url } = await run((req: IncomingMessage, res: ServerResponse) => {
      const original = res[method] as (...args: unknown[]) => unknown
      Object.assign(res, {
        [method]: (...args: unknown[]) => {
          seen.push(args)
          return original.apply(res, args)
        },
      })
      answer(httpError(404), req, res)
    })
    await check(url, {}, { status: 404, headers: SENT })
    if (method === 'writeHead') expect(seen).toEqual([[404]])
    else expect(seen).toContainEqual(['Content-Security-Policy', "default-src 'none'"])
  })

  test('gets them on HTTP/2', async () => {
    const server = createHttp2Server((req, res) => answer(httpError(404), req as never, res as never))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    try {
      const stream = session.request({ ':path': '/a' })
      const headers = await new Promise((resolve) => stream.once('response', resolve))
      await new Promise((resolve) => stream.resume().once('close', resolve))
      expect(headers).toMatchObject({ ':status': 404, ...SENT, 'cache-control': 'no-store' })
      expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR)
    } finally {
      session.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  })
})

test('an error after the end of the response does not call the function', async () => {
  const headers = vi.fn(() => SECURITY)
  const entries: LogEntry[] = []
  const handle = errors({ headers, onError: (entry) => void entries.push(entry) })
  const { url } = await run((req, res) => {
    res.end('ok')
    handle(httpError(404), req, res)
  })
  await check(url, {}, { status: 200, body: 'ok' })
  expect([headers.mock.calls.length, entries.length]).toEqual([0, 1])
})
