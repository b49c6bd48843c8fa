import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { type Representation, sendRepresentation } from '@svc/negotiate'
import { prepareRepresentation, sendPrepared } from '@svc/negotiate/prepared'
import { describe, expect, test } from 'vitest'
import { send } from '../../internal/testing/check.ts'
import { hosts } from '../../internal/testing/hosts.ts'
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
