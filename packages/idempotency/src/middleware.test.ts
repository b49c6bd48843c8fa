import { idempotencyOf, idempotent } from '@svc/idempotency'
import express from 'express'
import { describe, expect, test } from 'vitest'
import type { IncomingMessage, Middleware, ServerResponse } from '../../internal/middleware.ts'
import { check, type RequestLiteral } from '../../internal/testing/check.ts'
import { hosts, listen } from '../../internal/testing/hosts.ts'

type Handler = (req: IncomingMessage, res: ServerResponse) => void

const order: RequestLiteral = {
  method: 'POST',
  path: '/orders',
  headers: { 'idempotency-key': '"k"', 'content-type': 'application/json' },
  body: '{"a":1}',
}

async function serve(host: string, handler: Handler, run: (url: string) => Promise<void>, middleware?: Middleware[]) {
  const { url, close } = await listen(
    (hosts[host] as (typeof hosts)[string])({ middlewares: middleware ?? [idempotent()], handler }),
  )
  try {
    await run(url)
  } finally {
    await close()
  }
}

const endings: Record<string, Handler> = {
  'end with text': (_req, res) => void res.end('text'),
  'end with bytes': (_req, res) => void res.end(Buffer.from([0, 255, 1, 254])),
  'write and end': (_req, res) => {
    res.write('a')
    res.write(Buffer.from([0xff, 0]))
    res.end('z')
  },
  'writeHead and nothing': (_req, res) => void res.writeHead(204).end(),
  'an answer that comes later': (_req, res) => void setImmediate(() => res.end('later')),
}

describe.each(Object.keys(hosts))('idempotent on %s', (host) => {
  test.each(Object.keys(endings))('replays %s byte for byte without the handler', async (ending) => {
    let runs = 0
    const handler: Handler = (req, res) => {
      runs++
      res.setHeader('Location', '/orders/1')
      endings[ending]?.(req, res)
    }
    await serve(host, handler, async (url) => {
      const first = await check(url, order, {
        headers: { 'idempotent-replayed': undefined, location: '/orders/1' },
      })
      const second = await check(url, order, {
        status: first.status,
        headers: { 'idempotent-replayed': 'true', location: '/orders/1' },
      })
      expect(second.body).toEqual(first.body)
      expect(runs).toBe(1)
    })
  })

  test('leaves the body to the parser behind it', async () => {
    const handler: Handler = (req, res) => void res.end(JSON.stringify((req as { body?: unknown }).body))
    const middlewares = [idempotent(), express.json() as unknown as Middleware]
    await serve(host, handler, async (url) => void (await check(url, order, { body: { a: 1 } })), middlewares)
    const chunked = { ...order, headers: { ...order.headers, 'transfer-encoding': 'chunked' } } as RequestLiteral
    await serve(host, handler, async (url) => void (await check(url, chunked, { body: { a: 1 } })), middlewares)
  })

  test('tells the handler its key', async () => {
    const handler: Handler = (req, res) => {
      const { key, generation, replayed } = idempotencyOf(req) ?? {}
      res.end(JSON.stringify({ key, generation, replayed }))
    }
    await serve(host, handler, async (url) => {
      await check(url, order, { body: { key: 'k', generation: 1, replayed: false } })
    })
  })

  test('answers 409 while the first request is at work, and 422 to another body', async () => {
    let finish = (): void => {}
    const handler: Handler = (_req, res) => void (finish = () => res.end('done'))
    await serve(host, handler, async (url) => {
      const first = check(url, order, { status: 200 })
      while (finish.toString() === '() => {}') await new Promise((resolve) => setImmediate(resolve))
      await check(url, order, { status: 409, headers: { 'retry-after': '1' } })
      await check(url, { ...order, body: '{"a":2}' }, { status: 422 })
      finish()
      await first
    })
  })
})
