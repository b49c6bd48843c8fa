import { type IncomingMessage, request } from 'node:http'
import { json as readJson } from 'node:stream/consumers'
import {
  mediaType,
  notAcceptable,
  type OnRefused,
  type Representation,
  refuse,
  sendRepresentation,
} from '@svc/negotiate'
import express5 from 'express'
import express4 from 'express4'
import { describe, expect, test, vi } from 'vitest'
import type { Middleware } from '../../internal/middleware.ts'
import { check, send } from '../../internal/testing/check.ts'
import { hostsWithHttp2, listen } from '../../internal/testing/hosts.ts'

const record = (status: number, code: string) => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: { status, code, path: '/a' },
})

describe.each([
  ['express 4', express4 as unknown as typeof express5],
  ['express 5', express5],
])('an error of a handler on %s without error handler', (_name, express) => {
  test('passed to refuse is a JSON Error record', async () => {
    const app = express()
    app.get('/a', (req, res, next) => {
      if (mediaType(req, ['text/csv'])) res.end('csv')
      else refuse(notAcceptable(['text/csv']), req, res, next)
    })
    const { url, close } = await listen(app)
    await check(url, { path: '/a', headers: { accept: 'image/png' } }, record(406, 'ERR_NEGOTIATE_NOT_ACCEPTABLE'))
    await close()
  })

  test('of sendRepresentation reaches an error handler if there is one', async () => {
    const app = express()
    const thrown = new Error('maker')
    const body = (): never => {
      throw thrown
    }
    app.get('/a', (req, res, next) => sendRepresentation(req, res, { type: 'text/csv', body }, next))
    app.use(((error: unknown, _req: unknown, res: express5.Response, _next: unknown) => {
      res.status(418).end(String(error === thrown))
    }) as express5.ErrorRequestHandler)
    const { url, close } = await listen(app)
    await check(url, { path: '/a' }, { status: 418, body: 'true' })
    await close()
  })
})

describe.each(Object.keys(hostsWithHttp2))('sendRepresentation with next on %s, without error handler', (host) => {
  const serve = async (representation: Representation, use: (url: string) => Promise<unknown>, onRefused?: 'next') => {
    const sending: Middleware = (req, res, next) => sendRepresentation(req, res, representation, next, onRefused)
    const make = hostsWithHttp2[host] as NonNullable<(typeof hostsWithHttp2)[string]>
    const onError = (error: unknown, _req: unknown, res: { statusCode: number; end(text: string): void }): void => {
      res.statusCode = 418
      res.end((error as { code?: string }).code ?? 'none')
    }
    const { url, close } = await listen(make({ middlewares: [sending], ...(onRefused && { onError }) }))
    await use(url)
    await close()
  }

  test('sends 406 and 412 as JSON Error records', async () => {
    const formats = { 'text/csv': () => 'csv' }
    await serve({ formats }, (url) =>
      check(url, { path: '/a', headers: { accept: 'image/png' } }, record(406, 'ERR_NEGOTIATE_NOT_ACCEPTABLE')),
    )
    await serve({ type: 'text/csv', version: 3, body: 'csv' }, (url) =>
      check(url, { path: '/a', headers: { 'if-match': '"2"' } }, record(412, 'ERR_NEGOTIATE_PRECONDITION_FAILED')),
    )
  })

  test('sends a body that cannot be created as 500, and reports the cause', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const body = (): never => {
      throw new Error('no such file')
    }
    await serve({ type: 'text/csv', body }, (url) =>
      check(url, { path: '/a' }, { ...record(500, 'ERR_NEGOTIATE_BODY_FAILED') }),
    )
    const [, options] = warn.mock.calls[0] as unknown as [string, { code: string; detail: string }]
    expect([options.code, options.detail.includes('no such file')]).toEqual(['ERR_NEGOTIATE_BODY_FAILED', true])
    warn.mockRestore()
  })

  test("passes the error on with onRefused 'next'", async () => {
    await serve(
      { formats: { 'text/csv': () => 'csv' } },
      (url) => check(url, { headers: { accept: 'image/png' } }, { status: 418, body: 'ERR_NEGOTIATE_NOT_ACCEPTABLE' }),
      'next',
    )
  })
})

describe.each(Object.keys(hostsWithHttp2))('onRefused without next on %s', (host) => {
  const ask = async (onRefused: OnRefused) => {
    const sending: Middleware = (req, res) =>
      sendRepresentation(req, res, { formats: { 'text/csv': () => 'csv' } }, undefined, onRefused)
    const make = hostsWithHttp2[host] as NonNullable<(typeof hostsWithHttp2)[string]>
    const { url, close } = await listen(make({ middlewares: [sending] }))
    const answer = await send(url, { path: '/a', headers: { accept: 'image/png' } })
    await close()
    return [answer.status, answer.text]
  }

  test('is called with the error', async () => {
    expect(await ask((error, _req, res) => void res.end(error.code))).toEqual([200, 'ERR_NEGOTIATE_NOT_ACCEPTABLE'])
  })

  test.each<[string, OnRefused]>([
    ['calls next', (error, _req, _res, next) => next(error)],
    ['rejects', () => Promise.reject(new Error('own'))],
  ])('sends the record if it %s', async (_how, onRefused) => {
    const [status, text] = await ask(onRefused)
    expect([status, JSON.parse(String(text)).code]).toEqual([406, 'ERR_NEGOTIATE_NOT_ACCEPTABLE'])
  })
})

test.each([
  ['http://user:secret@localhost/a?token=secret', '/a'],
  ['http://localhost', '/'],
  ['http://localhost?token=secret', '/'],
  ['/a#fragment', '/a'],
  ['/a://b/c', '/a://b/c'],
  ['*', '*'],
])('the record of a request for %s has the path %s (RFC 9112 §3.2)', async (target, path) => {
  const { url, close } = await listen((req, res) => {
    // Node.js only sends `*` with OPTIONS.
    const get = Object.assign(req, { method: 'GET' })
    sendRepresentation(get, res, { type: 'text/csv', version: 3, body: 'csv' })
  })
  const res = await new Promise<IncomingMessage>((resolve) => {
    request(url, { method: 'OPTIONS', path: target, headers: { 'if-match': '"2"' }, agent: false }, resolve).end()
  })
  expect(await readJson(res)).toMatchObject({ status: 412, path })
  await close()
})
