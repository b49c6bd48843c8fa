import { request } from 'node:http'
import { Readable } from 'node:stream'
import { type Claim, type IdempotencyStore, idempotency, memoryStore } from '@svc/idempotency'
import { describe, expect, test, vi } from 'vitest'
import type { Middleware } from '../../internal/middleware.ts'
import { check, send } from '../../internal/testing/check.ts'
import { counting, type Handler, payment, serve, until } from './testing/service.ts'

test('a stream that stops because its client disconnected does not keep its key in progress', async () => {
  let isClosed = false
  const handler: Handler = (_req, res) => {
    res.setHeader('Location', '/exports/1')
    new Readable({
      read() {
        this.push('x'.repeat(1000))
      },
    }).pipe(res)
    res.once('close', () => void (isClosed = true))
  }
  await serve('node:http', { middlewares: [idempotency()], handler }, async (url) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const headers = { 'Idempotency-Key': 'a', 'Content-Length': '2' }
    const client = request(`${url}/exports`, { method: 'POST', headers, agent: false }, (res) => {
      res.on('error', () => {}).once('data', () => client.destroy())
    })
    client.on('error', () => {}).end('{}')
    await until(() => isClosed)
    vi.advanceTimersByTime(5000)
    vi.useRealTimers()
    const retry = { method: 'POST', path: '/exports', headers: { 'Idempotency-Key': 'a' }, body: '{}' }
    await check(url, retry, { status: 409, headers: { location: '/exports/1' } })
  })
})

test('a handler that continues to write after its client disconnected is awaited', async () => {
  let isClosed = false
  let write = (_last: boolean): void => {}
  const handler: Handler = (_req, res) => {
    write = (last) => void (last ? res.end('.') : res.write('x'))
    write(false)
    res.once('close', () => void (isClosed = true))
  }
  await serve('node:http', { middlewares: [idempotency()], handler }, async (url) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const retry = { method: 'POST', path: '/exports', headers: { 'Idempotency-Key': 'a' }, body: '{}' }
    const headers = { 'Idempotency-Key': 'a', 'Content-Length': '2' }
    const client = request(`${url}/exports`, { method: 'POST', headers, agent: false }, () => client.destroy())
    client.on('error', () => {}).end('{}')
    await until(() => isClosed)
    for (let times = 0; times < 3; times++) {
      vi.advanceTimersByTime(4000)
      write(false)
    }
    vi.useRealTimers()
    await check(url, retry, { status: 409, headers: { 'retry-after': '1' } })
    write(true)
    await check(url, retry, { status: 200, body: 'xxxx.', headers: { 'idempotent-replayed': 'true' } })
  })
})

describe('a request that earlier middleware has responded to in the meantime', () => {
  const impatient: Middleware = (req, res, next) => {
    next()
    if (req.headers['x-impatient']) res.writeHead(503).end('too late')
  }
  const hurried = payment('a', { headers: { 'X-Impatient': '1' } })

  test('gets no replay after its wait', async () => {
    let finish: (() => void) | undefined
    const handler: Handler = (_req, res) => void (finish = () => void res.end('paid'))
    const middlewares = [impatient, idempotency({ wait: 'always' })]
    await serve('node:http', { middlewares, handler }, async (url) => {
      const first = send(url, payment('a'))
      await until(() => finish !== undefined)
      await check(url, hurried, { status: 503, body: 'too late' })
      finish?.()
      expect((await first).text).toBe('paid')
      await check(url, payment('a'), { status: 200, body: 'paid' })
    })
  })

  test('does not run, and leaves its key free', async () => {
    const store = memoryStore()
    const { acquire, release } = { acquire: store.acquire.bind(store), release: store.release.bind(store) }
    let released = 0
    const late = Object.assign(store, {
      acquire: async (id: string, claim: Claim) => acquire(id, claim),
      release: (id: string, owner: string) => {
        released++
        return release(id, owner)
      },
    }) as IdempotencyStore
    const { handler, runs } = counting()
    const middlewares = [impatient, idempotency({ store: late })]
    await serve('node:http', { middlewares, handler }, async (url) => {
      await check(url, hurried, { status: 503, body: 'too late' })
      await until(() => released === 1)
      expect([runs(), store.size]).toEqual([0, 0])
      await check(url, payment('a'), { status: 201 })
    })
  })
})
