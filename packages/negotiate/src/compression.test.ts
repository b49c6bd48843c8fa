import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type CompressionOptions, compression, filter } from '@svc/negotiate/compression'
import compressionPeer from 'compression'
import type { Request } from 'express'
import { describe, expect, test } from 'vitest'
import type { IncomingMessage, Middleware } from '../../internal/middleware.ts'
import { type Answer, send } from '../../internal/testing/check.ts'
import { hostsWithHttp2 as hosts } from '../../internal/testing/hosts.ts'
import { type Handler, serving, TEXT, toText } from './testing/running.ts'

function answerOf(
  middleware: Middleware,
  handler: Handler,
  headers: Record<string, string>,
  method = 'GET',
  host = 'node:http',
): Promise<Answer> {
  return serving(host, { middlewares: [middleware], handler }, (url) => send(url, { headers, method }))
}

const sending =
  (fields: Record<string, string>, status = 200, body: string | Buffer = TEXT): Handler =>
  (_req, res) => {
    res.statusCode = status
    for (const [name, value] of Object.entries(fields)) res.setHeader(name, value)
    res.end(body)
  }

const handlers: Record<string, Handler> = {
  whole: sending({ 'Content-Type': 'application/json' }),
  chunks: (_req, res) => {
    res.setHeader('Content-Type', 'text/plain')
    res.write(TEXT)
    res.end('end')
  },
  small: sending({ 'Content-Type': 'application/json' }, 200, '{}'),
  picture: sending({ 'Content-Type': 'image/png' }),
  untyped: sending({}),
  private: sending({ 'Content-Type': 'text/css', 'Cache-Control': 'public, no-transform' }),
  error: sending({ 'Content-Type': 'text/html' }, 500),
  varying: sending({ 'Content-Type': 'text/html', Vary: 'Origin' }),
  weak: sending({ 'Content-Type': 'text/html', ETag: 'W/"w"' }),
  encoded: sending({ 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }, 200, gzipSync(TEXT)),
}
const fields = [
  undefined,
  'gzip',
  'br',
  'deflate',
  'gzip, br',
  'br;q=0.1, gzip',
  '*',
  'gzip;q=0',
  'identity',
  'compress',
  '*;q=0',
]
const settings: CompressionOptions[] = [
  {},
  { threshold: 0 },
  { threshold: '2kb' },
  { threshold: 10_000 },
  { level: 1 },
  { enforceEncoding: 'gzip' },
]

describe('compression responds like the peer', () => {
  const rows = Object.keys(handlers).flatMap((name) => settings.map((options) => ({ name, options })))

  test.each(rows)('$name with $options', async ({ name, options }) => {
    const peer = compressionPeer({ ...options }) as unknown as Middleware
    for (const field of fields) {
      const headers: Record<string, string> = field === undefined ? {} : { 'accept-encoding': field }
      const brief = (answer: Answer) => [
        field,
        answer.status,
        answer.headers['content-encoding'],
        answer.headers['content-type'],
        answer.headers['etag'],
        answer.headers['vary'],
        toText(answer),
      ]
      const ours = await answerOf(compression(options), handlers[name] as Handler, headers)
      const peers = await answerOf(peer, handlers[name] as Handler, headers)
      expect(brief(ours)).toEqual(brief(peers))
    }
  })

  test('calls the same filter', async () => {
    const options = { filter: (req: Request) => req.headers['x-no'] === undefined }
    for (const headers of [{ 'accept-encoding': 'gzip' }, { 'accept-encoding': 'gzip', 'x-no': '1' }]) {
      const ours = await answerOf(compression(options), handlers['untyped'] as Handler, headers)
      const peers = await answerOf(
        compressionPeer(options) as unknown as Middleware,
        handlers['untyped'] as Handler,
        headers,
      )
      expect([toText(ours), ours.headers['content-encoding']]).toEqual([
        toText(peers),
        peers.headers['content-encoding'],
      ])
    }
    expect(filter({} as IncomingMessage, { getHeader: () => 'text/html' } as unknown as ServerResponse)).toBe(true)
  })
})

test('sends a compressed body in chunks, as the peer does', async () => {
  for (const middleware of [compression(), compressionPeer() as unknown as Middleware]) {
    const answer = await answerOf(middleware, handlers['whole'] as Handler, { 'accept-encoding': 'gzip' })
    expect([answer.headers['transfer-encoding'], answer.headers['content-length']]).toEqual(['chunked', undefined])
  }
})

describe.each(Object.keys(hosts))('compression differs from the peer on %s', (host) => {
  const both = async (handler: Handler, headers: Record<string, string>, method = 'GET') => [
    await answerOf(compression(), handler, headers, method, host),
    await answerOf(compressionPeer() as unknown as Middleware, handler, headers, method, host),
  ]
  const strong = sending({ 'Content-Type': 'text/html', ETag: '"s"', 'Content-Length': String(TEXT.length) })

  test('a strong ETag names its encoding, and is recognized', async () => {
    const [ours, peers] = await both(strong, { 'accept-encoding': 'gzip' })
    expect([ours?.headers['etag'], peers?.headers['etag']]).toEqual(['"s.gzip"', '"s"'])
    const [again] = await both(strong, { 'accept-encoding': 'gzip', 'if-none-match': '"s.gzip"' })
    expect([again?.status, again?.headers['vary']]).toEqual([304, 'Accept-Encoding'])
  })

  test('HEAD has the encoding of GET, and no length of another body', async () => {
    const [ours, peers] = await both(strong, { 'accept-encoding': 'gzip' }, 'HEAD')
    expect([ours?.headers['content-encoding'], ours?.headers['content-length']]).toEqual(['gzip', undefined])
    expect([peers?.headers['content-encoding'], peers?.headers['content-length']]).toEqual([
      undefined,
      String(TEXT.length),
    ])
  })

  test('does not change a partial response', async () => {
    const part = sending({ 'Content-Type': 'text/html', 'Content-Range': 'bytes 0-1999/9999' }, 206)
    const [ours, peers] = await both(part, { 'accept-encoding': 'gzip' })
    expect([ours?.headers['content-encoding'], peers?.headers['content-encoding']]).toEqual([undefined, 'gzip'])
  })

  test('x-gzip is gzip', async () => {
    const [alias, none] = await both(handlers['whole'] as Handler, { 'accept-encoding': 'x-gzip' })
    expect([alias?.headers['content-encoding'], none?.headers['content-encoding']]).toEqual(['gzip', undefined])
  })

  test('recognizes a small body after writeHead too', async () => {
    const handler: Handler = (_req, res) => void res.writeHead(200, { 'Content-Type': 'text/html' }).end('small')
    const [ours, peers] = await both(handler, { 'accept-encoding': 'gzip' })
    expect([ours?.headers['content-encoding'], peers?.headers['content-encoding']]).toEqual([undefined, 'gzip'])
  })

  test('compresses chunks as they arrive', async () => {
    const [ours, peers] = await both(handlers['chunks'] as Handler, { 'accept-encoding': 'br' })
    expect(ours && toText(ours)).toBe(`${TEXT}end`)
    expect(ours?.headers['content-encoding']).toBe(peers?.headers['content-encoding'])
  })

  test('compresses a small body for a client that excludes identity', async () => {
    const [ours, peers] = await both(handlers['small'] as Handler, { 'accept-encoding': 'identity;q=0, gzip' })
    expect([ours?.headers['content-encoding'], peers?.headers['content-encoding']]).toEqual(['gzip', undefined])
  })
})

test.each([
  [{ treshold: 1 }, 'negotiate: compression: unknown option "treshold", did you mean "threshold"?'],
  [{ threshold: 'much' }, 'negotiate: compression: threshold must be a size such as \'1kb\', got "much"'],
  [{ filter: true }, 'negotiate: compression: filter must be a function, got true'],
])('compression rejects %j', (options, message) => {
  expect(() => compression(options as CompressionOptions)).toThrow(message)
})

test('evaluates no condition except If-None-Match', async () => {
  const handler = sending({ 'Content-Type': 'text/css', ETag: '"a"', 'Last-Modified': 'Fri, 20 Nov 2026 10:00:00 GMT' })
  const statusOf = async (headers: Record<string, string>): Promise<number> =>
    (await answerOf(compression(), handler, { 'accept-encoding': 'gzip', ...headers })).status
  expect(await statusOf({ 'if-match': '"b"' })).toBe(200)
  expect(await statusOf({ 'if-modified-since': 'Fri, 20 Nov 2026 10:00:00 GMT' })).toBe(200)
  expect(await statusOf({ 'if-none-match': '"a.gzip"' })).toBe(304)
})
