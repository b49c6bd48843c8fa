import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { compress, conditionalRequests, type Middleware, type NegotiateOptions, negotiate } from '@svc/negotiate'
import express5 from 'express'
import { describe, expect, test } from 'vitest'
import { send } from '../../internal/testing/check.ts'
import { hostsWithHttp2 as hosts, listen } from '../../internal/testing/hosts.ts'
import { asking, codings, type Handler, json, LARGE, running, sendWhole, TEXT, toText } from './testing/running.ts'

describe.each(Object.keys(hosts))('negotiate on %s', (host) => {
  const ask = asking(host)

  const bodies: Record<string, Handler> = {
    'a whole body': sendWhole,
    'a whole body after writeHead': (_req, res) => {
      res.writeHead(200, { 'Content-Type': json, 'Content-Length': TEXT.length })
      res.end(TEXT)
    },
    'written chunks': (_req, res) => {
      res.setHeader('Content-Type', json)
      res.setHeader('Content-Length', TEXT.length)
      res.write(TEXT.slice(0, 10))
      res.end(TEXT.slice(10))
    },
    'a piped stream': (_req, res) => {
      res.setHeader('Content-Type', json)
      Readable.from([TEXT.slice(0, 2000), TEXT.slice(2000)]).pipe(res)
    },
    'a large body': (_req, res) => {
      res.setHeader('Content-Type', json)
      res.end(LARGE)
    },
  }

  test.each(Object.keys(bodies))('compresses %s, with Vary and no wrong length', async (name) => {
    const handler = bodies[name] as Handler
    for (const coding of codings) {
      const answer = await ask(handler, { 'accept-encoding': coding })
      expect(answer.headers).toMatchObject({
        'content-encoding': coding,
        vary: 'Accept-Encoding',
        'content-type': json,
      })
      expect(toText(answer)).toBe(name === 'a large body' ? LARGE : TEXT)
      const length = answer.headers['content-length']
      expect(length === undefined || Number(length) === answer.body.length).toBe(true)
    }
    const plain = await ask(handler)
    expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([undefined, 'Accept-Encoding'])
    expect(plain.text).toBe(name === 'a large body' ? LARGE : TEXT)
  })

  test.each(['a whole body', 'a whole body after writeHead', 'a large body'])(
    'gives %s an ETag for each encoding, and returns 304 with Vary and the ETag of the client',
    async (name) => {
      const handler = bodies[name] as Handler
      const plain = await ask(handler)
      const coded = await ask(handler, { 'accept-encoding': 'gzip' })
      const tags = [plain, coded].map(({ headers }) => headers['etag'] ?? '')
      expect(tags[1]).toBe(tags[0]?.replace(/"$/, '.gzip"'))
      for (const tag of tags) {
        const again = await ask(handler, { 'accept-encoding': 'gzip', 'if-none-match': tag })
        expect([again.status, again.headers['etag'], again.headers['vary']]).toEqual([304, tag, 'Accept-Encoding'])
        expect([again.headers['content-type'], again.headers['content-encoding'], again.body.length]).toEqual([
          undefined,
          undefined,
          0,
        ])
      }
    },
  )

  const tagged =
    (etag: string, stream = false): Handler =>
    (req, res) => {
      res.setHeader('Content-Type', json)
      res.setHeader('ETag', etag)
      if (stream && req.method !== 'HEAD') return void Readable.from([TEXT]).pipe(res)
      res.setHeader('Content-Length', TEXT.length)
      res.end(TEXT)
    }

  test.each([false, true])(
    'keeps the ETag of the app, and adds the encoding to strong ones (stream: %s)',
    async (stream) => {
      const strong = await ask(tagged('"a,b"', stream), { 'accept-encoding': 'br' })
      expect(strong.headers['etag']).toBe('"a,b.br"')
      const again = await ask(tagged('"a,b"', stream), { 'accept-encoding': 'br', 'if-none-match': '"a,b.br"' })
      expect([again.status, again.headers['etag'], again.body.length]).toEqual([304, '"a,b.br"', 0])
      const weak = await ask(tagged('W/"w"', stream), { 'accept-encoding': 'br' })
      expect([weak.headers['etag'], toText(weak)]).toEqual(['W/"w"', TEXT])
      expect((await ask(tagged('W/"w"', stream), { 'if-none-match': '"w"' })).status).toBe(304)
      const failed = await ask(tagged('"a"', stream), { 'if-match': '"b"' })
      expect([failed.status, failed.headers['etag'], JSON.parse(failed.text).status]).toEqual([412, undefined, 412])
    },
  )

  test('sends HEAD the headers of GET, without an unknown length', async () => {
    for (const headers of [
      {},
      { 'accept-encoding': 'gzip' },
      { 'accept-encoding': 'gzip', 'if-none-match': '"t.gzip"' },
    ]) {
      const full = await ask(tagged('"t"'), headers)
      const head = await ask(tagged('"t"'), headers, 'HEAD')
      const { 'content-length': length, date: _, ...fields } = head.headers
      expect(head.status).toBe(full.status)
      expect(full.headers).toMatchObject(fields)
      expect([undefined, full.headers['content-length']]).toContain(length)
      expect(head.headers['content-encoding']).toBe(full.headers['content-encoding'])
    }
  })

  test('evaluates If-Modified-Since by the Last-Modified of the app', async () => {
    const handler: Handler = (_req, res) => {
      res.setHeader('Last-Modified', 'Fri, 20 Nov 2026 10:00:00 GMT')
      sendWhole(_req, res)
    }
    const options = { etag: false } as const
    const since = { 'if-modified-since': 'Fri, 20 Nov 2026 10:00:00 GMT' }
    const answer = await ask(handler, since, 'GET', options)
    expect([answer.status, answer.headers['last-modified']]).toEqual([304, since['if-modified-since']])
    expect((await ask(handler, since, 'POST', options)).status).toBe(200)
  })

  const untouched: Record<string, Handler> = {
    'a part': (_req, res) => {
      res.writeHead(206, { 'Content-Type': json, 'Content-Range': `bytes 0-1999/${TEXT.length}` })
      res.end(TEXT.slice(0, 2000))
    },
    'a coded body': (_req, res) => {
      res.writeHead(200, { 'Content-Type': json, 'Content-Encoding': 'x-own', ETag: '"x"' })
      res.end(TEXT)
    },
    'a picture': (_req, res) => void res.writeHead(200, { 'Content-Type': 'image/png', ETag: '"x"' }).end(TEXT),
    'no-transform': (_req, res) =>
      void res.writeHead(200, { 'Content-Type': json, 'Cache-Control': 'no-transform', ETag: '"x"' }).end(TEXT),
    'No-Transform': (_req, res) =>
      void res
        .writeHead(200, { 'Content-Type': json, 'Cache-Control': 'private, No-Transform', ETag: '"x"' })
        .end(TEXT),
    ...Object.fromEntries(
      ['Content-Digest', 'Repr-Digest', 'Digest', 'Content-MD5'].map((name): [string, Handler] => [
        name,
        (_req, res) =>
          void res.writeHead(200, { 'Content-Type': json, [name]: 'of the content', ETag: '"x"' }).end(TEXT),
      ]),
    ),
    'no type': (_req, res) => void res.writeHead(200, { ETag: '"x"' }).end(TEXT),
    'a small body': (_req, res) => void res.writeHead(200, { 'Content-Type': json, ETag: '"x"' }).end('{}'),
  }

  test.each(Object.keys(untouched))('does not change %s', async (name) => {
    const handler = untouched[name] as Handler
    const plain = await ask(handler)
    const answer = await ask(handler, { 'accept-encoding': 'gzip' })
    expect(answer.body).toEqual(plain.body)
    expect({ ...answer.headers, date: '' }).toEqual({ ...plain.headers, date: '' })
    expect(answer.headers['etag']).toBe(name === 'a part' ? undefined : '"x"')
  })

  test('adds no ETag to errors, changes, and responses that must not be stored', async () => {
    const answers = await Promise.all([
      ask((_req, res) => void res.writeHead(404, { 'Content-Type': json }).end(TEXT)),
      ask(sendWhole, {}, 'PUT'),
      ask(sendWhole, {}, 'DELETE'),
      ask((_req, res) => void res.writeHead(200, { 'Cache-Control': 'no-store' }).end(TEXT)),
      ask(sendWhole, {}, 'GET', { etag: false }),
      ask((_req, res) => void res.writeHead(204).end()),
    ])
    for (const { headers } of answers) expect(headers['etag']).toBeUndefined()
    expect((await ask(sendWhole, {}, 'GET', { etag: 'weak' })).headers['etag']).toMatch(/^W\//)
  })

  test('compresses errors and responses to POST too', async () => {
    const handler: Handler = (_req, res) => void res.writeHead(500, { 'Content-Type': json }).end(TEXT)
    for (const method of ['GET', 'POST']) {
      const answer = await ask(handler, { 'accept-encoding': 'gzip' }, method)
      expect([answer.status, toText(answer)]).toEqual([500, TEXT])
    }
  })

  test('returns 406 before the handler runs if no encoding is acceptable', async () => {
    let ran = false
    const answer = await ask(
      () => {
        ran = true
      },
      { 'accept-encoding': 'identity;q=0' },
    )
    expect([answer.status, answer.headers['vary'], ran]).toEqual([406, 'Accept-Encoding', false])
    expect(answer.text).toContain('gzip')
  })

  test('compresses nothing with encodings [], and evaluates no conditions with conditional false', async () => {
    const plain = await ask(sendWhole, { 'accept-encoding': 'gzip' }, 'GET', { encodings: [] })
    expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([undefined, undefined])
    expect((await ask(sendWhole, { 'accept-encoding': '*;q=0' }, 'GET', { encodings: [] })).status).toBe(200)
    expect((await ask(tagged('"t"'), { 'if-none-match': '"t"' }, 'GET', { conditional: false })).status).toBe(200)
  })

  test('asks shouldCompress about the media type without its parameters', async () => {
    const handler: Handler = (_req, res) =>
      void res.writeHead(200, { 'Content-Type': 'Text/HTML; charset=utf-8' }).end(TEXT)
    const answer = await ask(handler, { 'accept-encoding': 'gzip' }, 'GET', {
      shouldCompress: (type) => type === 'text/html',
    })
    expect(answer.headers['content-encoding']).toBe('gzip')
  })

  const empty: Record<string, Handler> = {
    'no body': (_req, res) => void res.writeHead(200, { 'Content-Type': json }).end(),
    'an empty body': (_req, res) => void res.writeHead(200, { 'Content-Type': json }).end(''),
    'an announced empty body': (_req, res) =>
      void res.writeHead(200, { 'Content-Type': json, 'Content-Length': 0 }).end(),
  }
  test.each(Object.keys(empty))('never encodes %s', async (name) => {
    for (const method of ['GET', 'POST']) {
      const handler = empty[name] as Handler
      const answers = [
        await ask(handler, { 'accept-encoding': 'identity;q=0, gzip' }, method),
        await ask(handler, { 'accept-encoding': 'gzip' }, method, { minBytes: 0 }),
      ]
      for (const { headers, body } of answers)
        expect([headers['content-encoding'], headers['vary'], body.length]).toEqual([undefined, 'Accept-Encoding', 0])
    }
  })

  test('merges Vary', async () => {
    const answer = await ask((req, res) => {
      res.setHeader('Vary', 'Origin, accept-encoding')
      sendWhole(req, res)
    })
    expect(answer.headers['vary']).toBe('Origin, accept-encoding')
  })
})

describe.each<[string, Middleware[]]>([
  ['negotiate()', [negotiate()]],
  ['conditional(), compress()', [conditionalRequests(), compress()]],
  ['compress(), conditional()', [compress(), conditionalRequests()]],
])('%s in Express 5', (_name, middlewares) => {
  const app = express5()
  app.disable('x-powered-by')
  app.use(...middlewares)
  app.get('/json', (_req, res) => void res.json(JSON.parse(TEXT)))
  app.get('/send', (_req, res) => void res.send(TEXT))
  app.get('/file', (_req, res) => res.sendFile(new URL('../vectors/negotiate.json', import.meta.url).pathname))

  test.each(['/json', '/send', '/file'])('handles %s: GET, HEAD, 304', async (path) => {
    const { url, close } = await listen(app)
    const headers = { 'accept-encoding': 'gzip' }
    const full = await send(url, { path, headers })
    expect(full.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
      etag: expect.any(String),
    })
    const head = await send(url, { path, headers, method: 'HEAD' })
    const { 'content-length': length, ...fields } = head.headers
    expect([undefined, full.headers['content-length']]).toContain(length)
    expect(full.headers).toMatchObject({ ...fields, date: expect.any(String) })
    const again = await send(url, { path, headers: { ...headers, 'if-none-match': full.headers['etag'] ?? '' } })
    expect([again.status, again.headers['etag'], again.headers['vary']]).toEqual([
      304,
      full.headers['etag'],
      'Accept-Encoding',
    ])
    const part = await send(url, { path: '/file', headers: { ...headers, range: 'bytes=0-9' } })
    expect([part.status, part.body.length, part.headers['content-encoding']]).toEqual([206, 10, undefined])
    await close()
  })
})

describe('the options of negotiate', () => {
  const wrong: [unknown, string][] = [
    [{ codings: [] }, 'negotiate: unknown option "codings", did you mean "encodings"?'],
    [{ threshold: 1 }, 'negotiate: unknown option "threshold", did you mean "minBytes"?'],
    [{ filter: () => true }, 'negotiate: unknown option "filter", did you mean "shouldCompress"?'],
    [null, 'negotiate: options must be an object, got null'],
    [{ encodings: ['snappy'] }, 'negotiate: encodings must be among br, zstd, gzip, deflate, got "snappy"'],
    [{ minBytes: -1 }, 'negotiate: minBytes must be a non-negative integer, got -1'],
    [{ shouldCompress: /x/ }, 'negotiate: shouldCompress must be a function, got an object'],
    [{ etag: true }, "negotiate: etag must be one of 'strong', 'weak', false, got true"],
    [
      { requirePrecondition: true },
      'negotiate: requirePrecondition must come with currentState, which returns whether the resource exists',
    ],
  ]
  test.each(wrong)('rejects %j', (options, message) => {
    expect(() => negotiate(options as NegotiateOptions)).toThrow(new TypeError(message))
  })
})

test('does not compress an encoded body of the app again', async () => {
  const handler: Handler = (_req, res) =>
    void res.writeHead(200, { 'Content-Type': json, 'Content-Encoding': 'gzip' }).end(gzipSync(TEXT))
  await running('node:http', handler, {}, async (url) => {
    const answer = await send(url, { headers: { 'accept-encoding': 'br, gzip' } })
    expect([answer.headers['content-encoding'], toText(answer)]).toEqual(['gzip', TEXT])
  })
})
