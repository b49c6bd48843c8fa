import type express from 'express'
import { afterEach, describe, expect, test } from 'vitest'
import { createHttpError } from './http-error.ts'
import type { Middleware, ServerResponse } from './middleware.ts'
import { type OnRefused, refuse, registerErrorHandler } from './refuse.ts'
import { send } from './testing/check.ts'
import { hosts, listen, type Pipeline } from './testing/hosts.ts'

const refusing =
  (onRefused?: OnRefused): Middleware =>
  (req, res, next) =>
    refuse(
      createHttpError({ status: 429, code: 'ERR_X', message: 'Too fast.', headers: { 'Retry-After': '3' } }),
      req,
      res,
      next,
      onRefused,
    )

afterEach(() => {
  delete (globalThis as Record<symbol, unknown>)[Symbol.for('svc.errors.inUse')]
})

async function readResponse(host: string, pipeline: Pipeline, method = 'GET') {
  const { url, close } = await listen((hosts[host] as (typeof hosts)[string])(pipeline))
  try {
    return await send(url, { path: '/a?token=x', method })
  } finally {
    await close()
  }
}

describe.each(Object.keys(hosts))('a rejected request on %s', (host) => {
  const onError: Pipeline['onError'] = (error, _req, res) => {
    res.statusCode = 418
    res.end((error as { code: string }).code)
  }

  test('gets a JSON error record without an error handler, and never runs the handler', async () => {
    let ran = false
    const answer = await readResponse(host, { middlewares: [refusing()], handler: () => void (ran = true) })
    expect(ran).toBe(false)
    expect(answer.status).toBe(429)
    expect(answer.headers).toMatchObject({ 'retry-after': '3', 'content-type': 'application/json; charset=utf-8' })
    const record = JSON.parse(answer.text)
    expect(Object.keys(record)).toEqual(['timestamp', 'status', 'error', 'message', 'path', 'code'])
    expect(record).toMatchObject({
      status: 429,
      error: 'Too Many Requests',
      message: 'Too fast.',
      path: '/a',
      code: 'ERR_X',
    })
  })

  test('gets the Vary of earlier middleware too', async () => {
    const varying: Middleware = (req, res) => {
      res.setHeader('Vary', 'Origin')
      const headers = { Vary: 'Accept, origin' }
      const error = createHttpError({ status: 406, code: 'ERR_X', message: 'None.', headers })
      refuse(error, req, res, () => {}, 'json')
    }
    expect((await readResponse(host, { middlewares: [varying] })).headers['vary']).toBe('Origin, Accept')
  })

  test('is not cacheable, regardless of earlier headers', async () => {
    const caching: Middleware = (_req, res, next) => {
      res.setHeader('Cache-Control', 'public, max-age=3600')
      res.setHeader('Expires', 'Sun, 22 Nov 2026 08:49:37 GMT')
      next()
    }
    const { headers } = await readResponse(host, { middlewares: [caching, refusing()] })
    expect([headers['cache-control'], headers['expires']]).toEqual(['no-store', undefined])
  })

  test('has no body on HEAD', async () => {
    const answer = await readResponse(host, { middlewares: [refusing()] }, 'HEAD')
    expect([answer.status, answer.body.length]).toEqual([429, 0])
  })

  test('goes to next on request', async () => {
    const answer = await readResponse(host, { middlewares: [refusing('next')], onError })
    expect([answer.status, answer.text]).toEqual([418, 'ERR_X'])
  })

  test('goes to next once errors() is in use', async () => {
    registerErrorHandler()
    const answer = await readResponse(host, { middlewares: [refusing()], onError })
    expect([answer.status, answer.text]).toEqual([418, 'ERR_X'])
  })

  test('is handled by a function of the app', async () => {
    const answer = await readResponse(host, {
      middlewares: [refusing((error, _req, res) => void res.end(`own ${error.status}`))],
    })
    expect(answer.text).toBe('own 429')
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('own')
      },
    ],
    ['rejects', async () => Promise.reject(new Error('own'))],
  ])('goes to next if the function of the app %s', async (_how, onRefused) => {
    const answer = await readResponse(host, {
      middlewares: [refusing(onRefused)],
      onError: (error, _req, res) => void res.end((error as Error).message),
    })
    expect(answer.text).toBe('own')
  })

  test('never runs the handler if the function of the app fails, without an error handler', async () => {
    const failing: OnRefused = () => {
      throw new Error('own')
    }
    const answer = await readResponse(host, {
      middlewares: [refusing(failing)],
      handler: (_req, res) => void res.end('ran'),
    })
    // Hosts with a router have an error page of their own.
    expect([answer.status, answer.text]).toEqual([host === 'node:http' ? 429 : 500, expect.not.stringContaining('ran')])
  })
})

test.each(['express 4', 'express 5'])('goes to the error handler around a mounted %s app', async (host) => {
  const make = (await import(host === 'express 4' ? 'express4' : 'express')).default as typeof express
  const [outer, inner] = [make(), make()]
  inner.use(refusing() as never)
  outer.use('/inner', inner)
  outer.use(((_error: unknown, _req: unknown, res: ServerResponse, _next: unknown) => void res.end('handled')) as never)
  const { url, close } = await listen(outer as never)
  expect((await send(url, { path: '/inner' })).text).toBe('handled')
  await close()
})

test.each(['express 4', 'express 5'])('goes to the error handler that a %s app has', async (host) => {
  const answer = await readResponse(host, {
    middlewares: [refusing()],
    onError: (_error, _req, res) => void res.end('handled'),
  })
  expect(answer.text).toBe('handled')
})

test.each(['express 4', 'express 5'])(
  'is not passed to the error handler of another path of an %s app',
  async (host) => {
    const make = (await import(host === 'express 4' ? 'express4' : 'express')).default as typeof express
    const app = make()
    app.use(refusing() as never)
    app.use(
      '/admin',
      ((_error: unknown, _req: unknown, res: ServerResponse, _next: unknown) => void res.end()) as never,
    )
    const { url, close } = await listen(app as never)
    expect((await send(url)).headers['content-type']).toBe('application/json; charset=utf-8')
    await close()
  },
)
