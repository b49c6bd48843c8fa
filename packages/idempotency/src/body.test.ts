import { AsyncLocalStorage } from 'node:async_hooks'
import { request, type ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { type IdempotencyOptions, idempotency } from '@svc/idempotency'
import express from 'express'
import express4 from 'express4'
import { describe, expect, test } from 'vitest'
import type { Middleware } from '../../internal/middleware.ts'
import { check, type RequestLiteral } from '../../internal/testing/check.ts'
import { counting, type Handler, hostNames, http1HostNames, payment, serve, until } from './testing/service.ts'

const json = express.json() as unknown as Middleware

/** Responds with the part of the body that a later handler can still read. */
const echo: Handler = (req, res) => {
  text(req as Readable).then((body) => res.end(body))
}

/** Responds when the body has ended, as parsers do. */
const awaitEnd: Handler = (req, res) => {
  let size = 0
  req.on('data', (chunk: Buffer) => void (size += chunk.length)).on('end', () => res.end(`${size} bytes`))
}

const chunked = (literal: RequestLiteral): RequestLiteral => ({
  ...literal,
  headers: { ...literal.headers, 'Transfer-Encoding': 'chunked' },
})

describe.each(hostNames)('the body of a request on %s', (host) => {
  test.each([
    ['small', '{"a":1}'],
    ['empty', ''],
    ['larger than a buffer of the stream', JSON.stringify({ a: 'x'.repeat(900_000) })],
  ])('is left to a parser after the middleware: %s', async (_, body) => {
    await serve(host, { middlewares: [idempotency()], handler: echo }, async (url) => {
      await check(url, payment('a', { body }), { status: 200, body })
      await check(url, chunked(payment('b', { body })), { status: 200, body })
    })
  })

  test.each([
    ['known in the same tick', undefined],
    ['known later', () => new Promise<string>((resolve) => setImmediate(resolve, 'ada'))],
  ])('that is empty still ends for the handler, if the user is %s', async (_, user) => {
    const middlewares = [idempotency(user ? { user } : {})]
    await serve(host, { middlewares, handler: awaitEnd }, async (url) => {
      const empty = { status: 200, body: '0 bytes', headers: { 'idempotent-replayed': undefined } }
      await check(url, { method: 'POST', headers: { 'Idempotency-Key': 'a' } }, empty)
      await check(url, payment('b', { body: '' }), empty)
      await check(url, chunked(payment('c', { body: '' })), empty)
    })
  })

  test('is read in the asynchronous context of the request', async () => {
    const context = new AsyncLocalStorage<string>()
    const before: Middleware = (_req, _res, next) => context.run('ada', next)
    const handler: Handler = (_req, res) => void res.end(context.getStore())
    await serve(host, { middlewares: [before, idempotency(), json], handler }, async (url) => {
      await check(url, payment('a'), { body: 'ada' })
      await check(url, chunked(payment('b')), { body: 'ada' })
      await check(url, payment('c', { body: JSON.stringify(['x'.repeat(90_000)]) }), { body: 'ada' })
    })
  })

  test('may have been read by an earlier parser', async () => {
    const { handler } = counting()
    await serve(host, { middlewares: [json, idempotency()], handler }, async (url) => {
      await check(url, payment('a'), { body: '{"id":1}' })
      await check(url, payment('a', { body: '{"amount":"10.00",   "orderId":7}' }), { body: '{"id":1}' })
      await check(url, payment('a', { body: '{"amount":"10.01","orderId":7}' }), { status: 422 })
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
      await check(url, payment('b', { body: 'a=1', headers: form }), { status: 201 })
      await check(url, payment('b', { body: 'a=2', headers: form }), { status: 422 })
    })
  })

  test('may be parsed to a value without JSON, even if the user is known later', async () => {
    const { handler } = counting()
    let amount = 1n
    const parser: Middleware = (req, _res, next) => {
      req.resume().once('end', () => next(void Object.assign(req, { body: { amount } })))
    }
    const keyed = idempotency({ user: () => Promise.resolve('ada') })
    await serve(host, { middlewares: [parser, keyed], handler }, async (url) => {
      await check(url, payment('a'), { status: 201, body: '{"id":1}' })
      await check(url, payment('a'), { status: 201, body: '{"id":1}' })
      amount = 2n
      await check(url, payment('a'), { status: 422 })
    })
  })

  test('has the same fingerprint with a parser before or after', async () => {
    const { handler } = counting()
    let isBefore = true
    const maybe =
      (here: () => boolean): Middleware =>
      (req, res, next) =>
        here() ? json(req, res, next) : next()
    const middlewares = [maybe(() => isBefore), idempotency(), maybe(() => !isBefore)]
    await serve(host, { middlewares, handler }, async (url) => {
      await check(url, payment('a'), { status: 201 })
      isBefore = false
      await check(url, payment('a'), { status: 201, headers: { 'idempotent-replayed': 'true' } })
    })
  })

  test('is compared after decompression, with a parser before or after', async () => {
    const { handler, runs } = counting()
    const plain = '{"orderId":7,"amount":"10.00"}'
    const encoded = (encoding: string, body: Uint8Array) =>
      payment('a', { body, headers: { 'Content-Encoding': encoding } })
    const replayed = { status: 201, headers: { 'idempotent-replayed': 'true' } }
    for (const middlewares of [
      [idempotency(), json],
      [json, idempotency()],
    ]) {
      await serve(host, { middlewares, handler }, async (url) => {
        await check(url, encoded('gzip', gzipSync(plain, { level: 0 })), { status: 201 })
        await check(url, encoded('gzip', gzipSync('{ "amount":"10.00", "orderId":7 }', { level: 9 })), replayed)
        await check(url, encoded('deflate', deflateSync(plain)), replayed)
        await check(url, encoded('BR', brotliCompressSync(plain)), replayed)
        await check(url, payment('a', { body: plain }), replayed)
        await check(url, encoded('gzip', gzipSync('{"orderId":8}')), { status: 422 })
      })
    }
    expect(runs()).toBe(2)
  })

  test.each([
    ['is corrupt', 'gzip', (name: string) => Buffer.from(name)],
    ['has an encoding that is not supported', 'compress', (name: string) => Buffer.from(name)],
    ['is too large after decompression', 'gzip', (name: string) => gzipSync(name.repeat(1000))],
  ])('is compared as sent if it %s', async (_, encoding, write) => {
    const { handler } = counting()
    const encoded = (name: string) => payment('a', { body: write(name), headers: { 'Content-Encoding': encoding } })
    await serve(host, { middlewares: [idempotency({ maxBodyBytes: 100 })], handler }, async (url) => {
      await check(url, encoded('a'), { status: 201 })
      await check(url, encoded('a'), { status: 201, headers: { 'idempotent-replayed': 'true' } })
      await check(url, encoded('b'), { status: 422 })
    })
  })

  test('is passed to fingerprint and to the handler as sent', async () => {
    const body = gzipSync('{"a":1}')
    let passed: unknown
    const fingerprint: IdempotencyOptions['fingerprint'] = (_req, bytes) => {
      passed = bytes
      return ''
    }
    const raw: Handler = (req, res) => void (req as Readable).pipe(res as ServerResponse)
    await serve(host, { middlewares: [idempotency({ fingerprint })], handler: raw }, async (url) => {
      const response = await check(url, payment('a', { body, headers: { 'Content-Encoding': 'gzip' } }), {
        status: 200,
      })
      expect([response.body, passed]).toEqual([body, body])
    })
  })

  test('that is too large is rejected with 413, with and without Content-Length', async () => {
    const { handler, runs } = counting()
    await serve(host, { middlewares: [idempotency({ maxBodyBytes: 10 })], handler }, async (url) => {
      const large = payment('a', { body: '{"a":"0123456789"}' })
      await check(url, large, { status: 413 })
      await check(url, chunked(large), { status: 413 })
      await check(url, payment('a', { body: '{"a":"01"}' }), { status: 201 })
      expect(runs()).toBe(1)
    })
  })
})

describe.each(http1HostNames)('the body of a request on %s', (host) => {
  test('that is too large does not close its connection, which would lose the response', async () => {
    await serve(host, { middlewares: [idempotency()], handler: echo }, async (url) => {
      const large = payment('a', { body: 'x'.repeat(5_000_000) }) as RequestInit
      const { status, headers } = await fetch(`${url}/payments`, large)
      expect([status, headers.get('connection')]).toEqual([413, 'keep-alive'])
    })
  })

  test('that ends early runs no handler', async () => {
    const { handler, runs } = counting()
    let hasArrived = false
    let isCut = false
    const watch: Middleware = (req, _res, next) => {
      hasArrived = true
      req.once('close', () => void (isCut = true))
      next()
    }
    await serve(host, { middlewares: [watch, idempotency()], handler }, async (url) => {
      const headers = { 'Idempotency-Key': 'a', 'Content-Length': '100' }
      const cut = request(`${url}/payments`, { method: 'POST', headers, agent: false })
      cut.on('error', () => {}).write('{"a":')
      await until(() => hasArrived)
      cut.destroy()
      await until(() => isCut)
      expect(runs()).toBe(0)
      await check(url, payment('a', { body: '{"b":1}' }), { status: 201 })
    })
  })
})

describe.each(http1HostNames)('an empty body on %s', (host) => {
  test('that ends late still ends for the handler', async () => {
    let hasArrived = false
    const watch: Middleware = (_req, _res, next) => {
      hasArrived = true
      next()
    }
    await serve(host, { middlewares: [watch, idempotency()], handler: awaitEnd }, async (url) => {
      const headers = { 'Idempotency-Key': 'a', 'Transfer-Encoding': 'chunked' }
      const late = request(`${url}/payments`, { method: 'POST', headers, agent: false })
      const body = new Promise((resolve) => late.once('response', (res) => resolve(text(res))))
      late.flushHeaders()
      await until(() => hasArrived)
      await new Promise((resolve) => setImmediate(resolve))
      late.end()
      expect(await body).toBe('0 bytes')
    })
  })
})

test.each([
  ['json', express4.json()],
  ['raw', express4.raw({ type: () => true })],
  ['text', express4.text({ type: () => true })],
])('an empty body is left to express.%s() of Express 4', async (_, parser) => {
  const middlewares = [idempotency(), parser as unknown as Middleware]
  await serve('express 4', { middlewares, handler: (_req, res) => void res.end('ok') }, async (url) => {
    await check(url, { method: 'POST', headers: { 'Idempotency-Key': 'a' } }, { status: 200, body: 'ok' })
    await check(url, payment('b', { body: '' }), { status: 200, body: 'ok' })
    await check(url, chunked(payment('c', { body: '' })), { status: 200, body: 'ok' })
  })
})

test.each(['end', 'data'])('a body of which another middleware read all or a part is refused, at %s', async (event) => {
  // A retry with another body would get the response to this one.
  const swallow: Middleware = (req, _res, next) => {
    if (req.headers['content-length'] === '0') return next()
    req.once(event, () => next()).resume()
  }
  const { handler, runs } = counting()
  const codes: string[] = []
  const onRefused: IdempotencyOptions['onRefused'] = (error, _req, res) => {
    codes.push(error.code)
    res.writeHead(error.status).end()
  }
  await serve('node:http', { middlewares: [swallow, idempotency({ onRefused })], handler }, async (url) => {
    await check(url, payment('a'), { status: 500 })
    await check(url, chunked(payment('a')), { status: 500 })
    expect([runs(), codes]).toEqual([0, Array(2).fill('ERR_IDEMPOTENCY_BODY_CONSUMED')])
    await check(url, payment('a', { body: '' }), { status: 201 })
  })
  const fingerprint: IdempotencyOptions['fingerprint'] = (req) => String(req.url)
  await serve('node:http', { middlewares: [swallow, idempotency({ fingerprint })], handler }, async (url) => {
    await check(url, payment('a'), { status: 201 })
    await check(url, payment('a'), { status: 201, headers: { 'idempotent-replayed': 'true' } })
  })
})
