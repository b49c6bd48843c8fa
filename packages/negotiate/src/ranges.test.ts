import { compress, conditionalRequests, type Middleware, type NegotiateOptions, negotiate } from '@svc/negotiate'
import { compression } from '@svc/negotiate/compression'
import { evaluatePreconditions } from '@svc/negotiate/etags'
import express from 'express'
import { describe, expect, test } from 'vitest'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { send } from '../../internal/testing/check.ts'
import { hostsWithHttp2 as hosts, listen } from '../../internal/testing/hosts.ts'
import { type Handler, serving, TEXT } from './testing/running.ts'

const range = 'bytes=0-9'
const MODIFIED = 'Fri, 20 Nov 2026 10:00:00 GMT'

/** A handler of ranges that ignores `If-Range`. */
const parts = (req: IncomingMessage, res: ServerResponse, type = 'text/plain'): void => {
  res.setHeader('Content-Type', type)
  res.setHeader('ETag', '"own"')
  if (req.headers.range === undefined) res.end(TEXT)
  else res.writeHead(206, { 'Content-Range': `bytes 0-9/${TEXT.length}` }).end(TEXT.slice(0, 10))
}

test.each([
  [0, 'full'],
  [999, 'full'],
  [1000, 'partial'],
])('a date is valid from the second after the change on: %i ms (RFC 9110 §8.8.2.2)', (age, outcome) => {
  const lastModified = Date.parse(MODIFIED)
  const fields = { range, 'if-range': MODIFIED }
  const options = { ranges: true, now: lastModified + age }
  expect(evaluatePreconditions('GET', fields, { lastModified }, options)).toBe(outcome)
})

describe.each(Object.keys(hosts))('If-Range on %s (RFC 9110 §13.1.5)', (host) => {
  test.each([
    ['"own"', 206],
    [MODIFIED, 206],
    ['W/"own"', 200],
    ['own', 200],
    ['"own", "other"', 200],
    ['*', 200],
    ['2026-11-20', 200],
    ['', 200],
  ])('%j makes a handler of ranges respond with %i', async (ifRange, status) => {
    await serving(host, { middlewares: [conditionalRequests()], handler: parts }, async (url) => {
      const answer = await send(url, { headers: { range, 'if-range': ifRange } })
      expect([answer.status, answer.text]).toEqual([status, status === 206 ? TEXT.slice(0, 10) : TEXT])
    })
  })

  test('is left to the handler if no conditions are evaluated', async () => {
    await serving(host, { middlewares: [negotiate({ conditional: false })], handler: parts }, async (url) => {
      expect((await send(url, { headers: { range, 'if-range': 'W/"own"' } })).status).toBe(206)
    })
  })
})

describe.each(Object.keys(hosts))('a date in If-Range on %s', (host) => {
  test.each<[string, Middleware]>([
    ['negotiate()', negotiate()],
    ['compress()', compress()],
    ['compression()', compression()],
  ])('does not validate responses that %s may compress (RFC 9110 §8.8.2.2)', async (_name, middleware) => {
    await serving(host, { middlewares: [middleware], handler: parts }, async (url) => {
      const statuses: number[] = []
      for (const encoding of ['gzip', 'identity', 'gzip, identity;q=0', '*;q=0, identity']) {
        const headers = { range, 'if-range': MODIFIED, 'accept-encoding': encoding }
        statuses.push((await send(url, { headers })).status)
      }
      expect(statuses).toEqual([200, 206, 200, 206])
      const strong = { range, 'if-range': '"own"', 'accept-encoding': 'gzip' }
      expect((await send(url, { headers: strong })).status).toBe(206)
    })
  })

  test('is left to the handler if nothing is compressed', async () => {
    await serving(host, { middlewares: [negotiate({ encodings: [] })], handler: parts }, async (url) => {
      const headers = { range, 'if-range': MODIFIED, 'accept-encoding': 'gzip' }
      expect((await send(url, { headers })).status).toBe(206)
    })
  })
})

describe.each(Object.keys(hosts))('a part on %s', (host) => {
  test.each<[string, string | undefined, NegotiateOptions]>([
    ['text/plain', 'Accept-Encoding', {}],
    ['image/png', undefined, {}],
    ['text/plain', undefined, { neverCompress: ['/'] }],
    ['text/plain', undefined, { encodings: [] }],
  ])('of %s has the Vary of its 200, which is %s with %j (RFC 9110 §15.3.7)', async (type, vary, options) => {
    const handler: Handler = (req, res) => parts(req, res, type)
    await serving(host, { middlewares: [negotiate(options)], handler }, async (url) => {
      for (const headers of [{}, { range }]) {
        const answer = await send(url, { headers: { 'accept-encoding': 'gzip', ...headers } })
        expect([answer.headers['vary'], answer.status]).toEqual([vary, 'range' in headers ? 206 : 200])
      }
    })
  })
})

test('Express sends ranges of the file that the client has, and otherwise the complete file', async () => {
  const app = express().use(negotiate())
  app.get('/', (_req, res) => res.sendFile(new URL('../vectors/negotiate.json', import.meta.url).pathname))
  const { url, close } = await listen(app)
  const headers = { 'accept-encoding': 'gzip' }
  const whole = await send(url, { headers })
  expect([whole.headers['content-encoding'], whole.headers['accept-ranges']]).toEqual(['gzip', undefined])
  const ask = async (ifRange: string | undefined) => {
    const answer = await send(url, { headers: { ...headers, range, ...(ifRange && { 'if-range': ifRange }) } })
    return [answer.status, answer.headers['content-encoding']]
  }
  expect(await ask(undefined)).toEqual([206, undefined])
  expect(await ask(whole.headers['last-modified'])).toEqual([200, 'gzip'])
  expect(await ask(whole.headers['etag'])).toEqual([200, 'gzip'])
  await close()
})
