import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { versioning } from '@svc/versioning'
import express from 'express'
import express4 from 'express4'
import { afterEach, describe, expect, test } from 'vitest'
import { createHttpError } from '../../internal/http-error.ts'
import type { Middleware } from '../../internal/middleware.ts'
import { check, send } from '../../internal/testing/check.ts'
import { hosts, hostsWithHttp2, listen, type Pipeline, type RunningHost } from '../../internal/testing/hosts.ts'

const running: RunningHost[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()))
})

async function start(listener: Parameters<typeof listen>[0]): Promise<string> {
  const server = await listen(listener)
  running.push(server)
  return server.url
}

const startOn = (host: string, pipeline: Pipeline): Promise<string> =>
  start((hostsWithHttp2[host] as (typeof hosts)[string])(pipeline))

const api = versioning({ versions: ['1', '2'], vendor: 'svc' })
const handing = versioning({ versions: ['1', '2'], onRefused: 'next' })
for (const { addChange } of [api, handing])
  addChange('2', {
    description: 'The name is two fields.',
    paths: ['/employees', '/employees/*'],
    items: 'items',
    up: ({ name, ...rest }: { name: string }) => {
      const [firstName, lastName] = name.split(' ')
      if (name === 'too long') throw createHttpError({ status: 422, code: 'OWN', message: 'Too long.' })
      return { ...rest, firstName, lastName }
    },
    down: ({ firstName, lastName, ...rest }: { firstName: string; lastName: string }) => ({
      ...rest,
      name: `${firstName.trim()} ${lastName}`,
    }),
  })

const ada = { id: 1, firstName: 'Ada', lastName: 'Lövelace' }
const ada1 = { id: 1, name: 'Ada Lövelace' }
const json = JSON.stringify(ada)

const endings: Record<string, NonNullable<Pipeline['handler']>> = {
  'end with a length': (_req, res) => {
    res.setHeader('Content-Type', 'application/json; charset=utf-8')
    res.setHeader('Content-Length', Buffer.byteLength(json))
    res.end(json)
  },
  'writeHead and end': (_req, res) =>
    void res
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) })
      .end(json),
  'several writes': (_req, res) => {
    res.setHeader('Content-Type', 'application/vnd.svc.v2+json')
    const bytes = Buffer.from(json)
    for (const byte of bytes) res.write(Buffer.of(byte))
    res.end()
  },
}

describe.each(Object.keys(hosts))('transform on %s', (host) => {
  test.each(Object.keys(endings))('downgrades a response of %s to the version of the request', async (ending) => {
    const url = await startOn(host, { middlewares: [api, api.transform], handler: endings[ending] as never })
    const length = String(Buffer.byteLength(JSON.stringify(ada1)))
    const older = await check(url, { path: '/employees/1' }, { status: 200, headers: { 'content-length': length } })
    expect(JSON.parse(older.text)).toEqual(ada1)
    const newer = await check(url, { path: '/v2/employees/1' }, { status: 200, body: json })
    expect(newer.headers['api-version']).toBe('2')
  })

  test('sends HEAD without the length of another body', async () => {
    const url = await startOn(host, {
      middlewares: [api, api.transform],
      handler: endings['end with a length'] as never,
    })
    await check(
      url,
      { method: 'HEAD', path: '/employees/1' },
      { status: 200, headers: { 'content-length': undefined } },
    )
    expect.hasAssertions()
  })

  test.each([
    ['another path', '/orders/1', 200, 'application/json', json],
    ['an error', '/employees/1', 404, 'application/json', json],
    ['a choice of several', '/employees/1', 300, 'application/json', json],
    ['another type', '/employees/1', 200, 'text/plain', json],
    ['no body', '/employees/1', 204, 'application/json', ''],
  ])('does not change %s', async (_name, path, status, type, body) => {
    const url = await startOn(host, {
      middlewares: [api, api.transform],
      handler: (_req, res) => {
        res.statusCode = status
        res.setHeader('Content-Type', type)
        if (body !== '') res.setHeader('Content-Length', Buffer.byteLength(body))
        res.end(body)
      },
    })
    const length = body === '' ? undefined : String(Buffer.byteLength(body))
    await check(url, { path }, { status, body, headers: { 'content-length': length } })
    expect.hasAssertions()
  })

  test.each([
    ['a body that the change cannot take', JSON.stringify({ id: 1 })],
    ['a body that is no JSON', '{"id":'],
  ])('returns 500 instead of the newest format for %s', async (_name, body) => {
    const url = await startOn(host, {
      middlewares: [api, api.transform],
      handler: (_req, res) => {
        res.setHeader('Content-Type', 'application/json')
        res.end(body)
      },
    })
    const answer = await check(
      url,
      { path: '/employees/1' },
      { status: 500, body: { status: 500, path: '/employees/1' } },
    )
    expect(JSON.parse(answer.text).message).toBe('The server could not process the request.')
  })

  test('returns 500 instead of the newest format for JSON that is compressed', async () => {
    const messages: unknown[] = []
    const respond: Pipeline['handler'] = (_req, res) => {
      res.setHeader('Content-Type', 'application/json')
      res.setHeader('Content-Encoding', 'gzip')
      res.end(gzipSync(json))
    }
    const url = await startOn(host, {
      middlewares: [handing, handing.transform],
      handler: respond,
      onError: (error, _req, res) => {
        messages.push((error as Error).message)
        res.statusCode = 500
        res.end('broken')
      },
    })
    const headers = { 'content-encoding': undefined }
    await check(url, { path: '/v1/employees/1' }, { status: 500, headers, body: 'broken' })
    await check(url, { path: '/v2/employees/1' }, { status: 200, headers: { 'content-encoding': 'gzip' } })
    expect(messages).toEqual(['The response is already compressed: mount compression before api.transform.'])
  })

  test('passes a response that cannot be downgraded to the error handler', async () => {
    const errors: unknown[] = []
    const url = await startOn(host, {
      middlewares: [handing, handing.transform],
      handler: (_req, res) => {
        res.setHeader('Content-Type', 'application/json')
        res.end('{}')
      },
      onError: (error, _req, res) => {
        const { status, code, cause } = error as { status: number; code: string; cause: unknown }
        errors.push(code, cause instanceof TypeError)
        res.statusCode = status
        res.end('broken')
      },
    })
    await check(url, { path: '/employees/1' }, { status: 500, body: 'broken' })
    expect(errors).toEqual(['ERR_VERSIONING_TRANSFORM_FAILED', true])
  })

  test.each(['up', 'down'])('returns 500 if %s of a change returns a promise', async (name) => {
    const waiting = versioning({ versions: ['1', '2'], onRefused: 'next' })
    const change = { description: 'Waits.', paths: ['/employees'], [name]: () => Promise.reject(new Error('mine')) }
    waiting.addChange('2', change)
    const url = await startOn(host, {
      middlewares: [waiting, (req, _res, next) => next(void Object.assign(req, { body: ada })), waiting.transform],
      handler: endings['end with a length'] as never,
      onError: (error, _req, res) => {
        const { status, code } = error as { status: number; code: string }
        res.statusCode = status
        res.end(code)
      },
    })
    await check(url, { path: '/employees' }, { status: 500, body: 'ERR_VERSIONING_TRANSFORM_FAILED' })
    expect.hasAssertions()
  })

  test('adds a suffix to ETags of an older version, and removes it from conditions', async () => {
    const seen: unknown[] = []
    const url = await startOn(host, {
      middlewares: [api, api.transform],
      handler: (req, res) => {
        seen.push(req.headers['if-none-match'], req.headers['if-match'])
        res.setHeader('ETag', '"7"')
        endings['end with a length']?.(req, res)
      },
    })
    const headers = { 'if-none-match': 'W/"7.v1", "8"', 'if-match': '"7.v1.br", "6"' }
    await check(url, { path: '/employees/1', headers }, { headers: { etag: '"7.v1"' } })
    await check(url, { path: '/v2/employees/1', headers }, { headers: { etag: '"7"' } })
    expect(seen).toEqual(['W/"7"', '"7", "6"', headers['if-none-match'], headers['if-match']])
  })

  test.each([
    ['GET', '"7"', '""'],
    ['GET', '"7.v1.br"', '""'],
    ['GET', ' *', '*'],
    ['PUT', '"7", "8.v1"', '"7", "8"'],
    ['PUT', '"7.v1.v1"', '"7.v1"'],
  ])('passes a %s with If-None-Match %s only the ETags of the version', async (method, sent, shown) => {
    const seen: unknown[] = []
    const url = await startOn(host, {
      middlewares: [api, api.transform],
      handler: (req, res) => {
        seen.push(req.headers['if-none-match'])
        res.end()
        seen.push(req.headers['if-none-match'])
      },
    })
    await check(url, { method, path: '/employees/1', headers: { 'if-none-match': sent } }, { status: 200 })
    expect(seen).toEqual([shown, sent.trim()])
  })

  test('removes the suffix from conditions of changes for middleware before transform', async () => {
    const seen: unknown[] = []
    const checkConditions: Middleware = ({ headers }, _res, next) => {
      seen.push([headers['if-match'], headers['if-none-match']])
      next()
    }
    const url = await startOn(host, {
      middlewares: [api, checkConditions, api.transform],
      handler: (_req, res) => void res.end(),
    })
    const headers = { 'if-match': '"7.v1", "8.v1.br"', 'if-none-match': '"9.v1"' }
    const sent = [headers['if-match'], headers['if-none-match']]
    for (const method of ['PUT', 'PATCH', 'GET']) await send(url, { method, path: '/v1/employees/1', headers })
    await send(url, { method: 'PUT', path: '/v2/employees/1', headers })
    await send(url, { method: 'PUT', path: '/v1/orders/1', headers })
    const removed = ['"7", "8"', '"9"']
    expect(seen).toEqual([removed, removed, sent, sent, sent])
  })

  test('hides Accept-Encoding and byte ranges, which middleware after it would apply to the newest format', async () => {
    const seen: unknown[] = []
    const record: Middleware = ({ headers }) => seen.push([headers['accept-encoding'], headers.range])
    const url = await startOn(host, {
      middlewares: [api, api.transform],
      handler: (req, res) => {
        record(req, res, () => {})
        endings['end with a length']?.(req, res)
        record(req, res, () => {})
      },
    })
    const headers = { 'accept-encoding': 'gzip', range: 'Bytes=0-9' }
    const sent = ['gzip', 'Bytes=0-9']
    await check(url, { path: '/employees/1', headers }, { body: ada1 })
    await check(url, { path: '/v2/employees/1', headers }, { body: json })
    await check(url, { path: '/employees/1', headers: { range: 'items=0-9' } }, { body: ada1 })
    const items = [undefined, 'items=0-9']
    expect(seen).toEqual([[undefined, undefined], sent, sent, sent, items, items])
  })

  test('converts a 206 of a custom range unit', async () => {
    const url = await startOn(host, {
      middlewares: [api, api.transform],
      handler: (req, res) => {
        res.statusCode = 206
        res.setHeader('Accept-Ranges', 'items')
        res.setHeader('Content-Range', 'items 0-0/1')
        endings['end with a length']?.(req, res)
      },
    })
    const headers = { 'accept-ranges': 'items', 'content-range': 'items 0-0/1' }
    await check(url, { path: '/employees/1' }, { status: 206, headers, body: ada1 })
    expect.hasAssertions()
  })

  test.each([
    ['application/json', '/v1/employees/1', undefined],
    ['application/json', '/v2/employees/1', 'sha-256=:abc=:'],
    ['text/plain', '/v1/employees/1', 'sha-256=:abc=:'],
  ])('sends %s of %s with the digest headers %j', async (type, path, digest) => {
    const url = await startOn(host, {
      middlewares: [api, api.transform],
      handler: (_req, res) => {
        for (const name of ['Content-Digest', 'Repr-Digest', 'Digest', 'Content-MD5'])
          res.setHeader(name, 'sha-256=:abc=:')
        res.setHeader('Content-Type', type)
        res.end(json)
      },
    })
    const headers = { 'content-digest': digest, 'repr-digest': digest, digest, 'content-md5': digest }
    await check(url, { path }, { status: 200, headers })
    expect.hasAssertions()
  })

  test('does not change responses of a path whose changes only convert requests', async () => {
    const upward = versioning({ versions: ['1', '2'] })
    upward.addChange('2', { description: 'A new name.', paths: ['/words'], up: (body) => body })
    const url = await startOn(host, {
      middlewares: [upward, upward.transform],
      handler: (req, res) => {
        res.setHeader('Content-Type', 'application/json')
        res.setHeader('ETag', '"7"')
        res.end(`{ "accepts": "${req.headers['accept-encoding']}" }`)
      },
    })
    const words = { path: '/words', headers: { 'accept-encoding': 'gzip' } }
    await check(url, words, { headers: { etag: '"7"' }, body: '{ "accepts": "gzip" }' })
    expect.hasAssertions()
  })

  test('downgrades a response whose headers are sent before its body', async () => {
    const url = await startOn(host, {
      middlewares: [api, api.transform],
      handler: (_req, res) => {
        res.writeHead(200, { 'Content-Type': 'application/json' })
        res.flushHeaders()
        res.end(json)
      },
    })
    await check(url, { path: '/employees/1' }, { status: 200, body: ada1 })
    await check(url, { path: '/Employees/1' }, { status: 200, body: ada1 })
    expect.hasAssertions()
  })

  test.each([
    ['http://localhost/v1/employees/1', ada1],
    ['HTTP://user@localhost:80/v1/employees/1/?to=/b', ada1],
    ['http://localhost/v2/employees/1', ada],
    ['/v1/employees#part', ada1],
    ['/v1/employees?to=http://localhost/b', ada1],
    ['/v1/a://b/employees/1', ada],
    ['http://localhost', ada],
  ])('converts the response to %s as its path requires (RFC 9112 §3.2.2)', async (path, body) => {
    const url = await startOn(host, {
      middlewares: [api, api.transform],
      handler: endings['end with a length'] as never,
    })
    const response = await new Promise<string>((resolve, reject) => {
      const req = request(url, { path, agent: false }, (res) => resolve(text(res)))
      req.on('error', reject).end()
    })
    expect(JSON.parse(response)).toEqual(body)
  })

  test('calls next if no version was resolved', async () => {
    const url = await startOn(host, { middlewares: [api.transform], handler: endings['end with a length'] as never })
    await check(url, { path: '/employees/1' }, { body: json })
    expect.hasAssertions()
  })
})

test.each(Object.keys(hostsWithHttp2))('upgrades a body of any framing, except of QUERY, on %s', async (host) => {
  const seen: unknown[] = []
  const parseBody: Middleware = async (req, _res, next) => {
    const body = await text(req)
    Object.assign(req, { body: body === '' ? {} : JSON.parse(body) })
    next()
  }
  const url = await startOn(host, {
    middlewares: [api, parseBody, api.transform],
    handler: (req, res) => {
      seen.push((req as { body?: unknown }).body)
      res.end()
    },
  })
  const post = { method: 'POST', path: '/employees', body: JSON.stringify({ name: 'Ada Lovelace' }) }
  await check(url, post, { status: 200 })
  await check(url, { ...post, headers: { 'transfer-encoding': 'chunked' } }, { status: 200 })
  await check(url, { path: '/employees' }, { status: 200 })
  await check(url, { ...post, method: 'QUERY' }, { status: 200 })
  const upgraded = { firstName: 'Ada', lastName: 'Lovelace' }
  expect(seen).toEqual([upgraded, upgraded, {}, { name: 'Ada Lovelace' }])
})

describe.each([
  ['express 4', express4],
  ['express 5', express],
])('transform in an app of %s', (_name, makeApp) => {
  function makeEcho() {
    const app = makeApp()
    app.use(api, express.json({ type: ['json', '+json'] }), api.transform)
    app.post('/employees', (req, res) => void res.status(201).json(req.body))
    app.get('/employees', (_req, res) => void res.send({ items: [ada], page: { number: 0 } }))
    app.get('/employees/:id', (_req, res) => void res.json(ada))
    return app
  }
  const post = (version: string, body: unknown) => ({
    method: 'POST',
    path: `/v${version}/employees`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

  test('upgrades a body, so that handlers get the newest format', async () => {
    const app = makeApp()
    const seen: unknown[] = []
    app.use(api, express.json(), api.transform)
    app.post('/employees', (req, res) => {
      seen.push(req.body)
      res.status(204).end()
    })
    const url = await start(app)
    await check(url, post('1', { name: 'Ada Lovelace', x: 1 }), { status: 204 })
    await check(url, post('2', ada), { status: 204 })
    expect(seen).toEqual([{ firstName: 'Ada', lastName: 'Lovelace', x: 1 }, ada])
  })

  test('calls no change for a request without a body', async () => {
    const app = makeApp()
    app.use(api, express4.json(), api.transform)
    app.get('/employees/:id', (_req, res) => void res.json(ada))
    const url = await start(app)
    await check(url, { path: '/employees/1' }, { status: 200, body: ada1 })
    await check(url, { path: '/employees/1', headers: { 'content-length': '0' } }, { status: 200, body: ada1 })
    expect.hasAssertions()
  })

  test.each([
    ['text/csv', 'a,b', 204, {}],
    ['multipart/form-data; boundary=x', '--x--', 204, {}],
    ['application/json', '{}', 400, undefined],
    ['application/merge-patch+json', '{}', 400, undefined],
  ])('calls up for an empty body of %s only if it is JSON', async (type, body, status, seen) => {
    const app = makeApp()
    const bodies: unknown[] = []
    app.use(api, express4.json({ type: ['json', '+json'] }), api.transform)
    app.post('/employees', (req, res) => {
      bodies.push(req.body)
      res.status(204).end()
    })
    await check(
      await start(app),
      { method: 'POST', path: '/employees', headers: { 'content-type': type }, body },
      { status },
    )
    expect(bodies).toEqual(seen ? [seen] : [])
  })

  test('sends a file as a whole, since a part of it cannot be converted', async () => {
    const files = versioning({ versions: ['1', '2'] })
    files.addChange('2', {
      description: 'A title is a name.',
      paths: ['/file'],
      down: ({ name }: { name: string }) => ({ title: name }),
    })
    const app = makeApp()
    app.use(files, files.transform)
    app.get('/file', (_req, res) => res.sendFile(join(import.meta.dirname, '../package.json')))
    const url = await start(app)
    const headers = { range: 'bytes=0-9' }
    const { headers: sent } = await check(
      url,
      { path: '/v1/file', headers },
      {
        status: 200,
        headers: { 'accept-ranges': undefined, 'content-range': undefined },
        body: '{"title":"@svc/versioning"}',
      },
    )
    expect(sent['etag']).toContain('.v1"')
    await check(url, { path: '/v2/file', headers }, { status: 206, headers: { 'accept-ranges': 'bytes' } })
  })

  test('downgrades res.jsonp', async () => {
    const app = makeApp()
    app.use(api, api.transform)
    app.get('/employees/:id', (_req, res) => void res.set('Content-Digest', 'sha-256=:abc=:').jsonp(ada))
    const url = await start(app)
    const callback = `/**/ typeof cb === 'function' && cb(${JSON.stringify(ada1)});`
    const headers = { 'content-digest': undefined }
    await check(url, { path: '/v1/employees/1?callback=cb' }, { status: 200, headers, body: callback })
    await check(url, { path: '/v1/employees/1' }, { status: 200, headers, body: ada1 })
    expect.hasAssertions()
  })

  test('downgrades the JSON of a body, without the properties that its toJSON hides', async () => {
    const app = makeApp()
    app.use(api, api.transform)
    const employee = { ...ada, passwordHash: 'secret', toJSON: () => ada }
    app.get('/employees', (_req, res) => void res.json([employee]))
    app.get('/employees/:id', (_req, res) => void res.json(employee))
    const url = await start(app)
    await check(url, { path: '/v1/employees' }, { status: 200, body: JSON.stringify([ada1]) })
    await check(url, { path: '/v1/employees/1' }, { status: 200, body: JSON.stringify(ada1) })
    await check(url, { path: '/v2/employees/1' }, { status: 200, body: json })
    expect.hasAssertions()
  })

  test('downgrades res.json and res.send, including items of a page', async () => {
    const url = await start(makeEcho())
    expect(JSON.parse((await send(url, post('1', ada1))).text)).toEqual(ada1)
    expect(JSON.parse((await send(url, { path: '/employees' })).text)).toEqual({ items: [ada1], page: { number: 0 } })
    expect(JSON.parse((await send(url, { path: '/employees/1' })).text)).toEqual(ada1)
  })

  test('adds ETags to converted responses, and returns 304 to them', async () => {
    const url = await start(makeEcho())
    const [older, newer] = [await send(url, { path: '/v1/employees/1' }), await send(url, { path: '/v2/employees/1' })]
    expect(older.headers['etag']).toMatch(/^W\/".*\.v1"$/)
    expect(newer.headers['etag']).not.toContain('.v1')
    const headers = { 'if-none-match': older.headers['etag'] ?? '' }
    await check(url, { path: '/v1/employees/1', headers }, { status: 304, headers: { etag: older.headers['etag'] } })
    await check(url, { path: '/v2/employees/1', headers }, { status: 200 })
  })

  test('responds to a vendor type in its format with its name', async () => {
    const url = await start(makeEcho())
    const headers = { accept: 'application/vnd.svc.v1+json' }
    const type = 'application/vnd.svc.v1+json; charset=utf-8'
    const { text } = await check(url, { path: '/employees/1', headers }, { headers: { 'content-type': type } })
    expect(JSON.parse(text)).toEqual(ada1)
  })

  test('returns 500 if res.json gets a body that cannot be downgraded, even from an async handler', async () => {
    const app = makeApp()
    app.use(api, api.transform)
    app.get('/employees/:id', (async (_req, res) => {
      await undefined
      res.json({ lastName: 'Lövelace' })
    }) as express.RequestHandler)
    app.use(((error: { code: string }, _req, res, _next) => {
      res.status(500).json({ code: error.code })
    }) as express.ErrorRequestHandler)
    await check(
      await start(app),
      { path: '/employees/1' },
      { status: 500, body: { code: 'ERR_VERSIONING_TRANSFORM_FAILED' } },
    )
    expect.hasAssertions()
  })

  test.each([
    ['a body that is not valid in its version', { id: 1 }, 400, 'The body is not valid in version 1.'],
    ['an error of the change that has a status', { name: 'too long' }, 422, 'Too long.'],
  ])('rejects %s', async (_case, body, status, message) => {
    const app = makeEcho()
    app.use(((error: { status: number; message: string }, _req, res, _next) => {
      res.status(error.status).json({ message: error.message })
    }) as express.ErrorRequestHandler)
    const url = await start(app)
    await check(url, post('1', body), { status, body: { message } })
    expect.hasAssertions()
  })

  test('refuses a JSON Patch of an older version, whose operations up cannot convert', async () => {
    const app = makeApp()
    app.use(api, express.json({ type: '+json' }), api.transform)
    app.patch('/employees/:id', (req, res) => void res.json(req.body))
    const url = await start(app)
    const patch = (path: string, type = 'Application/JSON-Patch+json; charset=utf-8') => ({
      method: 'PATCH',
      path,
      headers: { 'content-type': type },
      body: '[{"op":"remove","path":"/name"}]',
    })
    const body = { code: 'ERR_VERSIONING_BODY_INVALID' }
    await check(url, patch('/v1/employees/1'), { status: 415, body })
    await check(url, patch('/v2/employees/1'), { status: 200 })
    expect((await send(url, patch('/v1/employees/1', 'application/merge-patch+json'))).status).not.toBe(415)
  })
})

test('downgrades res.json of Express 4 with a status as its first argument', async () => {
  const app = express4()
  app.use(api, api.transform)
  app.get('/employees/:id', (_req, res) => void (res.json as (...args: unknown[]) => void)(201, ada))
  await check(await start(app), { path: '/v1/employees/1' }, { status: 201, body: ada1 })
  expect.hasAssertions()
})
