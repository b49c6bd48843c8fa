import { Readable } from 'node:stream'
import { compress, conditionalRequests, negotiate } from '@svc/negotiate'
import { compression } from '@svc/negotiate/compression'
import { describe, expect, test } from 'vitest'
import type { Middleware } from '../../internal/middleware.ts'
import { type Answer, send } from '../../internal/testing/check.ts'
import { hostsWithHttp2 as hosts } from '../../internal/testing/hosts.ts'
import { type Handler, json, sendWhole, serving, TEXT, toText } from './testing/running.ts'

const MODIFIED = 'Fri, 20 Nov 2026 10:00:00 GMT'
const PART = { 'Content-Type': json, 'Content-Range': `bytes 0-1999/${TEXT.length}`, ETag: '"own"' }

const handlers: Record<string, Handler> = {
  'a whole body': sendWhole,
  'a small body': (_req, res) => void res.writeHead(200, { 'Content-Type': json }).end('{}'),
  'a strong tag of its own': (_req, res) =>
    void res.writeHead(200, { 'Content-Type': json, ETag: '"own"', 'Last-Modified': MODIFIED }).end(TEXT),
  'a weak tag of its own': (_req, res) => void res.writeHead(200, { 'Content-Type': json, ETag: 'W/"own"' }).end(TEXT),
  'a stream': (_req, res) => {
    res.setHeader('Content-Type', json)
    res.setHeader('ETag', '"own"')
    Readable.from([TEXT.slice(0, 2000), TEXT.slice(2000)]).pipe(res)
  },
  'a part': (_req, res) => void res.writeHead(206, PART).end(TEXT.slice(0, 2000)),
  'its own 304': (_req, res) => void res.writeHead(304, { ETag: '"own"' }).end(),
  'an error': (_req, res) => void res.writeHead(404, { 'Content-Type': json }).end(TEXT),
  nothing: (_req, res) => void res.writeHead(204).end(),
}

const fields: Record<string, string>[] = [
  {},
  { 'if-none-match': '"own"' },
  { 'if-none-match': '"x", "own.gzip"' },
  { 'if-none-match': '*' },
  { 'if-match': '"other"' },
  { 'if-match': '"own.gzip"' },
  { 'if-modified-since': MODIFIED },
]

const pairs: Record<string, readonly Middleware[]> = {
  'negotiate()': [negotiate()],
  'conditional(), compress()': [conditionalRequests(), compress()],
  'compress(), conditional()': [compress(), conditionalRequests()],
  'all three, twice': [negotiate(), compress(), conditionalRequests(), negotiate()],
}

/** Returns the response as a client sees it, without the date. */
function brief({ status, headers, text, body }: Answer): unknown {
  const { date, 'keep-alive': _, ...rest } = headers
  const content = status === 412 ? text.replace(/"timestamp":"[^"]*"/, '') : body
  return { status, headers: { ...rest, date: Boolean(date) }, content }
}

describe.each(Object.keys(hosts))('conditionalRequests and compress on %s', (host) => {
  const answersOf = (middlewares: readonly Middleware[], handler: Handler): Promise<Answer[]> =>
    serving(host, { middlewares, handler }, async (url) => {
      const answers: Answer[] = []
      for (const method of ['GET', 'HEAD', 'POST'])
        for (const coding of ['identity', 'gzip', 'br;q=0.1, gzip'])
          for (const condition of fields)
            answers.push(await send(url, { method, headers: { 'accept-encoding': coding, ...condition } }))
      return answers
    })

  test.each(Object.keys(handlers))('respond to %s alike, in any order, like negotiate', async (name) => {
    const answers: unknown[] = []
    for (const middlewares of Object.values(pairs)) {
      const seen = await answersOf(middlewares, handlers[name] as Handler)
      answers.push(seen.map(brief))
    }
    for (const other of answers) expect(other).toEqual(answers[0])
  })

  test('decode to the body of the handler, and a 304 has the ETag of its 200', async () => {
    for (const name of ['a whole body', 'a strong tag of its own', 'a stream'])
      await serving(
        host,
        { middlewares: [compress(), conditionalRequests()], handler: handlers[name] as Handler },
        async (url) => {
          const headers = { 'accept-encoding': 'gzip' }
          const full = await send(url, { headers })
          expect([full.headers['content-encoding'], toText(full)]).toEqual(['gzip', TEXT])
          const again = await send(url, { headers: { ...headers, 'if-none-match': full.headers['etag'] ?? '' } })
          const head = await send(url, { headers, method: 'HEAD' })
          expect([again.status, again.headers['etag'], again.headers['vary']]).toEqual([
            304,
            full.headers['etag'],
            'Accept-Encoding',
          ])
          expect([head.headers['etag'], head.headers['content-encoding']]).toEqual([full.headers['etag'], 'gzip'])
        },
      )
  })

  test('evaluate the conditions of a partial response, and do not change it (RFC 9110 §13.2.2)', async () => {
    await serving(
      host,
      { middlewares: [conditionalRequests(), compress()], handler: handlers['a part'] as Handler },
      async (url) => {
        const ask = (condition: Record<string, string>) =>
          send(url, { headers: { range: 'bytes=0-1999', 'accept-encoding': 'gzip', ...condition } })
        const part = await ask({ 'if-match': '"own"' })
        expect([part.status, part.headers['content-encoding'], part.headers['content-range'], part.text]).toEqual([
          206,
          undefined,
          PART['Content-Range'],
          TEXT.slice(0, 2000),
        ])
        const again = await ask({ 'if-none-match': '"own"' })
        expect([again.status, again.headers['content-range'], again.body.length]).toEqual([304, undefined, 0])
        expect((await ask({ 'if-match': '"other"' })).status).toBe(412)
      },
    )
  })

  test('only do their own part', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    await serving(host, { middlewares: [conditionalRequests()], handler: sendWhole }, async (url) => {
      const answer = await send(url, { headers })
      expect([answer.headers['content-encoding'], answer.headers['vary'], answer.text]).toEqual([
        undefined,
        undefined,
        TEXT,
      ])
      const etag = answer.headers['etag'] ?? ''
      expect((await send(url, { headers: { ...headers, 'if-none-match': etag } })).status).toBe(304)
      expect((await send(url, { headers: { 'if-match': '"x"' } })).status).toBe(412)
      expect((await send(url, { headers: { 'accept-encoding': 'identity;q=0' } })).status).toBe(200)
    })
    await serving(host, { middlewares: [compress()], handler: sendWhole }, async (url) => {
      const answer = await send(url, { headers })
      expect([answer.headers['content-encoding'], answer.headers['etag'], toText(answer)]).toEqual([
        'gzip',
        undefined,
        TEXT,
      ])
      expect((await send(url, { headers: { ...headers, 'if-match': '"x"' } })).status).toBe(200)
      expect((await send(url, { headers: { 'accept-encoding': 'identity;q=0' } })).status).toBe(406)
    })
  })

  test('show the app the ETags of a change without their encoding, and those of a read as they are', async () => {
    const handler: Handler = ({ headers }, res) =>
      void res.end(JSON.stringify([headers['if-match'], headers['if-none-match']]))
    const headers = { 'if-match': '"7.gzip", "8", "a.b"', 'if-none-match': '"7.br","8.zstd"' }
    const shown = ['"7", "8", "a.b"', '"7","8"']
    for (const middleware of [compress(), compression(), negotiate()])
      await serving(host, { middlewares: [middleware], handler }, async (url) => {
        for (const method of ['PUT', 'PATCH', 'POST', 'DELETE'])
          expect(JSON.parse((await send(url, { method, headers })).text)).toEqual(shown)
      })
    await serving(host, { middlewares: [compress()], handler }, async (url) => {
      expect(JSON.parse((await send(url, { headers })).text)).toEqual(Object.values(headers))
    })
  })

  test('use the options of the one nearest to the handler', async () => {
    const middlewares = [negotiate(), compress({ minBytes: 100_000 }), conditionalRequests({ etag: 'weak' })]
    await serving(host, { middlewares, handler: sendWhole }, async (url) => {
      const { headers } = await send(url, { headers: { 'accept-encoding': 'gzip' } })
      expect([headers['content-encoding'], headers['etag']?.slice(0, 3)]).toEqual([undefined, 'W/"'])
    })
  })
})

test.each([
  [() => compress({ etag: false } as never), 'negotiate: compress: unknown option "etag"'],
  [() => conditionalRequests({ minBytes: 1 } as never), 'negotiate: conditionalRequests: unknown option "minBytes"'],
  [() => compress({ encodings: ['snappy'] as never }), 'negotiate: compress: encodings must be among'],
  [
    () => conditionalRequests({ requirePrecondition: true }),
    'negotiate: conditionalRequests: requirePrecondition must come with currentState',
  ],
])('%s throws', (make, message) => {
  expect(make).toThrow(message)
})
