import { request } from 'node:http'
import { connect } from 'node:http2'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { interceptResponse } from '../../internal/intercept-response.ts'
import type { Middleware, ServerResponse } from '../../internal/middleware.ts'
import { check, send } from '../../internal/testing/check.ts'
import { openPlaces } from './testing/places.ts'
import { counting, type Handler, payment, refusing, until } from './testing/service.ts'

const REPLAYED = { 'idempotent-replayed': 'true' }
const FRESH = { 'idempotent-replayed': undefined }
const { places, missing, close } = await openPlaces()

afterAll(close)
test.skip.each(missing)('with keys in %s (needs its server: Redis or PostgreSQL)', () => {})

// The numbers are those of the sequences that the package promises to get right.
describe.each(places)('with keys in %s', (_, { run }) => {
  test.each(['before', 'after'])(
    '17 compresses a replay as its own request prefers, with the encoder %s',
    async (place) => {
      const encoders: Record<string, (body: Buffer | string) => Buffer> = { gzip: gzipSync, br: brotliCompressSync }
      const compress: Middleware = (req, res, next) => {
        const encoding = String(req.headers['accept-encoding'])
        const encode = encoders[encoding]
        if (encode)
          interceptResponse(req, res, {
            head() {
              res.setHeader('Content-Encoding', encoding)
              res.setHeader('Vary', 'Accept-Encoding')
            },
            end: (last, downstream) => downstream.end(encode(last ?? '')),
          })
        next()
      }
      const { handler } = counting()
      await run({ handler, [place]: [compress] }, async (url) => {
        const first = await send(url, payment('A', { headers: { 'Accept-Encoding': 'gzip' } }))
        expect(gunzipSync(first.body).toString()).toBe('{"id":1}')
        const second = await send(url, payment('A', { headers: { 'Accept-Encoding': 'br' } }))
        const isCompressed = second.headers['content-encoding'] === 'br'
        expect((isCompressed ? brotliDecompressSync(second.body) : second.body).toString()).toBe('{"id":1}')
        expect(isCompressed).toBe(place === 'before')
        expect(second.headers['idempotent-replayed']).toBe('true')
      })
    },
  )

  test('18 replays the stored response regardless of the Accept of the retry', async () => {
    const { handler } = counting()
    await run({ handler }, async (url) => {
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
    await run({ handler, after: [precondition] }, async (url) => {
      const patch = payment('A', { method: 'PATCH', headers: { 'If-Match': '"1"' } })
      await check(url, patch, { status: 200, body: 'changed' })
      await check(url, patch, { status: 200, body: 'changed', headers: { ...REPLAYED, etag: '"2"' } })
    })
  })

  test('20 shows no response to a user who is no longer authorized', async () => {
    let isRevoked = false
    const { handler } = counting()
    await run({ handler, before: [refusing(401, () => isRevoked)] }, async (url) => {
      await check(url, payment('A', { headers: { Authorization: 'Bearer x' } }), { status: 201 })
      isRevoked = true
      await check(url, payment('A', { headers: { Authorization: 'Bearer x' } }), {
        status: 401,
        body: '',
        headers: FRESH,
      })
    })
  })

  test('21 stores no cookies, no rate limits and no headers of the moment', async () => {
    const handler: Handler = (_req, res) => {
      const momentary = { 'Set-Cookie': 'a=1', RateLimit: '"x";r=1', 'Retry-After': '9', 'X-RateLimit-Limit': '5' }
      for (const [name, value] of Object.entries(momentary)) res.setHeader(name, value)
      res.setHeader('X-Correlation-ID', 'c-1')
      res.setHeader('X-Own', 'kept')
      res.end('x')
    }
    await run({ handler, options: { storedHeaders: 'all' } }, async (url) => {
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

  test('22 stores the response for a client that disconnected', async () => {
    let pending: ServerResponse | undefined
    let isClosed = false
    const handler: Handler = (_req, res) => {
      pending = res
      res.once('close', () => void (isClosed = true))
    }
    await run({ handler }, async (url) => {
      const disconnect = startPayment(url)
      await until(() => pending !== undefined)
      disconnect()
      await until(() => isClosed)
      pending?.writeHead(201).end('done')
      const patient = { 'Idempotency-Key': 'A', Prefer: 'wait=15' }
      const retry = { method: 'POST', path: '/payments', headers: patient, body: '{}' }
      await check(url, retry, { status: 201, body: 'done', headers: REPLAYED })
    })
  })

  test('23 ignores a key on PUT', async () => {
    const { handler } = counting()
    await run({ handler }, async (url) => {
      await check(url, payment('A', { method: 'PUT' }), { body: '{"id":1}' })
      await check(url, payment('A', { method: 'PUT' }), { body: '{"id":2}', headers: FRESH })
      await check(url, payment('"', { method: 'PUT' }), { body: '{"id":3}' })
    })
  })

  test('25 returns 422 for the same body with another version', async () => {
    const { handler } = counting()
    const version = (req: { headers: Record<string, unknown> }) => String(req.headers['api-version'])
    await run({ handler, options: { version } }, async (url) => {
      await check(url, payment('A', { headers: { 'API-Version': '1' } }), { status: 201 })
      await check(url, payment('A', { headers: { 'API-Version': '2' } }), { status: 422 })
    })
  })

  test('26 sends a large response, and reports to a retry that it was not stored', async () => {
    const large = Buffer.alloc(2 * 1024 * 1024, 'x')
    const handler: Handler = (_req, res) => {
      res.setHeader('Location', '/payments/1')
      res.end(large)
    }
    await run({ handler }, async (url) => {
      const first = await check(url, payment('A'), { status: 200 })
      expect(first.body.equals(large)).toBe(true)
      await check(url, payment('A'), { status: 409, headers: { location: '/payments/1' }, body: /too large/ })
    })
  })
})

/** Sends a payment with the key A. Returns a function that disconnects before the response. */
function startPayment(url: string): () => void {
  const headers = { 'idempotency-key': 'A', 'content-length': '2' }
  if (!url.startsWith('http2:')) {
    const sent = request(`${url}/payments`, { method: 'POST', headers, agent: false })
    sent.on('error', () => {}).end('{}')
    return () => void sent.destroy()
  }
  const session = connect(url.replace('http2:', 'http:')).on('error', () => {})
  const stream = session.request({ ':method': 'POST', ':path': '/payments', ...headers }).on('error', () => {})
  stream.end('{}')
  return () => session.destroy()
}
