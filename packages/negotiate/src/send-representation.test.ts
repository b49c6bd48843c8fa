import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type Representation, sendRepresentation } from '@svc/negotiate'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { IncomingMessage } from '../../internal/middleware.ts'
import { check, send } from '../../internal/testing/check.ts'
import { hosts, listen, type RunningHost } from '../../internal/testing/hosts.ts'
import { LARGE, TEXT } from './testing/running.ts'

beforeEach(() => void vi.spyOn(process, 'emitWarning').mockImplementation(() => {}))

const PHOTO = Buffer.alloc(5000, 'png')
const LAST_MODIFIED = Date.UTC(2026, 10, 20, 10, 0, 0, 250)
const MODIFIED_TEXT = 'Fri, 20 Nov 2026 10:00:00 GMT'
const json = 'application/json; charset=utf-8'

const resources: Record<string, Representation> = {
  '/hashed': { type: json, body: TEXT },
  '/version': { type: json, body: () => TEXT, version: 7, cacheControl: 'private, no-cache', vary: ['Accept'] },
  '/later': { type: json, body: () => Promise.resolve(TEXT), version: 7 },
  '/dated': { type: json, body: TEXT, etag: false, lastModified: LAST_MODIFIED },
  '/both': { type: json, body: TEXT, version: 7, lastModified: LAST_MODIFIED, language: 'en' },
  '/small': { type: json, body: '{}', version: 7 },
  '/small-dated': { type: json, body: '{}', version: 7, lastModified: LAST_MODIFIED },
  '/stream-lazy': { type: json, body: () => Readable.from([TEXT]), version: 7 },
  '/photo': { type: 'image/png', body: PHOTO },
  '/secret': { type: json, body: TEXT, compress: false },
  '/opted-out': { type: json, body: TEXT, cacheControl: 'no-transform' },
  '/no-transform': { type: json, body: TEXT, cacheControl: 'private, No-Transform' },
  '/content-digest': { type: json, body: TEXT, headers: { 'Content-Digest': 'sha-256=:AAA=:' } },
  '/repr-digest': { type: json, body: TEXT, headers: { 'repr-digest': 'sha-256=:AAA=:' } },
  '/digest': { type: json, body: TEXT, headers: { Digest: 'sha-256=AAA=' } },
  '/md5': { type: json, body: TEXT, headers: { 'Content-MD5': 'AAA=' } },
  '/part': { type: json, body: TEXT, status: 206, etag: '"mine"', headers: { 'Content-Range': 'bytes 0-1/2' } },
  '/version-part': { type: json, body: '[', status: 206, version: 7, headers: { 'Content-Range': 'bytes 0-0/2' } },
  '/photo-part': { type: 'image/png', body: PHOTO, status: 206, headers: { 'Content-Range': 'bytes 0-1/2' } },
  '/own': { type: json, body: TEXT, etag: '"mine"' },
  '/location': {
    type: json,
    body: TEXT,
    version: 7,
    headers: { 'Content-Location': '/x', 'X-Request': '1', vary: 'Origin' },
  },
  '/missing': { type: json, body: TEXT, status: 404 },
  '/created': { type: json, body: TEXT, status: 201, headers: { Location: '/x' } },
  '/nothing': { status: 204 },
  '/large': { type: json, body: LARGE },
  '/formats': {
    formats: { 'application/json': () => '{"a":1}', 'text/csv; charset=utf-8': () => Promise.resolve('a\r\n1\r\n') },
    version: 7,
    vary: ['Prefer'],
  },
  '/own-formats': {
    formats: { 'application/json': () => '{"a":1}', 'text/csv': () => 'a\r\n1\r\n' },
    etag: '"mine"',
  },
  '/missing-formats': { status: 404, formats: { 'application/json': () => '{"a":1}', 'text/csv': () => 'a' } },
  '/reset': { type: json, status: 205, body: TEXT },
  '/stored': { type: json, body: TEXT, status: 200, etag: '"mine"' },
  '/coded': { type: json, body: TEXT, headers: { 'content-encoding': 'x-own' }, etag: false },
  '/broken': { type: json, body: () => Promise.reject(new Error('secret')) },
}
const streams: Record<string, () => Readable> = {
  '/stream': () => Readable.from([TEXT.slice(0, 100), TEXT.slice(100)]),
  '/stream-empty': () => Readable.from([]),
  '/stream-broken': () => createReadStream('/nowhere/at/all'),
  '/stream-cut': () =>
    Readable.from(
      (function* () {
        yield TEXT
        throw new Error('cut')
      })(),
    ),
}

function representationOf(path = ''): Representation {
  const stream = streams[path]
  return stream ? { type: json, body: stream(), version: 7 } : (resources[path] ?? { status: 404 })
}

describe.each(Object.keys(hosts))('sendRepresentation on %s', (name) => {
  let host: RunningHost
  let url: string
  beforeAll(async () => {
    const handler = (req: IncomingMessage, res: Parameters<typeof sendRepresentation>[1]): void =>
      sendRepresentation(req, res, representationOf(req.url))
    host = await listen((hosts[name] as (typeof hosts)[string])({ middlewares: [], handler }))
    url = host.url
  })
  afterAll(() => host.close())

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    send(url, { path, headers, method })

  test('sends type, length, a strong ETag, and Vary', async () => {
    const answer = await check(url, { path: '/hashed' }, { status: 200, body: TEXT })
    expect(answer.headers).toMatchObject({
      'content-type': json,
      'content-length': String(TEXT.length),
      etag: expect.stringMatching(/^"[0-9a-f]{32}\.[\w-]{6}"$/),
      vary: 'Accept-Encoding',
    })
    expect(answer.headers['content-encoding']).toBeUndefined()
  })

  test('adds the encoding to the ETag, which is valid while the client accepts that encoding', async () => {
    const plain = await get('/version')
    const coded = await get('/version', { 'accept-encoding': 'gzip' })
    expect(gunzipSync(coded.body).toString()).toBe(TEXT)
    expect(coded.headers['etag']).not.toBe(plain.headers['etag'])
    const etags = [plain, coded].map((answer) => answer.headers['etag'] ?? '')
    for (const etag of etags) {
      const answer = await get('/version', { 'accept-encoding': 'gzip', 'if-none-match': `"x", ${etag}` })
      expect([answer.status, answer.headers['etag']]).toEqual([304, etag])
    }
    const cannot = await get('/version', { 'if-none-match': etags[1] ?? '', 'accept-encoding': 'br' })
    expect([cannot.status, cannot.headers['content-encoding']]).toEqual([200, 'br'])
    expect(brotliDecompressSync(cannot.body).toString()).toBe(TEXT)
  })

  test('returns 304 with the caching headers of the 200, and none about content (RFC 9110 §15.4.5)', async () => {
    const { headers } = await get('/version')
    const answer = await get('/version', { 'if-none-match': headers['etag'] ?? '' })
    expect(answer.status).toBe(304)
    expect(answer.body).toHaveLength(0)
    const { date, connection, 'keep-alive': _, ...rest } = answer.headers
    expect(rest).toEqual({
      etag: headers['etag'],
      vary: 'Accept, Accept-Encoding',
      'cache-control': 'private, no-cache',
      ...Object.fromEntries(Object.entries(answer.headers).filter(([field]) => field === 'x-powered-by')),
    })
    expect(date && connection).toBeTruthy()
  })

  test('sends HEAD the headers of GET, with the length', async () => {
    for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
      const full = await get('/both', headers)
      const head = await get('/both', headers, 'HEAD')
      expect(head.body).toHaveLength(0)
      expect({ ...head.headers, date: '' }).toEqual({ ...full.headers, date: '' })
    }
  })

  test('evaluates If-Modified-Since, and sends Last-Modified in whole seconds', async () => {
    const answer = await get('/dated')
    expect(answer.headers['last-modified']).toBe(MODIFIED_TEXT)
    expect(answer.headers['etag']).toBeUndefined()
    const again = await get('/dated', { 'if-modified-since': MODIFIED_TEXT })
    expect([again.status, again.headers['last-modified']]).toEqual([304, MODIFIED_TEXT])
    const later = await get('/dated', { 'if-modified-since': 'Fri, 20 Nov 2026 09:59:59 GMT' })
    expect(later.status).toBe(200)
  })

  test('returns 412 to a GET whose If-Match names another version', async () => {
    const expected = { status: 412, headers: { etag: undefined }, body: { status: 412, path: '/both' } }
    await check(url, { path: '/both', headers: { 'if-match': '"old"' } }, expected)
    await check(url, { path: '/hashed', headers: { 'if-match': '"old"' } }, { status: 412 })
  })

  test('adds the encoding to a custom ETag', async () => {
    const plain = await get('/own')
    const coded = await get('/own', { 'accept-encoding': 'gzip' })
    expect([plain.headers['etag'], coded.headers['etag']]).toEqual(['"mine"', '"mine.gzip"'])
    expect((await get('/own', { 'if-none-match': 'W/"mine"' })).status).toBe(304)
  })

  test('compresses neither small nor compressed bodies, nor if forbidden', async () => {
    for (const path of ['/small', '/photo', '/secret', '/opted-out']) {
      const { status, headers } = await get(path, { 'accept-encoding': 'br, gzip' })
      expect([path, status, headers['content-encoding']]).toEqual([path, 200, undefined])
    }
    expect((await get('/small')).headers['vary']).toBe('Accept-Encoding')
    expect((await get('/photo')).headers['vary']).toBeUndefined()
  })

  test.each(['/content-digest', '/repr-digest', '/digest', '/md5', '/no-transform'])(
    'does not compress %s, which would no longer match',
    async (path) => {
      const { headers, text } = await get(path, { 'accept-encoding': 'gzip' })
      expect([headers['content-encoding'], headers['vary'], text]).toEqual([undefined, undefined, TEXT])
    },
  )

  test('sends a part uncompressed, with the Vary of its 200 (RFC 9110 §15.3.7)', async () => {
    for (const encoding of ['gzip', 'identity;q=0']) {
      const { status, headers, text } = await get('/part', { 'accept-encoding': encoding })
      expect([status, headers['vary'], headers['etag'], text]).toEqual([206, 'Accept-Encoding', '"mine"', TEXT])
    }
    expect((await get('/photo-part')).headers['vary']).toBeUndefined()
  })

  test('sends a part of a version with its ETag, and evaluates conditions by it (RFC 9110 §15.3.7)', async () => {
    const { etag } = (await get('/small')).headers
    const part = await get('/version-part', { 'if-match': etag ?? '', 'accept-encoding': 'gzip' })
    expect([part.status, part.headers['etag'], part.text]).toEqual([206, etag, '['])
    expect((await get('/version-part', { 'if-match': '"6"' })).status).toBe(412)
    expect((await get('/version-part', {}, 'PUT')).headers['etag']).toBeUndefined()
  })

  test('compresses a small body if the client excludes identity, and returns 406 if it excludes all', async () => {
    const small = await get('/small', { 'accept-encoding': 'identity;q=0, gzip' })
    expect(gunzipSync(small.body).toString()).toBe('{}')
    const refused = await get('/small', { 'accept-encoding': '*;q=0' })
    expect([refused.status, refused.headers['vary']]).toEqual([406, 'Accept-Encoding'])
    expect((await get('/missing', { 'accept-encoding': '*;q=0' })).status).toBe(404)
  })

  test('sends no ETag with errors, with changes, and if disabled', async () => {
    for (const path of ['/missing', '/nothing', '/dated']) expect((await get(path)).headers['etag']).toBeUndefined()
    expect((await get('/version', {}, 'PUT')).headers['etag']).toBeUndefined()
    expect((await get('/version', {}, 'DELETE')).headers['etag']).toBeUndefined()
    expect((await get('/version', {}, 'PATCH')).headers['etag']).toMatch(/^"7\./)
    expect((await get('/created', {}, 'POST')).headers['etag']).toBeDefined()
  })

  test('sends 204 without a length, and an empty 404 with length 0', async () => {
    await check(url, { path: '/nothing' }, { status: 204, headers: { 'content-length': undefined } })
    await check(url, { path: '/unknown' }, { status: 404, headers: { 'content-length': '0' } })
  })

  test('keeps the headers of the representation, and merges Vary', async () => {
    const { headers } = await get('/location')
    expect([headers['content-location'], headers['x-request'], headers['vary']]).toEqual([
      '/x',
      '1',
      'Origin, Accept-Encoding',
    ])
    const { headers: after } = await get('/location', { 'if-none-match': headers['etag'] ?? '' })
    expect([after['content-location'], after['vary']]).toEqual(['/x', 'Origin, Accept-Encoding'])
  })

  test('streams, compressed or not, with a weak ETag', async () => {
    const plain = await get('/stream')
    expect([plain.text, plain.headers['transfer-encoding'], plain.headers['etag']?.slice(0, 5)]).toEqual([
      TEXT,
      'chunked',
      'W/"7.',
    ])
    const coded = await get('/stream', { 'accept-encoding': 'gzip' })
    expect(gunzipSync(coded.body).toString()).toBe(TEXT)
    expect(
      (await get('/stream', { 'if-none-match': coded.headers['etag'] ?? '', 'accept-encoding': 'gzip' })).status,
    ).toBe(304)
    expect((await get('/stream', {}, 'HEAD')).headers['etag']).toBe(plain.headers['etag'])
  })

  test('sends a custom ETag with a PUT, and compresses nothing twice', async () => {
    expect((await get('/stored', {}, 'PUT')).headers['etag']).toBe('"mine"')
    const coded = await get('/coded', { 'accept-encoding': 'gzip' })
    expect([coded.headers['content-encoding'], coded.text]).toEqual(['x-own', TEXT])
  })

  test('sends with a 304 by date the ETag of the body that would be sent', async () => {
    const headers = { 'accept-encoding': 'gzip', 'if-modified-since': MODIFIED_TEXT }
    for (const path of ['/small-dated', '/both']) {
      const full = await get(path, { 'accept-encoding': 'gzip' })
      const again = await get(path, headers)
      expect([again.status, again.headers['etag']]).toEqual([304, full.headers['etag']])
    }
  })

  test('sends with the 304 of a stream the weak ETag of the client', async () => {
    for (const path of ['/stream', '/stream-lazy']) {
      const full = await get(path)
      expect(full.headers['etag']).toMatch(/^W/)
      const again = await get(path, { 'if-none-match': full.headers['etag'] ?? '' })
      expect([again.status, again.headers['etag']]).toEqual([304, full.headers['etag']])
    }
  })

  test('returns 500 if a stream fails before its first byte, and closes the connection after it', async () => {
    const early = await get('/stream-broken')
    expect([early.status, early.headers['content-type'], early.text.includes('ENOENT')]).toEqual([500, json, false])
    for (const headers of [{}, { 'accept-encoding': 'gzip' }])
      await expect(get('/stream-cut', headers)).rejects.toThrow()
  })

  test('sends an empty stream', async () => {
    const empty = await get('/stream-empty')
    expect([empty.status, empty.text]).toEqual([200, ''])
  })

  test('compresses a large body on another thread, once', async () => {
    const [first, again] = [
      await get('/large', { 'accept-encoding': 'br' }),
      await get('/large', { 'accept-encoding': 'br' }),
    ]
    expect(brotliDecompressSync(first.body).toString()).toBe(LARGE)
    expect(again.body).toEqual(first.body)
    expect(first.headers['content-length']).toBe(String(first.body.length))
  })

  test('chooses a format by Accept, and returns 406 with the list of them', async () => {
    const csv = await get('/formats', { accept: 'text/*' })
    expect([csv.headers['content-type'], csv.text]).toEqual(['text/csv; charset=utf-8', 'a\r\n1\r\n'])
    expect(csv.headers['vary']).toBe('Accept, Prefer, Accept-Encoding')
    const plain = await get('/formats')
    expect(plain.headers['content-type']).toBe('application/json')
    expect(plain.headers['etag']).not.toBe(csv.headers['etag'])
    expect((await get('/formats', { accept: 'text/*', 'if-none-match': csv.headers['etag'] ?? '' })).status).toBe(304)
    expect((await get('/formats', { accept: 'text/*', 'if-none-match': plain.headers['etag'] ?? '' })).status).toBe(200)
    const none = await check(
      url,
      { path: '/formats', headers: { accept: 'image/png' } },
      { status: 406, headers: { vary: 'Accept' } },
    )
    expect(none.text).toContain('application/json, text/csv')
  })

  test('sends an error in its first format if the client accepts none', async () => {
    const expected = { status: 404, headers: { 'content-type': 'application/json', vary: 'Accept, Accept-Encoding' } }
    await check(url, { path: '/missing-formats', headers: { accept: 'image/png' } }, expected)
    const csv = await get('/missing-formats', { accept: 'text/csv' })
    expect([csv.status, csv.text]).toEqual([404, 'a'])
  })

  test('sends 205 without content (RFC 9110 §15.3.6)', async () => {
    await check(url, { path: '/reset' }, { status: 205, headers: { 'content-length': '0' }, body: '' })
  })

  test('adds the format to a custom ETag', async () => {
    const etags: string[] = []
    for (const accept of ['application/json', 'text/csv']) {
      const { etag = '' } = (await get('/own-formats', { accept })).headers
      expect((await get('/own-formats', { accept, 'if-none-match': etag })).status).toBe(304)
      etags.push(etag)
    }
    expect(etags).toEqual([expect.stringMatching(/^"mine\.[\w-]{6}"$/), expect.stringMatching(/^"mine\.[\w-]{6}"$/)])
    expect(etags[0]).not.toBe(etags[1])
    const other = await get('/own-formats', { accept: 'text/csv', 'if-none-match': etags[0] ?? '' })
    expect([other.status, other.headers['content-type']]).toEqual([200, 'text/csv'])
  })

  test('awaits a promised body, and returns 500 without details if it rejects', async () => {
    await check(url, { path: '/later' }, { status: 200, body: TEXT })
    const answer = await check(url, { path: '/broken' }, { status: 500 })
    expect(answer.text).not.toContain('secret')
  })
})
