import type { ServerResponse } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { type AuthenticatedUser, authenticationHeader, soap, soapErrors } from '@svc/soap-envelope'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check, send } from '../../internal/testing/check.ts'
import { hosts, listen, type RunningHost } from '../../internal/testing/hosts.ts'
import { envelope, getCustomer, SHOP, shopService } from './testing/shop.ts'

const TYPE_12 = 'application/soap+xml; charset=utf-8'
const MESSAGE = envelope(getCustomer())
const headers = { 'content-type': TYPE_12 }

const errors: unknown[] = []
const service = shopService({ onFault: (_, { error }) => errors.push(error) })

describe.each(Object.keys(hosts))('on %s', (name) => {
  let host: RunningHost
  beforeAll(async () => {
    const make = hosts[name]
    if (make) host = await listen(make({ middlewares: [soap(service)] }))
  })
  afterAll(() => host.close())

  test('answers a message', async () => {
    await check(
      host.url,
      { method: 'POST', headers, body: MESSAGE },
      {
        status: 200,
        headers: {
          'content-type': TYPE_12,
          'content-length': /^\d+$/,
          'cache-control': 'no-store',
          connection: 'close',
        },
        body: /<t2:id>42<\/t2:id>/,
      },
    )
  })

  test('reads a message that is compressed, or comes in chunks', async () => {
    const bytes = Buffer.from(MESSAGE)
    const codings: [string, Buffer][] = [
      ['gzip', gzipSync(bytes)],
      ['x-gzip', gzipSync(bytes)],
      ['GZIP', gzipSync(bytes)],
      ['deflate', deflateSync(bytes)],
      ['br', brotliCompressSync(bytes)],
      ['identity', bytes],
    ]
    for (const [coding, body] of codings) {
      const literal = { method: 'POST', headers: { ...headers, 'content-encoding': coding }, body }
      await check(host.url, literal, { status: 200, body: /<t2:id>42</ })
    }
    await check(
      host.url,
      { method: 'POST', headers: { ...headers, 'transfer-encoding': 'chunked' }, body: MESSAGE },
      { status: 200 },
    )
  })

  test.each([
    ['damaged gzip', 'gzip', Buffer.from('no gzip at all'), 400, 'MalformedXml'],
    ['gzip that ends early', 'gzip', gzipSync(MESSAGE).subarray(0, 40), 400, 'MalformedXml'],
    ['empty gzip', 'gzip', Buffer.alloc(0), 400, 'MalformedXml'],
    ['damaged br', 'br', Buffer.from('nothing of the kind'), 400, 'MalformedXml'],
    ['an unknown coding', 'compress', Buffer.from(MESSAGE), 415, 'UnsupportedMediaType'],
    ['two codings', 'gzip, gzip', gzipSync(gzipSync(MESSAGE)), 415, 'UnsupportedMediaType'],
    ['a property as coding', '__proto__', Buffer.from(MESSAGE), 415, 'UnsupportedMediaType'],
    ['a small gzip of a large message', 'gzip', gzipSync(MESSAGE + ' '.repeat(50_000_000)), 413, 'LimitExceeded'],
  ])('refuses %s and goes on', async (_, coding, body, status, subcode) => {
    const literal = { method: 'POST', headers: { ...headers, 'content-encoding': coding }, body }
    await check(host.url, literal, { status, headers: { 'content-type': TYPE_12 }, body: new RegExp(`f:${subcode}<`) })
    await check(host.url, { method: 'POST', headers, body: MESSAGE }, { status: 200 })
  })

  test('refuses a message that is too large, announced or not', async () => {
    const body = MESSAGE + ' '.repeat(2_000_000)
    const chunked = { ...headers, 'transfer-encoding': 'chunked' }
    for (const fields of [headers, chunked]) {
      await check(
        host.url,
        { method: 'POST', headers: fields, body },
        {
          status: 413,
          headers: { connection: 'close' },
          body: /f:LimitExceeded</,
        },
      )
    }
  })

  test('refuses methods and types', async () => {
    const allow = 'GET, HEAD, OPTIONS, POST'
    await check(host.url, {}, { status: 405, headers: { allow, 'content-type': TYPE_12 } })
    await check(host.url, { method: 'HEAD' }, { status: 405, headers: { allow }, body: '' })
    await check(host.url, { method: 'PUT', headers, body: MESSAGE }, { status: 405, headers: { allow } })
    await check(host.url, { method: 'DELETE' }, { status: 405, headers: { allow } })
    await check(host.url, { method: 'OPTIONS' }, { status: 204, headers: { allow }, body: '' })
    await check(
      host.url,
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
      { status: 415 },
    )
    await check(host.url, { method: 'POST', body: MESSAGE }, { status: 415 })
  })

  test('serves its documents with the address of the request', async () => {
    const { headers: fields } = await check(
      host.url,
      { path: '/?wsdl' },
      {
        status: 200,
        headers: { 'content-type': 'text/xml; charset=utf-8', etag: /^"[\w-]+"$/ },
        body: new RegExp(`location="${host.url}/"`),
      },
    )
    await check(
      host.url,
      { path: '/?wsdl', headers: { 'if-none-match': fields['etag'] ?? '' } },
      { status: 304, body: '' },
    )
    await check(
      host.url,
      { method: 'HEAD', path: '/?WSDL' },
      { status: 200, headers: { 'content-length': /^\d{4}$/ }, body: '' },
    )
    await check(host.url, { path: '/?xsd=common/common.xsd' }, { status: 200, body: /name="Customer"/ })
    await check(host.url, { path: '/?xsd=../package.json' }, { status: 404 })
    for (const bad of ['evil.example/"><x', 'a b', 'x'.repeat(300) + '\u00e9'.replace('\u00e9', '%')]) {
      await check(host.url, { path: '/?wsdl', headers: { host: bad } }, { body: /location="\/"/ })
    }
  })

  test('a one-way message is answered with 202 and no body', async () => {
    const note = envelope('<s:NoteRequest><s:text>x</s:text></s:NoteRequest>')
    await check(
      host.url,
      { method: 'POST', headers, body: note },
      { status: 202, headers: { 'content-length': '0', 'content-type': undefined }, body: '' },
    )
  })

  test('passes what a page throws or rejects with to the error handler', async () => {
    const throwing = (): never => {
      throw Object.assign(new Error('x'), { status: 503 })
    }
    for (const htmlPage of [throwing, async () => throwing()]) {
      const make = hosts[name]
      if (!make) throw new Error('no host')
      const failing = make({ middlewares: [soap(service, { htmlPage })], onError: soapErrors(service) })
      const page = await listen(failing)
      await check(page.url, { headers: { accept: 'text/html' } }, { status: 503 }).finally(() => page.close())
    }
  })
})

describe('the HTTP side', () => {
  const run = async (
    middlewares: readonly object[],
    literal: object,
    onError?: object,
  ): Promise<Awaited<ReturnType<typeof send>>> => {
    const make = hosts['express 5']
    if (!make) throw new Error('no host')
    const host = await listen(
      make({ middlewares: middlewares as never, ...(onError && { onError: onError as never }) }),
    )
    const answer = await send(host.url, { method: 'POST', headers, body: MESSAGE, ...literal })
    await host.close()
    return answer
  }
  const secured = shopService({ security: [] })

  test.each<[string, () => AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined>, number, RegExp]>([
    ['a user', () => ({ name: 'ada', subject: 1 }), 200, /<t2:id>/],
    ['a user that takes time', () => Promise.resolve({ name: 'ada', subject: 1 }), 200, /<t2:id>/],
    ['no user', () => undefined, 400, /f:InvalidSecurity</],
    [
      'bad credentials',
      () => {
        throw Object.assign(new Error('Wrong.'), { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="x"' } })
      },
      401,
      /f:FailedAuthentication</,
    ],
    ['a look-up that fails', () => Promise.reject(new Error('down')), 500, /f:InternalError</],
  ])('%s', async (_, user, status, body) => {
    const answer = await run([soap(secured, { user })], {})
    expect(answer.status).toBe(status)
    expect(answer.text).toMatch(body)
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Basic realm="x"' : undefined)
  })

  test.each<[string, Record<string, string>, object, boolean]>([
    ['from this machine', {}, {}, true],
    ['forwarded to this machine', { 'x-forwarded-for': '192.0.2.1' }, {}, false],
    ['forwarded over HTTPS, which no option says', { 'x-forwarded-proto': 'https' }, {}, false],
    ['forwarded over HTTPS, which an option says', { 'x-forwarded-proto': 'https' }, { isSecure: () => true }, true],
    ['that an option does not trust', {}, { isSecure: () => false }, false],
  ])('a message %s may carry credentials: %o', async (_, fields, options, isSecure) => {
    const findUser = (): { password: string } => ({ password: 'p' })
    const locked = shopService({ security: [authenticationHeader({ namespace: SHOP, findUser })] })
    const block = '<s:Authentication><s:Username>a</s:Username><s:Password>p</s:Password></s:Authentication>'
    const literal = { headers: { ...headers, ...fields }, body: envelope(getCustomer(), block) }
    const answer = await run([soap(locked, options)], literal)
    expect(answer.status).toBe(isSecure ? 200 : 400)
  })

  test('errors of middleware in front become faults', async () => {
    const limited = (_: unknown, __: unknown, next: (error: unknown) => void): void =>
      next(Object.assign(new Error('Slow down.'), { status: 429, expose: true, headers: { 'Retry-After': '7' } }))
    const answer = await run([limited, soap(service)], { headers: { 'content-type': 'text/xml' } }, soapErrors(service))
    expect(answer).toMatchObject({
      status: 429,
      headers: { 'retry-after': '7', 'content-type': 'text/xml; charset=utf-8' },
    })
    expect(answer.text).toContain('<faultstring>Slow down.</faultstring>')
  })

  test('an error after the response does not cut it, and is reported', async () => {
    const late = (_: unknown, res: ServerResponse, next: (error: unknown) => void): void => {
      res.end(Buffer.alloc(20_000_000))
      next(new Error('late'))
    }
    const answer = await run([late], {}, soapErrors(service))
    expect(answer.text).toHaveLength(20_000_000)
    expect(errors.at(-1)).toEqual(new Error('late'))
  })

  test.each([
    ['POST', 500],
    ['HEAD', 400],
  ])('an error before %s of SOAP 1.1 has the status %i: only POST carries a message', async (method, status) => {
    const rejecting = (_: unknown, __: unknown, next: (error: unknown) => void): void =>
      next(Object.assign(new Error('Not valid.'), { status: 400 }))
    const headers = { 'content-type': 'text/xml' }
    const answer = await run([rejecting, soap(service)], { method, headers }, soapErrors(service))
    expect(answer.status).toBe(status)
  })

  test('the address and the identifier are what the options say', async () => {
    const middleware = soap(service, { publicUrl: 'https://svc.example/ws', correlationId: () => 'c-9' })
    expect((await run([middleware], { method: 'GET', path: '/?wsdl', body: undefined })).text).toContain(
      'location="https://svc.example/ws"',
    )
    expect((await run([middleware], { body: envelope('<x/>') })).text).toContain('<t:correlationId>c-9<')
  })

  test('a callback that throws, or a field that HTTP cannot carry, still gives a fault', async () => {
    const throwing = (): never => {
      throw new Error('/srv/secret.js')
    }
    for (const options of [{ isSecure: throwing }, { correlationId: throwing }, { user: throwing }]) {
      const answer = await run([soap(service, options)], {})
      expect([answer.status, answer.text]).toEqual([500, expect.not.stringContaining('secret')])
      const refused = (_: unknown, __: unknown, next: (error: unknown) => void): void => next(new Error('x'))
      expect((await run([refused], {}, soapErrors(service, options))).status).toBe(500)
    }
    const headers = { 'Retry-After': '1\r\nX: 1', 'bad name': 'x' }
    const refused = (_: unknown, __: unknown, next: (error: unknown) => void): void =>
      next(Object.assign(new Error('x'), { status: 503, headers }))
    expect((await run([refused], {}, soapErrors(service))).status).toBe(503)
  })

  test('a page is for browsers alone', async () => {
    const page = (_: unknown, res: { end(text: string): void }): void => res.end('a page')
    const middleware = soap(service, { htmlPage: page as never })
    const get = { method: 'GET', body: undefined }
    expect((await run([middleware], { ...get, headers: { accept: 'text/html,*/*' } })).text).toBe('a page')
    expect((await run([middleware], { ...get, headers: { accept: '*/*' } })).status).toBe(405)
    expect((await run([middleware], { ...get, path: '/?wsdl', headers: { accept: 'text/html' } })).status).toBe(200)
  })

  test('unknown options are refused', () => {
    expect(() => soap(service, { publicURL: 'x' } as object)).toThrow('did you mean "publicUrl"?')
  })
})
