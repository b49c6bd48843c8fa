import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { type Representation, sendRepresentation } from '@svc/negotiate'
import { type PreparableRepresentation, prepareRepresentation, sendPrepared } from '@svc/negotiate/prepared'
import { describe, expect, test, vi } from 'vitest'
import { send } from '../../internal/testing/check.ts'
import { hosts, hostsWithHttp2 } from '../../internal/testing/hosts.ts'
import { type Handler, json, serving, TEXT } from './testing/running.ts'

const LENGTH = Buffer.byteLength(TEXT)

/** Sends a body with these headers of the app. */
const bodies: Record<string, (headers: Representation['headers'] & {}) => Handler> = {
  text: (headers) => (req, res) => sendRepresentation(req, res, { type: json, headers, body: TEXT }),
  bytes: (headers) => (req, res) => sendRepresentation(req, res, { type: json, headers, body: Buffer.from(TEXT) }),
  'a stream': (headers) => (req, res) =>
    sendRepresentation(req, res, { type: json, headers, body: Readable.from([TEXT]) }),
  'a prepared representation': (headers) => (req, res) =>
    sendPrepared(req, res, prepareRepresentation({ type: json, headers, body: TEXT })),
  'a prepared representation, with headers of one response': (headers) => {
    const prepared = prepareRepresentation({ type: json, body: TEXT })
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)])
    return (req, res) => sendPrepared(req, res, prepared, Object.fromEntries(texts))
  },
}

describe.each(Object.keys(hosts))('headers of a representation in any case on %s', (host) => {
  const lines = (handler: Handler, headers = {}): Promise<string[]> =>
    serving(host, { middlewares: [], handler }, async (url) => {
      const res = await new Promise<IncomingMessage>((resolve) => request(url, { headers }, resolve).end())
      res.resume()
      return res.rawHeaders.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text))
    })

  test.each(['Cache-Control', 'cache-control'])('%s forbids to compress', async (name) => {
    const headers = { [name]: 'private, No-Transform' }
    for (const body of ['text', 'a stream', 'a prepared representation'])
      expect(await lines(bodies[body]?.(headers) as Handler, { 'accept-encoding': 'gzip' })).not.toContain(
        'content-encoding',
      )
  })

  test('are sent once, and those of the representation itself win', async () => {
    const headersOfApp = {
      'content-type': 'text/plain',
      'content-language': 'de',
      etag: '"x"',
      'last-modified': 'x',
      'cache-control': 'public',
    }
    const handler: Handler = (req, res) =>
      sendRepresentation(req, res, {
        type: json,
        language: 'en',
        etag: '"a"',
        lastModified: Date.UTC(2026, 10, 20),
        cacheControl: 'private',
        headers: headersOfApp,
        body: TEXT,
      })
    const sent = await lines(handler)
    const names = sent.filter((_text, index) => index % 2 === 0)
    for (const name of Object.keys(headersOfApp))
      expect([name, names.filter((other) => other === name).length]).toEqual([name, 1])
    expect(sent).toEqual(expect.arrayContaining([json, 'en', '"a"', 'Fri, 20 Nov 2026 00:00:00 GMT', 'private']))
    const notModified = await lines(handler, { 'if-none-match': '"a"' })
    for (const name of ['content-type', 'content-language']) expect(notModified).not.toContain(name)
  })

  test.each(['Vary', 'vary', 'VARY'])('%s of one response is added to an earlier Vary', async (name) => {
    const prepared = prepareRepresentation({ type: 'image/png', body: TEXT })
    const sent = await lines((req, res) => {
      res.setHeader('Vary', 'Accept')
      sendPrepared(req, res, prepared, { [name]: 'Origin' })
    })
    expect(sent[sent.indexOf('vary') + 1]).toBe('Accept, Origin')
  })
})

describe.each(Object.keys(hostsWithHttp2))('headers of one response on %s', (host) => {
  const ask = async (representation: PreparableRepresentation, added: Record<string, string>, headers = {}) => {
    const prepared = prepareRepresentation(representation)
    const handler: Handler = (req, res) => sendPrepared(req, res, prepared, added)
    return await serving(host, { middlewares: [], handler }, async (url) => {
      await send(url, { headers })
      return await send(url, { headers })
    })
  }
  const cacheable: PreparableRepresentation = { type: json, body: '{}', version: 1, cacheControl: 'public, max-age=60' }

  test.each([
    ['Content-Type', 'Cache-Control'],
    ['content-type', 'CACHE-CONTROL'],
  ])('replace those of a prepared representation: %s, %s (RFC 9110 §5.3)', async (type, cacheControl) => {
    const { headers } = await ask(cacheable, { [cacheControl]: 'no-store', 'X-Own': '1', [type]: 'text/plain' })
    expect([headers['content-type'], headers['cache-control'], headers['x-own']]).toEqual([
      'text/plain',
      'no-store',
      '1',
    ])
  })

  test('are those of the 304 too, except for its content', async () => {
    const { etag = '' } = (await ask(cacheable, {})).headers
    const added = { 'Content-Type': 'text/plain', 'Content-Digest': 'x', 'Cache-Control': 'no-store' }
    const { status, headers } = await ask(cacheable, added, { 'if-none-match': etag })
    expect([status, headers['cache-control'], headers['content-type'], headers['content-digest']]).toEqual([
      304,
      'no-store',
      undefined,
      undefined,
    ])
  })

  test('are added to Vary and Link', async () => {
    const representation = { ...cacheable, vary: ['Accept'], headers: { Link: '</a>; rel="a"' } }
    const { headers } = await ask(representation, { vary: 'Origin, accept', link: '</b>; rel="b"' })
    expect([headers['vary'], headers['link']]).toEqual([
      'Accept, Accept-Encoding, Origin',
      '</a>; rel="a", </b>; rel="b"',
    ])
  })
})

describe.each(Object.keys(hosts))('Last-Modified on %s', (host) => {
  const lastModified = Date.now() + 3_600_000
  const prepared = prepareRepresentation({ type: json, body: '{}', lastModified })
  test.each<[string, Handler]>([
    ['a representation', (req, res) => sendRepresentation(req, res, { type: json, body: '{}', lastModified })],
    ['a prepared representation', (req, res) => sendPrepared(req, res, prepared)],
  ])('of %s is never later than now (RFC 9110 §8.8.2.1)', async (_title, handler) => {
    const { headers } = await serving(host, { middlewares: [], handler }, (url) => send(url))
    const sent = Date.parse(headers['last-modified'] ?? '')
    expect([sent <= Date.now(), sent > Date.now() - 60_000]).toEqual([true, true])
  })

  test('of a prepared representation is that of the time when it is sent', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      await serving(host, { middlewares: [], handler: (req, res) => sendPrepared(req, res, prepared) }, async (url) => {
        vi.setSystemTime(lastModified + 60_000)
        expect((await send(url)).headers['last-modified']).toBe(new Date(lastModified).toUTCString())
      })
    } finally {
      vi.useRealTimers()
    }
  })
})

describe.each(Object.keys(hosts))('headers of the app about the size on %s (RFC 9112 §6.2)', (host) => {
  describe.each([
    ['Content-Length', { 'Content-Length': LENGTH }],
    ['content-length', { 'content-length': LENGTH }],
    ['Transfer-Encoding', { 'Transfer-Encoding': 'chunked' }],
  ])('%s', (_name, headers) => {
    test.each(Object.keys(bodies))('does not change the size of %s', async (body) => {
      const handler = bodies[body]?.(headers) as Handler
      await serving(host, { middlewares: [], handler }, async (url) => {
        for (const method of ['GET', 'HEAD']) {
          const plain = await send(url, { method })
          const coded = await send(url, { method, headers: { 'accept-encoding': 'gzip' } })
          expect(coded.headers['content-encoding']).toBe('gzip')
          expect([plain.body.length, coded.body.length > 0]).toEqual(method === 'GET' ? [LENGTH, true] : [0, false])
          if (method === 'GET') expect([plain.text, gunzipSync(coded.body).toString()]).toEqual([TEXT, TEXT])
          const isStream = body === 'a stream'
          expect(plain.headers['content-length']).toBe(
            isStream && 'Transfer-Encoding' in headers ? undefined : String(LENGTH),
          )
          expect(coded.headers['content-length']).toEqual(isStream ? undefined : expect.stringMatching(/^\d{3}$/))
        }
      })
    })
  })

  test('are not sent with a 204 or a 304', async () => {
    const headers = { 'content-length': '0', 'Transfer-Encoding': 'chunked' }
    const handler: Handler = (req, res) =>
      sendRepresentation(req, res, { status: req.url === '/none' ? 204 : 200, headers, body: '', etag: '"a"' })
    await serving(host, { middlewares: [], handler }, async (url) => {
      for (const literal of [{ path: '/none' }, { headers: { 'if-none-match': '"a"' } }]) {
        const answer = await send(url, literal)
        expect([204, 304]).toContain(answer.status)
        expect([answer.headers['content-length'], answer.headers['transfer-encoding']]).toEqual([undefined, undefined])
      }
    })
  })
})
