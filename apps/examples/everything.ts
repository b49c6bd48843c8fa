import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { errors, httpError, methodNotAllowed, notFound } from '@svc/errors'
import { resource } from '@svc/hal'
import { idempotency } from '@svc/idempotency'
import { negotiate } from '@svc/negotiate'
import { rateLimit } from '@svc/ratelimit'
import { linkPrefix, versioning } from '@svc/versioning'
import express5 from 'express'
import express4 from 'express4'
import type { Middleware } from '../../packages/internal/middleware.ts'

export type Handler = (req: IncomingMessage & { body?: unknown }, res: ServerResponse) => void

export interface Parts {
  middlewares: readonly Middleware[]
  handler: Middleware
  onError: ReturnType<typeof errors>
}

function onExpress(make: typeof express5): (parts: Parts) => Handler {
  return ({ middlewares, handler, onError }) => {
    const app = make()
    app.set('etag', false)
    for (const middleware of middlewares) app.use(middleware)
    app.get('/only-get', (_req, res) => void res.end())
    app.use(handler)
    app.use(methodNotAllowed())
    app.use(onError as never)
    return app as unknown as Handler
  }
}

export const hosts: Record<string, (parts: Parts) => Handler> = {
  'express 4': onExpress(express4 as typeof express5),
  'express 5': onExpress(express5),
  'node:http':
    ({ middlewares, handler, onError }) =>
    (req, res) => {
      const all = [...middlewares, handler, notFound()]
      const step = (index: number, error?: unknown): void => {
        if (error) return onError(error, req, res)
        all[index]?.(req, res, (failed) => step(index + 1, failed))
      }
      step(0)
    },
}

const parseJson: Middleware = (req, _res, next) => {
  if (!req.headers['content-type']?.includes('json')) return next()
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    try {
      ;(req as { body?: unknown }).body = JSON.parse(Buffer.concat(chunks).toString())
      next()
    } catch {
      next(httpError(400, 'The body is not valid JSON.', { code: 'MALFORMED_BODY' }))
    }
  })
}

const cors: Middleware = (_req, res, next) => {
  res.setHeader('Vary', 'Origin')
  next()
}

interface Employee {
  id: number
  salary: { amount: string; currency: string }
}

export const LARGE = 'a long story. '.repeat(20_000)

export interface Everything {
  parts: Parts
  /** Messages of logged errors, and other events. */
  logged: string[]
  /** Number of hired employees. */
  hired(): number
}

/** A service with all packages except soap-envelope, the same on every host. */
export function everything(): Everything {
  const employee = resource<Employee>('employee', { self: '/employees/{id}', links: { all: '/employees' } })
  const ada: Employee = { id: 7, salary: { amount: '100', currency: 'EUR' } }
  let revision = 1
  let hired = 0
  const logged: string[] = []
  const api = versioning({
    versions: ['1', '2'],
    vendor: 'acme',
    deprecated: { 1: { since: new Date('2026-01-01'), docsUrl: '/docs' } },
  })
  api.addChange<{ salary: number }, Employee>('2', {
    description: 'A salary has a currency.',
    paths: ['/employees', '/employees/*'],
    up: ({ salary, ...rest }) => ({ ...rest, salary: { amount: String(salary), currency: 'EUR' } }) as Employee,
    down: ({ salary, ...rest }) => ({ ...rest, salary: Number(salary.amount) }),
  })
  const sendJson = (res: ServerResponse, status: number, body: string): void => {
    res.statusCode = status
    res.setHeader('Content-Type', 'application/json')
    res.end(body)
  }
  const handler: Middleware = (request, res, next) => {
    const req = request as IncomingMessage & { body?: Employee }
    const { method = '', url = '' } = req
    const route = `${method === 'HEAD' ? 'GET' : method} ${url.split('?')[0]}`
    const document = (item: Employee): string => employee.stringify(item, { base: linkPrefix(req) })
    const routes: Record<string, () => unknown> = {
      'GET /employees/7': () => {
        res.setHeader('ETag', `"${revision}"`)
        sendJson(res, 200, document(ada))
      },
      'PUT /employees/7': () => {
        if (req.body) ada.salary = req.body.salary
        res.setHeader('ETag', `"${++revision}"`)
        sendJson(res, 200, document(ada))
      },
      'POST /employees': () => {
        const id = ++hired
        res.setHeader('Location', `${linkPrefix(req)}/employees/${id}`)
        sendJson(res, 201, document({ ...(req.body as Employee), id }))
      },
      'GET /large': () => {
        res.setHeader('Content-Type', 'text/plain')
        res.end(LARGE)
        next(new Error('after the response'))
      },
      'GET /half': () => {
        res.setHeader('Content-Type', 'text/plain')
        res.write('half ')
        next(new Error('in the middle'))
      },
      'GET /events': () => {
        res.writeHead(200, { 'Content-Type': 'text/event-stream' })
        res.write('data: 1\n\n')
        req.once('close', () => logged.push('gone'))
      },
      'GET /stream': () => {
        res.setHeader('Content-Type', 'text/plain')
        Readable.from(['one ', 'two ', 'three']).pipe(res)
      },
      'GET /broken': () => next(new Error('secret')),
    }
    const handler = Object.hasOwn(routes, route) ? routes[route] : undefined
    if (handler) handler()
    else next()
  }
  const parts: Parts = {
    middlewares: [
      cors,
      negotiate({ currentState: (req) => (req.url?.endsWith('/employees/7') ? { version: revision } : undefined) }),
      api,
      rateLimit({ limits: [{ name: 'minute', rate: '1000/1m' }] }),
      idempotency({ user: () => 'all' }),
      parseJson,
      api.transform,
    ],
    handler,
    onError: errors({ onError: ({ error }) => void logged.push(String((error as Error).message)) }),
  }
  return { parts, logged, hired: () => hired }
}
