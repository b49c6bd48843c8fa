import accepts, { accepts as namedAccepts } from '@svc/negotiate/accepts'
import compression, { filter, compression as namedCompression } from '@svc/negotiate/compression'
import fresh, { fresh as namedFresh } from '@svc/negotiate/fresh'
import Negotiator, { Negotiator as NamedNegotiator } from '@svc/negotiate/negotiator'
import freshPeer from 'fresh'
import { describe, expect, test } from 'vitest'
import { send } from '../../internal/testing/check.ts'
import { type Handler, serving, TEXT, toText } from './testing/running.ts'

test('the default export is the named one', () => {
  expect([accepts, compression, fresh, Negotiator]).toEqual([
    namedAccepts,
    namedCompression,
    namedFresh,
    NamedNegotiator,
  ])
  expect(compression.filter).toBe(filter)
})

describe('Negotiator', () => {
  const request = { headers: { accept: 'text/html;level=1;level=2, application/json;q=0.5' } }

  test('does not need new', () => {
    const negotiator = Negotiator(request)
    expect(negotiator).toBeInstanceOf(Negotiator)
    expect(negotiator.mediaTypes()).toEqual(['text/html', 'application/json'])
  })

  test('skips an offer that is not a media type', () => {
    expect(new Negotiator(request).mediaTypes(['boom', 'application/json'])).toEqual(['application/json'])
    expect(new Negotiator(request).mediaType(['boom'])).toBeUndefined()
  })

  test('reads the first of two parameters with a name', () => {
    expect(new Negotiator(request).mediaTypes(['text/html;level=1'])).toEqual(['text/html;level=1'])
    expect(new Negotiator(request).mediaTypes(['text/html;level=2'])).toEqual([])
  })
})

describe('compression', () => {
  const answer: Handler = (_req, res) => {
    res.setHeader('Content-Type', 'text/plain')
    res.end(TEXT)
  }

  test.each([[null], [undefined], [{}]])('accepts %j as options', async (options) => {
    await serving('express 5', { middlewares: [compression(options)], handler: answer }, async (url) => {
      const coded = await send(url, { headers: { 'accept-encoding': 'gzip' } })
      expect([coded.headers['content-encoding'], toText(coded)]).toEqual(['gzip', TEXT])
    })
  })

  test.each(['bogus', '*'])('compresses nothing with enforceEncoding %j', async (enforceEncoding) => {
    await serving('express 5', { middlewares: [compression({ enforceEncoding })], handler: answer }, async (url) => {
      expect((await send(url)).headers['content-encoding']).toBeUndefined()
    })
  })

  test('returns false from write and end after the end', async () => {
    const results: unknown[] = []
    const handler: Handler = (req, res) => {
      answer(req, res)
      results.push(res.write('more'), res.end())
    }
    await serving('node:http', { middlewares: [compression()], handler }, async (url) => {
      expect((await send(url, { headers: { 'accept-encoding': 'gzip' } })).status).toBe(200)
    })
    expect(results).toEqual([false, false])
  })
})

const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT'

describe('fresh', () => {
  test.each<[Record<string, string>, Record<string, string>]>([
    [{}, {}],
    [{ 'if-none-match': '"a"' }, { etag: '"a"' }],
    [{ 'if-none-match': 'W/"a"' }, { etag: '"a"' }],
    [{ 'if-none-match': '"b", "a"' }, { etag: 'W/"a"' }],
    [{ 'if-none-match': '"b"' }, { etag: '"a"' }],
    [{ 'if-none-match': '*' }, { etag: '"a"' }],
    [{ 'if-none-match': '"a"' }, {}],
    [{ 'if-modified-since': DATE }, { 'last-modified': DATE }],
    [{ 'if-modified-since': DATE }, { 'last-modified': 'Sun, 06 Nov 1994 08:49:38 GMT' }],
    [{ 'if-modified-since': DATE }, {}],
    [{ 'if-modified-since': 'never' }, { 'last-modified': DATE }],
    [{ 'if-modified-since': DATE }, { 'last-modified': 'never' }],
    [
      { 'if-none-match': '"b"', 'if-modified-since': DATE },
      { etag: '"a"', 'last-modified': DATE },
    ],
    [{ 'if-none-match': '"a"', 'cache-control': 'no-cache' }, { etag: '"a"' }],
    [{ 'if-none-match': '"a"', 'cache-control': 'max-age=0, no-cache' }, { etag: '"a"' }],
    [{ 'if-none-match': '"a"', 'cache-control': 'no-cache-x' }, { etag: '"a"' }],
    [{ 'cache-control': 'no-cache' }, {}],
    [{ 'if-none-match': '"a"', 'if-match': '"b"' }, { etag: '"a"' }],
    [
      { 'if-none-match': '"a"', 'if-unmodified-since': DATE },
      { etag: '"a"', 'last-modified': 'Sun, 06 Nov 1994 08:49:38 GMT' },
    ],
  ])('returns what the peer returns for %j and %j', (request, response) => {
    expect(fresh(request, response)).toBe(freshPeer(request, response))
    expect(fresh(new Headers(request), new Headers(response))).toBe(freshPeer(request, response))
  })
  const values = [undefined, null, 7, ['"a"', '"b"']].map((value) => ({ etag: value, 'last-modified': value }))
  test.each(values)('accepts %j, like the peer', (response) => {
    const request = { 'if-none-match': '"a"', 'if-modified-since': DATE }
    expect(fresh(request, response)).toBe(freshPeer(request, response as never))
  })
})

describe('accepts', () => {
  test('returns all types for an offer of undefined, like the peer', () => {
    const request = { headers: { accept: 'text/html, application/json;q=0.5' } }
    expect(accepts(request).types(undefined as never)).toEqual(['text/html', 'application/json'])
  })
})
