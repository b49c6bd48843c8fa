import { gzipSync } from 'node:zlib'
import Boom from '@hapi/boom'
import { errors, httpError, type LogEntry, methodNotAllowed, wrap } from '@svc/errors'
import express5, { type Express, type Request, type Response } from 'express'
import express4 from 'express4'
import createError from 'http-errors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { IncomingMessage } from '../../internal/middleware.ts'
import { check, type RequestLiteral, send } from '../../internal/testing/check.ts'
import { listen, type RunningHost } from '../../internal/testing/hosts.ts'

const THROWN: Record<string, unknown> = {
  error: new Error('canary /srv/app.ts'),
  conflict: createError(409, 'Taken.', { headers: { 'Retry-After': '3' } }),
  unavailable: createError(503, 'canary'),
  boom: Boom.conflict('Taken.'),
  text: 'canary',
  null: null,
  undefined: undefined,
}

let log: (entry: LogEntry) => void = () => {}

/** A typical app: routes, a body parser, and the two lines of this package at the end. */
function build(express: () => Express, json: () => ReturnType<typeof express5.json>): Express {
  const app = express()
  app.use(json())
  app.get(
    '/sync/:name',
    wrap((req: Request) => fail(THROWN[String(req.params['name'])])),
  )
  app.get(
    '/async/:name',
    wrap(async (req: Request) => fail(THROWN[String(req.params['name'])])),
  )
  app.get('/bare/:name', (req: Request) => fail(THROWN[String(req.params['name'])]))
  app.post('/body', (req: Request, res: Response) => void res.json(req.body))
  app.get('/file', (_req: Request, res: Response) => void res.sendFile('/canary/none.txt'))
  app.get('/query', (req: Request) => fail(httpError(422, 'No.', { cause: new Error(String(req.query['token'])) })))
  app.use(methodNotAllowed())
  app.use(errors({ onError: (entry) => log(entry) }))
  return app
}

describe.each([
  ['express 4', () => build(express4, express4.json)],
  ['express 5', () => build(express5, express5.json)],
])('%s', (_version, make) => {
  let running: RunningHost
  beforeAll(async () => {
    running = await listen(make())
  })
  afterAll(() => running.close())

  const json = { 'content-type': 'application/json' }

  // A plain Express app responds to these with an HTML page or not at all.
  test.each<[string, RequestLiteral, number, string]>([
    ['a throw', { path: '/bare/error' }, 500, 'INTERNAL_ERROR'],
    ['a rejection', { path: '/async/error' }, 500, 'INTERNAL_ERROR'],
    ['an error of http-errors', { path: '/bare/conflict' }, 409, 'CONFLICT'],
    ['one from 500 on', { path: '/async/unavailable' }, 503, 'SERVICE_UNAVAILABLE'],
    ['one of Boom', { path: '/bare/boom' }, 409, 'CONFLICT'],
    ['a text', { path: '/bare/text' }, 500, 'INTERNAL_ERROR'],
    ['null', { path: '/sync/null' }, 500, 'INTERNAL_ERROR'],
    ['undefined', { path: '/async/undefined' }, 500, 'INTERNAL_ERROR'],
    ['an unknown path', { path: '/nowhere' }, 404, 'ROUTE_NOT_FOUND'],
    ['a wrong method', { path: '/sync/error', method: 'PUT' }, 405, 'METHOD_NOT_ALLOWED'],
    ['malformed JSON', { path: '/body', method: 'POST', headers: json, body: '{"canary":' }, 400, 'MALFORMED_BODY'],
    ['a malformed address', { path: '/sync/%ff' }, 400, 'MALFORMED_URI'],
    ['a null that nobody wrapped', { path: '/bare/null' }, 404, 'ROUTE_NOT_FOUND'],
    [
      'a body that is too large',
      { path: '/body', method: 'POST', headers: json, body: JSON.stringify('x'.repeat(200_000)) },
      413,
      'BODY_TOO_LARGE',
    ],
    [
      'a coding that is not known',
      { path: '/body', method: 'POST', headers: { ...json, 'content-encoding': 'canary' }, body: '{}' },
      415,
      'UNSUPPORTED_ENCODING',
    ],
    [
      'a coding that cannot be undone',
      { path: '/body', method: 'POST', headers: { ...json, 'content-encoding': 'gzip' }, body: 'canary' },
      400,
      'MALFORMED_BODY',
    ],
    [
      'a charset that is not known',
      { path: '/body', method: 'POST', headers: { 'content-type': 'application/json; charset=canary' }, body: '{}' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['a file that does not exist', { path: '/file' }, 404, 'NOT_FOUND'],
    ['a secret in the query', { path: '/query?token=canary' }, 422, 'BUSINESS_RULE'],
  ])('responds to %s with a record that reveals nothing', async (_situation, literal, status, code) => {
    const answer = await check(running.url, literal, {
      status,
      headers: { 'content-type': 'application/json; charset=utf-8', etag: undefined, vary: /Accept/ },
    })
    const record = JSON.parse(answer.text)
    expect(record).toMatchObject({ status, code, path: literal.path?.split('?')[0] })
    expect(answer.text).not.toMatch(/canary|Error:|\.ts|at \S+:\d/)
  })

  test('keeps Retry-After, and sends the required Allow and Accept-Encoding', async () => {
    await check(running.url, { path: '/bare/conflict' }, { headers: { 'retry-after': '3' } })
    await check(running.url, { path: '/sync/x', method: 'PUT' }, { headers: { allow: 'GET, HEAD, OPTIONS' } })
    const coding = { path: '/body', method: 'POST', headers: { ...json, 'content-encoding': 'x' }, body: '{}' }
    await check(running.url, coding, { headers: { 'accept-encoding': 'gzip, deflate' } })
  })

  test('sends no response to a truncated body', async () => {
    const cut = { path: '/body', method: 'POST', headers: { ...json, 'content-length': '99' }, body: '{' }
    const { promise: logged, resolve } = Promise.withResolvers<LogEntry>()
    log = resolve
    running.server.once('request', (req: IncomingMessage) =>
      req.once('data', () => running.server.closeAllConnections()),
    )
    await expect(send(running.url, cut)).rejects.toThrow(/hang up|reset/)
    expect(await logged).toMatchObject({ status: 499, severity: 'info', path: '/body' })
  })
})

test('asks for a body without a coding where the parser undoes none', async () => {
  const app = express5().use(express5.json({ inflate: false }))
  app.use(errors({ onError: () => {} }))
  const running = await listen(app)
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  await check(
    running.url,
    { method: 'POST', headers, body: gzipSync('{}') },
    {
      status: 415,
      headers: { 'accept-encoding': 'identity' },
    },
  ).finally(() => running.close())
})

function fail(error: unknown): never {
  throw error
}
