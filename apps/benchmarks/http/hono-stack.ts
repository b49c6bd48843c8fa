import type { Server } from 'node:http'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import accepts from 'accepts'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { cors } from 'hono/cors'
import { etag } from 'hono/etag'
import { HTTPException } from 'hono/http-exception'
import { secureHeaders } from 'hono/secure-headers'
import { rateLimiter } from 'hono-rate-limiter'
import { destination, pino } from 'pino'
import { halsonItem, halsonPage, inSqlite } from './employees.ts'
import { scratchFolder } from './scratch.ts'
import { LIMIT, serve } from './serve.ts'
import { issue, isTrusted } from './tokens.ts'

// Hono with its middleware, on SQLite, with a log by pino. It compresses only with gzip and has no
// Idempotency-Key.
const folder = scratchFolder()
const { find, page, count, insert } = inSqlite(join(folder, 'employees.db'))
const log = pino({ base: null }, destination({ dest: join(folder, 'log'), sync: false }))
const TYPES = ['application/hal+json', 'application/json', 'application/xml', 'text/csv']
const HAL = { 'Content-Type': 'application/hal+json', Vary: 'Accept' }

const app = new Hono()
app.use(async (c, next) => {
  const start = performance.now()
  await next()
  log.info({ method: c.req.method, url: c.req.path, status: c.res.status, ms: performance.now() - start }, 'request')
})
app.use(secureHeaders(), cors(), compress(), etag())
app.use(rateLimiter({ windowMs: 3_600_000, limit: LIMIT, keyGenerator: () => '127.0.0.1' }))
app.use(async (c, next) => {
  if (!(await isTrusted(c.req.header('authorization')))) throw new HTTPException(401, { message: 'No valid token.' })
  if (!accepts({ headers: { accept: c.req.header('accept') } } as never).type(TYPES))
    throw new HTTPException(406, { message: 'There is no representation of these types.' })
  await next()
})
app.get('/employees', (c) => {
  const number = Number(c.req.query('page'))
  return c.body(JSON.stringify(halsonPage(page(number, 20), number, count())), 200, HAL)
})
app.get('/employees/:id', (c) => {
  const employee = find(Number(c.req.param('id')))
  if (!employee) throw new HTTPException(404, { message: 'There is no such employee.' })
  return c.body(JSON.stringify(halsonItem(employee)), 200, HAL)
})
app.post('/employees', async (c) => {
  const employee = insert(await c.req.json())
  return c.body(JSON.stringify(halsonItem(employee)), 201, { ...HAL, Location: `/employees/${employee.id}` })
})
app.onError((error, c) => {
  const status = error instanceof HTTPException ? error.status : 500
  return c.json({ timestamp: new Date().toISOString(), status, message: error.message, path: c.req.path }, status)
})

serve(createAdaptorServer(app) as Server, await issue())
