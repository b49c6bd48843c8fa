import { Readable } from 'node:stream'
import { sendRepresentation } from '@svc/negotiate'
import { etagFromContent } from '@svc/negotiate/etags'
import {
  type OwnRepresentation,
  type PreparableRepresentation,
  type PreparedRepresentation,
  prepareRepresentation,
  sendPrepared,
} from '@svc/negotiate/prepared'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Answer, check, send } from '../../internal/testing/check.ts'
import { hosts, listen, type RunningHost } from '../../internal/testing/hosts.ts'
import { LARGE, TEXT } from './testing/running.ts'

beforeEach(() => void vi.spyOn(process, 'emitWarning').mockImplementation(() => {}))

const json = 'application/json; charset=utf-8'
const LAST_MODIFIED = Date.UTC(2026, 10, 20, 10, 0, 0, 250)

const resources: Record<string, PreparableRepresentation> = {
  '/hashed': { type: json, body: TEXT },
  '/versioned': { type: json, body: TEXT, version: 7, cacheControl: 'private, no-cache', vary: ['Accept'] },
  '/dated': { type: json, body: TEXT, etag: false, lastModified: LAST_MODIFIED },
  '/own': { type: json, body: TEXT, etag: '"mine"', language: 'en' },
  '/small': { type: json, body: '{}', version: 7, lastModified: LAST_MODIFIED },
  '/photo': { type: 'image/png', body: Buffer.alloc(5000, 'png') },
  '/secret': { type: json, body: TEXT, compress: false },
  '/large': { type: json, body: LARGE },
  '/umlauts': { type: json, body: '"ä€😀"'.repeat(400) },
  '/several': {
    type: json,
    body: TEXT,
    headers: { Link: ['</a>; rel="a"', '</b>; rel="b"'], vary: 'Origin', 'set-cookie': 'c=3' },
  },
}
const prepared = new Map<string, PreparedRepresentation>()
/** Other items, whose representations have the same headers. */
const firsts = new Map<string, PreparedRepresentation>()
const OWN = { 'X-Own': '1' }
const ADDED = { vary: 'Accept', link: '</c>; rel="c"', 'Set-Cookie': 'd=4' }

const ownOf = ({ body, version, variant, etag, lastModified }: PreparableRepresentation): OwnRepresentation => ({
  body,
  version,
  variant,
  etag,
  lastModified,
})
const toOther = (representation: PreparableRepresentation): PreparableRepresentation => ({
  ...representation,
  body: `"other"${TEXT}`,
  ...(representation.version !== undefined && { version: 1, variant: 'other' }),
  ...(representation.etag && { etag: '"other"' }),
  ...(representation.lastModified !== undefined && { lastModified: 0 }),
})

const requests: Record<string, string>[] = [
  {},
  { 'accept-encoding': 'gzip' },
  { 'accept-encoding': 'br;q=0.5, gzip;q=0.1' },
  { 'accept-encoding': 'identity;q=0' },
  { 'accept-encoding': 'identity;q=0, x;q=1' },
  { 'accept-encoding': '*;q=0' },
  { 'if-none-match': '*' },
  { 'if-none-match': '"mine"' },
  { 'if-none-match': '"mine.gzip"', 'accept-encoding': 'gzip, br' },
  { 'if-match': '"other"' },
  { 'if-none-match': '"mine"', 'if-match': '"other"' },
  { 'if-none-match': '"mine"', 'if-unmodified-since': 'Thu, 19 Nov 2026 10:00:00 GMT' },
  { 'if-none-match': '"mine"', 'if-modified-since': 'Thu, 19 Nov 2026 10:00:00 GMT' },
  { 'if-modified-since': 'Fri, 20 Nov 2026 10:00:00 GMT' },
  { 'if-unmodified-since': 'Thu, 19 Nov 2026 10:00:00 GMT' },
]

const facts = ({ status, headers: { date: _, ...headers }, body, text }: Answer): object =>
  status < 400 ? { status, headers, body } : { status, code: text && JSON.parse(text).code }

describe.each(Object.keys(hosts))('sendPrepared on %s', (name) => {
  let host: RunningHost
  beforeAll(async () => {
    host = await listen(
      (hosts[name] as (typeof hosts)[string])({
        middlewares: [],
        handler(req, res) {
          const [path = '', kind] = (req.url ?? '').split('?')
          const representation = resources[path] as PreparableRepresentation
          if (kind === 'vary' || kind === 'added') res.setHeader('Vary', 'Cookie')
          if (kind === 'added') res.setHeader('Link', '</>; rel="home"').setHeader('Set-Cookie', ['a=1', 'b=2'])
          const headers = { ...representation.headers, ...OWN }
          if (kind === 'plain') return sendRepresentation(req, res, { ...representation, headers })
          const ready = prepared.get(path) ?? prepareRepresentation(representation)
          prepared.set(path, ready)
          const first = firsts.get(path) ?? prepareRepresentation(toOther(representation))
          firsts.set(path, first)
          if (kind === 'first') sendPrepared(req, res, first, OWN)
          else if (kind === 'added' || kind === 'own') sendPrepared(req, res, ready, ADDED)
          else if (kind === 'other') sendPrepared(req, res, first.prepareOther(ownOf(representation)), OWN)
          else sendPrepared(req, res, ready, OWN)
        },
      }),
    )
  })
  afterAll(() => host.close())

  test.each(Object.keys(resources))('sends %s like sendRepresentation, the first time and later', async (path) => {
    for (const headers of requests) {
      for (const method of ['GET', 'HEAD']) {
        const expected = facts(await send(host.url, { path: `${path}?plain`, method, headers }))
        for (let time = 0; time < 2; time++)
          expect(facts(await send(host.url, { path, method, headers })), JSON.stringify(headers)).toEqual(expected)
      }
    }
  })

  test.each(Object.keys(resources))('sends %s with the headers of another item, and its own values', async (path) => {
    for (const headers of requests) {
      await send(host.url, { path: `${path}?first`, headers })
      const expected = facts(await send(host.url, { path: `${path}?plain`, headers }))
      expect(facts(await send(host.url, { path: `${path}?other`, headers })), JSON.stringify(headers)).toEqual(expected)
    }
  })

  test('returns 304 to the ETag of each encoding', async () => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const first = await send(host.url, { path: '/hashed', headers: { 'accept-encoding': encoding } })
      const etag = first.headers['etag'] ?? ''
      const headers = { 'accept-encoding': encoding, 'if-none-match': etag }
      await check(host.url, { path: '/hashed', headers }, { status: 304, headers: { etag, 'content-type': undefined } })
    }
  })

  test('keeps the Vary of earlier middleware', async () => {
    const vary = 'Cookie, Accept, Accept-Encoding'
    await check(host.url, { path: '/versioned?vary' }, { status: 200, headers: { vary } })
  })

  test('adds Vary, Link and Set-Cookie to those of earlier middleware and of the representation', async () => {
    const links = ['</>; rel="home"', '</a>; rel="a"', '</b>; rel="b"', '</c>; rel="c"']
    const vary = 'Cookie, Origin, Accept-Encoding, Accept'
    const headers = { vary, link: links.join(', '), 'set-cookie': 'a=1, b=2, c=3, d=4' }
    await check(host.url, { path: '/several?added' }, { status: 200, headers })
    await check(host.url, { path: '/several?added', headers: { 'if-none-match': '*' } }, { status: 304, headers })
    const none = { link: '</>; rel="home", </c>; rel="c"', 'set-cookie': 'a=1, b=2, d=4' }
    await check(host.url, { path: '/hashed?added' }, { status: 200, headers: none })
    for (let time = 0; time < 2; time++)
      await check(host.url, { path: '/several?own' }, { status: 200, headers: { 'set-cookie': 'c=3, d=4' } })
  })
})

test('prepareOther takes nothing of the item itself from the first one', () => {
  const first = prepareRepresentation({ type: json, body: '{}', etag: '"mine"', lastModified: LAST_MODIFIED })
  const res = { getHeader: () => undefined, writeHead: vi.fn(), end: vi.fn() }
  sendPrepared({ headers: {} } as never, res as never, first.prepareOther({ body: '[]' }))
  const [status, list] = res.writeHead.mock.calls[0] ?? []
  expect(status).toBe(200)
  expect(list).toContain(etagFromContent('[]', { type: json }))
  expect(list).not.toContain('Last-Modified')
})

test('prepareRepresentation returns its size, and copies its input', () => {
  const body = Buffer.from('"ü"')
  const ready = prepareRepresentation({ type: json, body })
  expect(ready.bytes).toBe(4)
  const res = { getHeader: () => undefined, writeHead: vi.fn(), end: vi.fn() }
  body.fill('x')
  sendPrepared({ headers: {} } as never, res as never, ready)
  expect(String(res.end.mock.calls[0]?.[0])).toBe('"ü"')
  expect(prepareRepresentation({ type: json, body: '"ü"' }).bytes).toBe(4)
})

test.each([
  ['a stream', Readable.from(['a'])],
  ['nothing', undefined],
])('prepareRepresentation rejects a body of %s', (_title, body) => {
  expect(() => prepareRepresentation({ type: json, body: body as never })).toThrow(
    'negotiate: prepareRepresentation: body must be a string or bytes',
  )
})

test('sendPrepared rejects any other argument', () => {
  expect(() => sendPrepared({} as never, {} as never, { bytes: 1 } as never)).toThrow(
    'negotiate: sendPrepared: prepared must be from prepareRepresentation()',
  )
})
