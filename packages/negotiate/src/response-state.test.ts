import { type IncomingMessage, type OutgoingHttpHeader, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { type NegotiateOptions, negotiate } from '@svc/negotiate'
import { afterEach, describe, expect, test } from 'vitest'
import { check } from '../../internal/testing/check.ts'
import { hosts, listen, type Pipeline, type RunningHost } from '../../internal/testing/hosts.ts'

const TEXT = 'a body that becomes smaller. '.repeat(200)

const replaced = [
  'content-digest',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-location',
  'content-md5',
  'content-range',
  'digest',
  'etag',
  'expires',
  'last-modified',
  'location',
  'repr-digest',
  'set-cookie',
]

let running: RunningHost | undefined
afterEach(() => running?.close())

describe.each(Object.keys(hosts))('a response on %s', (name) => {
  const serve = async (handler: Pipeline['handler'] & {}, options: NegotiateOptions = {}): Promise<string> => {
    const pipeline = { middlewares: [negotiate(options)], handler }
    running = await listen((hosts[name] as (typeof hosts)[string])(pipeline))
    return running.url
  }

  test('offers no ranges of a compressed body', async () => {
    const url = await serve((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/plain', 'Accept-Ranges': 'bytes' }).end(TEXT)
    })
    await check(url, { headers: { 'accept-encoding': 'gzip' } }, { headers: { 'accept-ranges': undefined } })
    await check(url, {}, { headers: { 'accept-ranges': 'bytes' } })
  })

  test('has either a length or the Transfer-Encoding of the app (RFC 9112 §6.2)', async () => {
    const url = await serve((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' }).end(TEXT)
    })
    const { body } = await check(
      url,
      { headers: { 'accept-encoding': 'gzip' } },
      { headers: { 'content-encoding': 'gzip', 'transfer-encoding': undefined, 'content-length': /^\d+$/ } },
    )
    expect(gunzipSync(body).toString()).toBe(TEXT)
    await check(url, {}, { headers: { 'transfer-encoding': 'chunked', 'content-length': undefined }, body: TEXT })
  })

  test.each([
    [{}, 200],
    [{ 'accept-encoding': 'gzip' }, 200],
    [{ 'if-none-match': '"a"' }, 304],
    [{ 'if-match': '"b"' }, 412],
  ])('has the trailers of the app only with its content: %j', async (headers, status) => {
    const url = await serve((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/plain', ETag: '"a"', Trailer: 'X-Sum' })
      res.addTrailers({ 'X-Sum': '7' })
      res.end(TEXT)
    })
    const res = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { headers }, resolve).on('error', reject).end()
    })
    await text(res)
    expect([res.statusCode, res.trailers['x-sum']]).toEqual([status, status === 200 ? '7' : undefined])
    expect(res.headers.trailer).toBe(status === 200 ? 'X-Sum' : undefined)
  })

  test.each<[string, OutgoingHttpHeader[] | [string, OutgoingHttpHeader][]]>([
    ['a flat list', ['Set-Cookie', ['a=1', 'b=2'], 'X-Own', 'x']],
    ['a flat list with repeated names', ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Own', 'x']],
    [
      'pairs',
      [
        ['Set-Cookie', ['a=1', 'b=2']],
        ['X-Own', 'x'],
      ],
    ],
  ])('has each value of the headers that writeHead gets as %s', async (_kind, headers) => {
    const url = await serve((_req, res) => void res.writeHead(200, headers as OutgoingHttpHeader[]).end(TEXT))
    await check(url, {}, { status: 200, headers: { 'set-cookie': 'a=1, b=2', 'x-own': 'x' }, body: TEXT })
  })

  test.each([
    ['if-none-match', 304, 'Not Modified'],
    ['if-match', 412, 'Precondition Failed'],
  ])('sets the reason phrase of its status for %s', async (field, status, reason) => {
    const url = await serve((_req, res) => {
      res.writeHead(200, 'Fine', { 'Content-Type': 'text/plain', ETag: '"a"' }).end(TEXT)
    })
    const value = field === 'if-match' ? '"b"' : '"a"'
    const answer = await new Promise<[number | undefined, string | undefined]>((resolve) => {
      request(url, { headers: { [field]: value } }, (res) =>
        resolve([res.resume().statusCode, res.statusMessage]),
      ).end()
    })
    expect(answer).toEqual([status, reason])
  })

  test('has no digest of its content with a 304', async () => {
    const url = await serve((_req, res) => {
      for (const digest of ['Content-Digest', 'Digest', 'Content-MD5', 'Repr-Digest']) res.setHeader(digest, 'x')
      res.setHeader('ETag', '"a"')
      res.end(TEXT)
    })
    const headers = { 'content-digest': undefined, digest: undefined, 'content-md5': undefined, 'repr-digest': 'x' }
    await check(url, { headers: { 'if-none-match': '"a"' } }, { status: 304, headers })
  })

  test('replaces the headers about the content with those of a 412', async () => {
    const url = await serve((_req, res) => {
      for (const name of replaced) res.setHeader(name, 'of the app')
      res.setHeader('X-Own', 'x')
      res.end(TEXT)
    })
    const absent = Object.fromEntries(replaced.map((name) => [name, undefined]))
    const headers = {
      ...absent,
      'x-own': 'x',
      'cache-control': 'no-store',
      'transfer-encoding': undefined,
      'x-content-type-options': 'nosniff',
    }
    await check(url, { headers: { 'if-match': '"other"' } }, { status: 412, headers, body: { status: 412 } })
  })

  test('closes the connection if it fails after the start, even before the encoder emits a byte', async () => {
    let state: boolean[] = []
    const url = await serve((_req, res) => {
      res.setHeader('Content-Type', 'text/plain')
      res.write('little')
      state = [res.headersSent, res.writableEnded]
      if (res.headersSent) res.destroy()
    })
    await expect(check(url, { headers: { 'accept-encoding': 'gzip' } }, {})).rejects.toThrow(/hang up|aborted/)
    expect(state).toEqual([true, false])
  })

  test('is ended while another thread compresses it', async () => {
    let state: boolean[] = []
    const url = await serve((_req, res) => {
      res.setHeader('Content-Type', 'text/plain')
      res.end(TEXT.repeat(20))
      state = [res.headersSent, res.writableEnded]
    })
    await check(
      url,
      { headers: { 'accept-encoding': 'gzip' } },
      { status: 200, headers: { 'content-encoding': 'gzip' } },
    )
    expect(state).toEqual([true, true])
  })
})
