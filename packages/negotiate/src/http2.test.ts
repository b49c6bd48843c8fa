import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Middleware } from '../../internal/middleware.ts'
import { type Answer, type RequestLiteral, send } from '../../internal/testing/check.ts'
import { checkBodyHeaders } from './check-body-headers.ts'
import { compress } from './compress.ts'
import { conditionalRequests } from './conditional-requests.ts'
import { negotiate } from './middleware.ts'
import { sendRepresentation } from './send-representation.ts'
import { codings, type Handler, serving, toText } from './testing/running.ts'

const TEXT = randomBytes(150_000).toString('hex')

const endings: Record<string, Handler> = {
  end: (_req, res) => void res.end(TEXT),
  'write and end': (_req, res) => {
    res.write(TEXT.slice(0, 300))
    res.end(TEXT.slice(300))
  },
  'many writes': async (_req, res) => {
    for (let index = 0; index < TEXT.length; index += 10_000)
      if (!res.write(TEXT.slice(index, index + 10_000))) await once(res, 'drain')
    res.end()
  },
  'a piped stream': (_req, res) => void Readable.from([TEXT.slice(0, 7), TEXT.slice(7)]).pipe(res),
  'writeHead and end': (_req, res) => void res.writeHead(200, { 'Content-Type': 'text/plain' }).end(TEXT),
}

function ask(middlewares: Middleware[], handler: Handler, literal: RequestLiteral = {}): Promise<Answer> {
  const typed: Handler = (req, res) => {
    res.setHeader('Content-Type', 'text/plain')
    handler(req, res)
  }
  return serving('node:http2', { middlewares, handler: typed }, (url) => send(url, literal))
}

const setups: Record<string, () => Middleware[]> = {
  negotiate: () => [negotiate()],
  conditional: () => [conditionalRequests()],
  compress: () => [compress()],
  'conditional and compress': () => [conditionalRequests(), compress()],
  'compress and conditional, twice': () => [compress(), conditionalRequests(), compress(), conditionalRequests()],
}

describe.each(Object.keys(setups))('%s over HTTP/2', (setup) => {
  const middlewares = setups[setup] as () => Middleware[]

  describe.each(Object.keys(endings))('loses no byte of %s', (ending) => {
    test.each(['identity', ...codings])('%s', async (coding) => {
      const headers = { 'accept-encoding': coding }
      const answer = await ask(middlewares(), endings[ending] as Handler, { headers })
      expect(toText(answer)).toBe(TEXT)
      const isCoded = setup !== 'conditional' && coding !== 'identity'
      expect(answer.headers['content-encoding']).toBe(isCoded ? coding : undefined)
    })

    test('to HEAD, which has no body', async () => {
      const answer = await ask(middlewares(), endings[ending] as Handler, { method: 'HEAD' })
      expect([answer.status, answer.body.length]).toEqual([200, 0])
    })
  })
})

test('returns 304 without a body over HTTP/2, and 412 with a record', async () => {
  const first = await ask([negotiate()], endings['end'] as Handler, { headers: { 'accept-encoding': 'gzip' } })
  const etag = String(first.headers['etag'])
  const again = await ask([negotiate()], endings['end'] as Handler, {
    headers: { 'accept-encoding': 'gzip', 'if-none-match': etag },
  })
  expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, etag])
  const failed = await ask([negotiate()], endings['end'] as Handler, { headers: { 'if-match': '"other"' } })
  expect([failed.status, JSON.parse(failed.text).code]).toEqual([412, 'ERR_NEGOTIATE_PRECONDITION_FAILED'])
})

test.each(['identity', ...codings])('sendRepresentation loses no byte over HTTP/2 with %s', async (coding) => {
  for (const body of [TEXT, () => Readable.from([TEXT])]) {
    const handler: Handler = (req, res) => sendRepresentation(req, res, { type: 'text/plain', body })
    const answer = await ask([], handler, { headers: { 'accept-encoding': coding } })
    expect(toText(answer)).toBe(TEXT)
  }
})

test.each<[number, RequestLiteral]>([
  [415, { headers: { 'content-type': 'text/plain' }, body: '{}' }],
  [415, { headers: { 'content-type': 'application/json', 'content-encoding': 'lzma' }, body: '{}' }],
  [415, { body: '{}' }],
  [200, { headers: { 'content-type': 'application/json' }, body: '{}' }],
  [200, { headers: { 'content-type': 'text/plain' } }],
])('checkBodyHeaders responds with %i to %j over HTTP/2, without a length (RFC 9113 §8.1)', async (status, literal) => {
  const handler: Handler = (req, res) => {
    expect(req.headers['content-length']).toBeUndefined()
    const refused = checkBodyHeaders(req, { types: ['application/json'] })
    res.writeHead(refused?.status ?? 200).end()
  }
  const headers = { ...literal.headers, 'transfer-encoding': 'chunked' } // not sent over HTTP/2
  await serving('node:http2', { middlewares: [], handler }, async (url) => {
    expect((await send(url, { ...literal, method: 'POST', headers })).status).toBe(status)
  })
})
