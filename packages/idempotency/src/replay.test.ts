import { idempotency } from '@svc/idempotency'
import { describe, expect, test } from 'vitest'
import type { Middleware } from '../../internal/middleware.ts'
import { check } from '../../internal/testing/check.ts'
import { hostsWithHttp2 as hosts, listen } from '../../internal/testing/hosts.ts'
import { type Handler, hostNames, payment, serve } from './testing/service.ts'

const varying: Middleware = (_req, res, next) => {
  res.setHeader('Vary', 'Origin')
  next()
}

describe.each(hostNames)('a replay on %s', (host) => {
  test('has all headers that describe the response', async () => {
    const fields = {
      vary: 'Origin, Accept',
      'cache-control': 'max-age=60',
      'cdn-cache-control': 'max-age=600',
      expires: 'Sun, 22 Nov 2026 07:30:00 GMT',
      etag: '"1"',
      'last-modified': 'Sat, 21 Nov 2026 07:30:00 GMT',
      'content-location': '/payments/1',
      'content-language': 'en',
      'x-content-type-options': 'nosniff',
    }
    const handler: Handler = (_req, res) => {
      for (const [name, value] of Object.entries(fields)) res.setHeader(name, value)
      res.end('paid')
    }
    await serve(host, { middlewares: [varying, idempotency()], handler }, async (url) => {
      await check(url, payment('A'), { status: 200, body: 'paid', headers: fields })
      const headers = { ...fields, 'idempotent-replayed': 'true' }
      await check(url, payment('A'), { status: 200, body: 'paid', headers })
    })
  })

  test.each(['write', 'writeHead', 'flushHeaders'] as const)('has the status that %s has sent', async (sending) => {
    const handler: Handler = (_req, res) => {
      res.statusCode = 201
      if (sending === 'write') res.write('paid')
      else if (sending === 'writeHead') res.writeHead(201)
      else res.flushHeaders()
      res.statusCode = 409
      res.end()
    }
    await serve(host, { middlewares: [idempotency()], handler }, async (url) => {
      await check(url, payment('A'), { status: 201 })
      await check(url, payment('A'), { status: 201, headers: { 'idempotent-replayed': 'true' } })
    })
  })

  test('of an error response has the Vary of the error handler', async () => {
    const failing: Middleware = (_req, _res, next) => next(new Error('broken rule'))
    const make = hosts[host]
    if (!make) throw new Error(host)
    const app = make({
      middlewares: [varying, idempotency(), failing],
      handler: () => {},
      onError: (error, _req, res) => {
        res.setHeader('Vary', [String(res.getHeader('Vary')), 'Accept'])
        res.writeHead(422, { 'Content-Type': 'application/problem+json' }).end(JSON.stringify({ title: String(error) }))
      },
    })
    const { url, close } = await listen(app)
    try {
      const fields = { vary: 'Origin, Accept', 'content-type': 'application/problem+json' }
      const first = await check(url, payment('A'), { status: 422, headers: fields })
      const headers = { ...fields, 'idempotent-replayed': 'true' }
      const second = await check(url, payment('A'), { status: 422, headers })
      expect(second.body).toEqual(first.body)
    } finally {
      await close()
    }
  })
})
