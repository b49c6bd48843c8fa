import { format } from 'node:util'
import { httpError, type LogEntry } from '@svc/errors'
import { errors, type FetchErrorsOptions, toResponse } from '@svc/errors/fetch'
import { Hono } from 'hono'
import { basicAuth } from 'hono/basic-auth'
import { bearerAuth } from 'hono/bearer-auth'
import { HTTPException } from 'hono/http-exception'
import { describe, expect, test, vi } from 'vitest'
import { fail } from './testing/serve.ts'

const NOW = Date.UTC(2026, 10, 21, 7, 30)
const quiet: FetchErrorsOptions = { now: () => NOW, onError: () => {} }
const request = (init?: RequestInit): Request => new Request('https://api.example/employees/7?token=canary', init)

describe('errors() on Fetch hosts', () => {
  test('returns the response of the handler', async () => {
    const response = await errors(quiet)(request(), () => new Response('ok', { status: 201 }))
    expect([response.status, await response.text()]).toEqual([201, 'ok'])
  })

  test.each([
    ['throws', () => fail('canary')],
    ['rejects', () => Promise.reject(new Error('canary'))],
    ['throws nothing', () => Promise.reject()],
  ])('returns a record if the handler %s', async (_name, next) => {
    const response = await errors(quiet)(request(), next)
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      vary: 'Accept',
      'x-content-type-options': 'nosniff',
    })
    expect([response.status, response.statusText]).toEqual([500, 'Internal Server Error'])
    expect(await response.json()).toEqual({
      timestamp: '2026-11-21T07:30:00.000Z',
      status: 500,
      error: 'Internal Server Error',
      message: 'The server could not process the request.',
      path: '/employees/7',
      code: 'INTERNAL_ERROR',
    })
  })

  test('passes the request to the handler and is usable as app.onError of Hono', async () => {
    const app = new Hono()
    app.get('/employees/:id', () => {
      throw httpError(409, 'Taken.', { retryAfter: 3 })
    })
    app.onError((error, context) => toResponse(error, context.req.raw, quiet))
    const response = await errors(quiet)(request(), (passed) => app.fetch(passed))
    expect([response.status, response.headers.get('retry-after')]).toEqual([409, '3'])
    expect(await response.json()).toMatchObject({ code: 'CONFLICT', message: 'Taken.' })
  })
})

describe('an HTTPException of Hono', () => {
  const app = new Hono()
  app.use('/bearer', bearerAuth({ token: 'canary', realm: 'svc' }))
  app.use('/basic', basicAuth({ username: 'a', password: 'canary', realm: 'svc' }))
  app.get('/busy', () => {
    const headers = { 'Retry-After': '30', 'Content-Type': 'text/csv', ETag: '"1"' }
    throw new HTTPException(503, { res: new Response('canary', { headers }) })
  })
  app.onError((error, context) => toResponse(error, context.req.raw, quiet))

  test.each([
    ['/bearer', 401, 'Bearer realm="svc"', null],
    ['/basic', 401, 'Basic realm="svc"', null],
    ['/busy', 503, null, '30'],
  ])('keeps the headers of its response: %s (RFC 9110 §15.5.2)', async (path, status, challenge, retryAfter) => {
    const response = await app.request(path)
    const { headers } = response
    expect([response.status, headers.get('www-authenticate'), headers.get('retry-after')]).toEqual([
      status,
      challenge,
      retryAfter,
    ])
    expect([headers.get('content-type'), headers.get('etag')]).toEqual(['application/json; charset=utf-8', null])
    expect(await response.text()).not.toContain('canary')
  })
})

describe('toResponse()', () => {
  test.each([
    ['application/problem+json', 'application/problem+json; charset=utf-8', /"type":"about:blank"/],
    ['application/problem+xml', 'application/problem+xml; charset=utf-8', /<problem xmlns/],
    ['application/xml', 'application/xml; charset=utf-8', /<Error>/],
    ['text/html', 'text/html; charset=utf-8', /<h1>404 Not Found/],
    ['text/plain', 'text/plain; charset=utf-8', /^404 Not Found/],
    ['image/png', 'application/json; charset=utf-8', /"status":404/],
  ])('sends %s as %s', async (accept, contentType, body) => {
    const response = await toResponse(httpError(404), request({ headers: { accept } }), { ...quiet, html: true })
    expect(response.headers.get('content-type')).toBe(contentType)
    expect(await response.text()).toMatch(body)
  })

  test('sends no body for HEAD', async () => {
    const response = await toResponse(httpError(404), request({ method: 'HEAD' }), quiet)
    expect([response.status, await response.text()]).toEqual([404, ''])
  })

  test('sends the headers of the error, several challenges, and Vary', async () => {
    const headers = {
      'WWW-Authenticate': ['Bearer', 'Basic realm="a"'],
      Vary: 'Origin',
      'X-Bad': 'a\r\nb',
      ETag: '"1"',
    }
    const response = await toResponse(httpError(401, 'No.', { headers }), request(), quiet)
    expect(response.headers.get('www-authenticate')).toBe('Bearer, Basic realm="a"')
    expect(response.headers.get('vary')).toBe('Accept, Origin')
    expect([response.headers.get('x-bad'), response.headers.get('etag')]).toEqual([null, null])
  })

  test('applies the options for the challenge, language, code and body', async () => {
    const options: FetchErrorsOptions = {
      ...quiet,
      challenge: 'Bearer',
      codes: { AUTHENTICATION_REQUIRED: 'LOGIN' },
      languages: (req) => req.headers.get('x-language') ?? 'en',
      localize: (code, language) => `${code} ${language}`,
    }
    const response = await toResponse(httpError(401), request({ headers: { 'x-language': 'de' } }), options)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(response.headers.get('content-language')).toBe('de')
    expect(response.headers.get('vary')).toBe('Accept, Accept-Language')
    expect(await response.json()).toMatchObject({ code: 'LOGIN', message: 'LOGIN de' })
  })

  test('sends the response of render, also if it comes later', async () => {
    const render: FetchErrorsOptions['render'] = async ({ classification }) => ({
      contentType: 'text/csv',
      body: new TextEncoder().encode(classification.code),
      status: 418,
    })
    const response = await toResponse(httpError(404), request(), { ...quiet, render })
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      418,
      'text/csv',
      'NOT_FOUND',
    ])
  })

  test.each<[string, FetchErrorsOptions['render']]>([
    ['in time', () => ({ contentType: 'text/x; t=“a”', body: 'canary' })],
    ['later', async () => ({ contentType: 'text/x; t=“a”', body: 'canary' })],
  ])(
    'sends the usual response if render returns a content type that is not a header value %s',
    async (_name, render) => {
      const response = await toResponse(httpError(404), request(), { ...quiet, render: render ?? (() => undefined) })
      expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
    },
  )

  test('logs an aborted request as 499', async () => {
    const entries: LogEntry<Request>[] = []
    const aborted = request({ signal: AbortSignal.abort() })
    const response = await toResponse(new Error('x'), aborted, { onError: (entry) => void entries.push(entry) })
    expect(response.status).toBe(499)
    expect(entries).toMatchObject([{ status: 499, severity: 'info', path: '/employees/7' }])
  })

  test('writes errors of 500 and above to standard error', async () => {
    const write = vi.spyOn(console, 'error').mockReturnValue()
    const error = Object.assign(new Error('broken'), { headers: { Authorization: 'canary' } })
    await toResponse(error, request())
    await toResponse(httpError(404), request())
    await toResponse({ a: 1 }, new Request('https://api.example/%d'))
    const lines = write.mock.calls.map((values) => format(...values))
    write.mockRestore()
    expect(lines).toEqual([`[svc:errors] 500 GET /employees/7\n ${error.stack}`, '[svc:errors] 500 GET /%d\n { a: 1 }'])
  })

  test('returns a response for an error that cannot be inspected', async () => {
    const write = vi.spyOn(console, 'error').mockReturnValue()
    const hostile = Object.defineProperty(new Error('x'), 'stack', { get: () => fail('canary') })
    const response = await errors()(request(), () => Promise.reject(hostile))
    const lines = write.mock.calls.map((values) => format(...values))
    write.mockRestore()
    expect(response.status).toBe(500)
    expect(lines).toEqual(['[svc:errors] 500 GET /employees/7\n an error that cannot be inspected'])
  })

  test('throws a TypeError without a request', () => {
    expect(() => toResponse(httpError(404), undefined as never)).toThrow(
      new TypeError('errors: toResponse: request must be a Request, got undefined'),
    )
  })

  test('throws a TypeError for an option that is not valid', () => {
    expect(() => toResponse(httpError(404), request(), { challenge: 'a\nb' })).toThrow(
      'errors: challenge must be a header value such as "Bearer" or false, got "a\\nb"',
    )
  })
})
