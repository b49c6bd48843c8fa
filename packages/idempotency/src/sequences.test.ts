import { request } from 'node:http'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { idempotencyOf, idempotent, memory } from '@svc/idempotency'
import { describe, expect, test } from 'vitest'
import type { Middleware, ServerResponse } from '../../internal/middleware.ts'
import { tap } from '../../internal/tap.ts'
import { check, send } from '../../internal/testing/check.ts'
import { clock } from '../../internal/testing/clock.ts'
import { counting, type Handler, hostNames, payment, refusing, serve, until } from './testing/service.ts'

const REPLAYED = { 'idempotent-replayed': 'true' }
const FRESH = { 'idempotent-replayed': undefined }

// The numbers are those of the sequences that the package promises to get right.
describe.each(hostNames)('on %s', (host) => {
  test('1 refuses a request without a key where one is required', async () => {
    const { handler, runs } = counting()
    const help = 'https://api.example/rels/idempotency'
    await serve(host, { middlewares: [idempotent({ required: true, help })], handler }, async (url) => {
      await check(
        url,
        { method: 'POST', path: '/payments', body: '{}' },
        {
          status: 400,
          headers: { link: `<${help}>; rel="describedby"`, 'content-type': /json/ },
        },
      )
      expect(runs()).toBe(0)
    })
  })

  test('2, 3, 4, 24 runs once, and replays status, Location and body, however key and body are spelt', async () => {
    const { handler, runs } = counting()
    await serve(host, { middlewares: [idempotent()], handler }, async (url) => {
      const created = { status: 201, body: '{"id":1}' }
      const location = { location: '/payments/1', 'content-type': 'application/json' }
      await check(url, payment('"A"'), { ...created, headers: { ...FRESH, ...location } })
      const replay = { ...created, headers: { ...REPLAYED, ...location } }
      await check(url, payment('"A"'), replay)
      await check(url, payment('A'), replay)
      await check(url, payment('A', { body: '{ "amount" : "10.00", "orderId" : 7.0 }' }), replay)
      expect(runs()).toBe(1)
    })
  })

  test('5, 6 answers 422 to another body, and on another route', async () => {
    const { handler, runs } = counting()
    await serve(host, { middlewares: [idempotent()], handler }, async (url) => {
      await check(url, payment('A'), { status: 201 })
      await check(url, payment('A', { body: '{"orderId":7,"amount":"10.0"}' }), { status: 422 })
      await check(url, payment('A', { path: '/transfers' }), { status: 422 })
      await check(url, payment('A', { path: '/payments?dry=1' }), { status: 422 })
      expect(runs()).toBe(1)
    })
  })

  test('7 takes the same key of another principal for another key', async () => {
    const { handler } = counting()
    await serve(host, { middlewares: [idempotent()], handler }, async (url) => {
      const by = (token: string) => payment('A', { headers: { Authorization: `Bearer ${token}` } })
      await check(url, by('ada'), { status: 201, body: '{"id":1}' })
      await check(url, by('bob'), { status: 201, body: '{"id":2}', headers: FRESH })
      await check(url, by('ada'), { status: 201, body: '{"id":1}', headers: REPLAYED })
    })
  })

  test('8 runs one of 64 parallel requests, and answers 409 to the others', async () => {
    const pending: ServerResponse[] = []
    const handler: Handler = (_req, res) => void pending.push(res)
    await serve(host, { middlewares: [idempotent()], handler }, async (url) => {
      let answered = 0
      const answers = Array.from({ length: 64 }, () => send(url, payment('B')).finally(() => answered++))
      await until(() => answered === 63)
      for (const res of pending) res.writeHead(201).end('done')
      const statuses = (await Promise.all(answers)).map(({ status, headers }) => `${status} ${headers['retry-after']}`)
      expect(statuses.sort()).toEqual(['201 undefined', ...Array(63).fill('409 1')])
      expect(pending).toHaveLength(1)
    })
  })

  test('9 gives all of 64 parallel requests that wait the same answer', async () => {
    let pending: ServerResponse | undefined
    const handler: Handler = (_req, res) => void (pending = res)
    let arrived = 0
    const counter: Middleware = (_req, _res, next) => {
      arrived++
      next()
    }
    await serve(host, { middlewares: [counter, idempotent()], handler }, async (url) => {
      const waiting = payment('C', { headers: { Prefer: 'respond-async, wait=5' } })
      const answers = Array.from({ length: 64 }, () => send(url, waiting))
      await until(() => arrived === 64)
      pending?.writeHead(201, { Location: '/payments/1' }).end('done')
      const results = await Promise.all(answers)
      expect(results.every(({ status, text }) => status === 201 && text === 'done')).toBe(true)
      const replayed = results.filter(({ headers }) => headers['idempotent-replayed'] === 'true')
      expect(replayed).toHaveLength(63)
      expect(replayed.every(({ headers }) => headers['preference-applied'] === 'wait')).toBe(true)
    })
  })

  test.each([
    ['10 replays a failure of the work', 500, true],
    ['11 runs again after "not now"', 503, false],
    ['11 runs again after "too many"', 429, false],
    ['12 runs again after a refused body', 400, false],
    ['13 replays a conflict that the handler found', 409, true],
    ['13 replays a broken rule', 422, true],
  ])('%s: %i', async (_, status, isReplayed) => {
    let runs = 0
    const handler: Handler = (_req, res) => {
      runs++
      res.statusCode = status
      res.end(`run ${runs}`)
    }
    await serve(host, { middlewares: [idempotent()], handler }, async (url) => {
      await check(url, payment('A'), { status, body: 'run 1' })
      await check(url, payment('A'), {
        status,
        body: isReplayed ? 'run 1' : 'run 2',
        headers: isReplayed ? REPLAYED : FRESH,
      })
    })
  })

  test('12 takes a corrected body with the same key after 400', async () => {
    const { handler } = counting()
    const validate: Middleware = refusing(400, (req) => req.headers['content-length'] === '2')
    await serve(host, { middlewares: [idempotent(), validate], handler }, async (url) => {
      await check(url, payment('A', { body: '{}' }), { status: 400 })
      await check(url, payment('A'), { status: 201, headers: FRESH })
    })
  })

  test('14, 15 takes over from a silent owner after its lease, and refuses the late answer', async () => {
    const time = clock()
    const pending: ServerResponse[] = []
    const generations: unknown[] = []
    const handler: Handler = (req, res) => {
      generations.push(idempotencyOf(req)?.generation)
      pending.push(res)
    }
    const middleware = idempotent({ store: memory({ now: time.now }) })
    await serve(host, { middlewares: [middleware], handler }, async (url) => {
      const first = send(url, payment('A'))
      await until(() => pending.length === 1)
      await check(url, payment('A'), { status: 409, headers: { 'retry-after': '1' } })
      time.advance(30_000)
      const second = send(url, payment('A'))
      await until(() => pending.length === 2)
      pending[1]?.writeHead(201).end('second')
      expect(await second).toMatchObject({ status: 201, text: 'second' })
      pending[0]?.end('first')
      expect(await first).toMatchObject({ status: 409, headers: { 'retry-after': '1' } })
      await check(url, payment('A'), { status: 201, body: 'second', headers: REPLAYED })
      expect(generations).toEqual([1, 2])
    })
  })

  test('14 tells that the outcome is unknown where orphans are rejected', async () => {
    const time = clock()
    let isPending = false
    const handler: Handler = () => void (isPending = true)
    const middleware = idempotent({ store: memory({ now: time.now }), orphan: 'reject' })
    await serve(host, { middlewares: [middleware], handler }, async (url) => {
      send(url, payment('A')).catch(() => {})
      await until(() => isPending)
      time.advance(30_000)
      await check(url, payment('A'), { status: 409, headers: { 'retry-after': undefined }, body: /took effect/ })
    })
  })

  test('16 runs again after 24 hours, counted from the answer', async () => {
    const time = clock()
    const { handler } = counting()
    await serve(host, { middlewares: [idempotent({ store: memory({ now: time.now }) })], handler }, async (url) => {
      await check(url, payment('A'), { body: '{"id":1}' })
      time.advance(86_399_999)
      await check(url, payment('A'), { body: '{"id":1}', headers: REPLAYED })
      time.advance(1)
      await check(url, payment('A'), { body: '{"id":2}', headers: FRESH })
    })
  })

  test.each(['before', 'behind'])('17 codes a replay as its own request asks, with the coder %s', async (place) => {
    const coders: Record<string, (bytes: Buffer) => Buffer> = { gzip: gzipSync, br: brotliCompressSync }
    const coder: Middleware = (req, res, next) => {
      const coding = String(req.headers['accept-encoding'])
      const code = coders[coding]
      if (code)
        tap(req, res, {
          head() {
            res.setHeader('Content-Encoding', coding)
            res.setHeader('Vary', 'Accept-Encoding')
          },
          end: (last, onward) => onward.end(code(last ?? Buffer.alloc(0))),
        })
      next()
    }
    const { handler } = counting()
    const middlewares = place === 'before' ? [coder, idempotent()] : [idempotent(), coder]
    await serve(host, { middlewares, handler }, async (url) => {
      const first = await send(url, payment('A', { headers: { 'Accept-Encoding': 'gzip' } }))
      expect(gunzipSync(first.body).toString()).toBe('{"id":1}')
      const second = await send(url, payment('A', { headers: { 'Accept-Encoding': 'br' } }))
      const isCoded = second.headers['content-encoding'] === 'br'
      expect((isCoded ? brotliDecompressSync(second.body) : second.body).toString()).toBe('{"id":1}')
      expect(isCoded).toBe(place === 'before')
      expect(second.headers['idempotent-replayed']).toBe('true')
    })
  })

  test('18 replays what is stored whatever the retry accepts', async () => {
    const { handler } = counting()
    await serve(host, { middlewares: [idempotent()], handler }, async (url) => {
      await check(url, payment('A', { headers: { Accept: 'application/json' } }), { status: 201 })
      const retry = payment('A', { headers: { Accept: 'application/xml' } })
      await check(url, retry, { status: 201, headers: { ...REPLAYED, 'content-type': 'application/json' } })
    })
  })

  test('19 replays a PATCH before its old If-Match would fail', async () => {
    let tag = '"1"'
    const precondition = refusing(412, (req) => req.headers['if-match'] !== tag)
    const handler: Handler = (_req, res) => {
      tag = '"2"'
      res.setHeader('ETag', tag)
      res.end('changed')
    }
    await serve(host, { middlewares: [idempotent(), precondition], handler }, async (url) => {
      const patch = payment('A', { method: 'PATCH', headers: { 'If-Match': '"1"' } })
      await check(url, patch, { status: 200, body: 'changed' })
      await check(url, patch, { status: 200, body: 'changed', headers: { ...REPLAYED, etag: '"2"' } })
    })
  })

  test('20 shows no answer to somebody who may not see it any more', async () => {
    let isRevoked = false
    const { handler } = counting()
    await serve(host, { middlewares: [refusing(401, () => isRevoked), idempotent()], handler }, async (url) => {
      await check(url, payment('A', { headers: { Authorization: 'Bearer x' } }), { status: 201 })
      isRevoked = true
      await check(url, payment('A', { headers: { Authorization: 'Bearer x' } }), {
        status: 401,
        body: '',
        headers: FRESH,
      })
    })
  })

  test('21 keeps no cookie, no rate limit and no fields of the moment', async () => {
    const handler: Handler = (_req, res) => {
      const momentary = { 'Set-Cookie': 'a=1', RateLimit: '"x";r=1', 'Retry-After': '9', 'X-RateLimit-Limit': '5' }
      for (const [name, value] of Object.entries(momentary)) res.setHeader(name, value)
      res.setHeader('X-Correlation-ID', 'c-1')
      res.setHeader('X-Own', 'kept')
      res.end('x')
    }
    await serve(host, { middlewares: [idempotent({ fields: 'all' })], handler }, async (url) => {
      await check(url, payment('A'), { headers: { 'set-cookie': 'a=1' } })
      const gone = {
        'set-cookie': undefined,
        ratelimit: undefined,
        'retry-after': undefined,
        'x-ratelimit-limit': undefined,
      }
      const kept = { 'x-own': 'kept', 'idempotent-original-correlation-id': 'c-1', 'x-correlation-id': undefined }
      await check(url, payment('A'), { headers: { ...REPLAYED, ...gone, ...kept } })
    })
  })

  test('22 keeps the answer for a client that went away', async () => {
    let pending: ServerResponse | undefined
    let isClosed = false
    const handler: Handler = (_req, res) => {
      pending = res
      res.once('close', () => void (isClosed = true))
    }
    await serve(host, { middlewares: [idempotent()], handler }, async (url) => {
      const headers = { 'Idempotency-Key': 'A', 'Content-Length': '2' }
      const impatient = request(`${url}/payments`, { method: 'POST', headers, agent: false })
      impatient.on('error', () => {}).end('{}')
      await until(() => pending !== undefined)
      impatient.destroy()
      await until(() => isClosed)
      pending?.writeHead(201).end('done')
      const retry = { method: 'POST', path: '/payments', headers: { 'Idempotency-Key': 'A' }, body: '{}' }
      await check(url, retry, { status: 201, body: 'done', headers: REPLAYED })
    })
  })

  test('23 does not look at a key on PUT', async () => {
    const { handler } = counting()
    await serve(host, { middlewares: [idempotent()], handler }, async (url) => {
      await check(url, payment('A', { method: 'PUT' }), { body: '{"id":1}' })
      await check(url, payment('A', { method: 'PUT' }), { body: '{"id":2}', headers: FRESH })
      await check(url, payment('"', { method: 'PUT' }), { body: '{"id":3}' })
    })
  })

  test('25 answers 422 to the same body for another version', async () => {
    const { handler } = counting()
    const version = (req: { headers: Record<string, unknown> }) => String(req.headers['api-version'])
    await serve(host, { middlewares: [idempotent({ version })], handler }, async (url) => {
      await check(url, payment('A', { headers: { 'API-Version': '1' } }), { status: 201 })
      await check(url, payment('A', { headers: { 'API-Version': '2' } }), { status: 422 })
    })
  })

  test('26 lets a large answer through, and tells a retry that it was not kept', async () => {
    const large = Buffer.alloc(2 * 1024 * 1024, 'x')
    const handler: Handler = (_req, res) => {
      res.setHeader('Location', '/payments/1')
      res.end(large)
    }
    await serve(host, { middlewares: [idempotent()], handler }, async (url) => {
      const first = await check(url, payment('A'), { status: 200 })
      expect(first.body.equals(large)).toBe(true)
      await check(url, payment('A'), { status: 409, headers: { location: '/payments/1' }, body: /too large/ })
    })
  })
})
