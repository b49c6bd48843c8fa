import { createServer } from 'node:http'
import { join } from 'node:path'
import accepts from 'accepts'
import compression from 'compression'
import cors from 'cors'
import express, { type ErrorRequestHandler, type Handler } from 'express'
import { getSharedIdempotencyService, idempotency } from 'express-idempotency'
import { rateLimit } from 'express-rate-limit'
import helmet from 'helmet'
import createError from 'http-errors'
import { destination, pino } from 'pino'
import { pinoHttp } from 'pino-http'
import { halsonItem, halsonPage, inSqlite } from './employees.ts'
import { scratchFolder } from './scratch.ts'
import { LIMIT, serve } from './serve.ts'
import { issue, isTrusted } from './tokens.ts'

// What a user would put together today, on SQLite, with a log.
const folder = scratchFolder()
const { find, page, count, insert, update } = inSqlite(join(folder, 'employees.db'))
const log = pino({ base: null }, destination({ dest: join(folder, 'log'), sync: false }))
const TYPES = ['application/hal+json', 'application/json', 'application/xml', 'text/csv']

const authenticate: Handler = (req, _res, next) => {
  isTrusted(req.headers.authorization).then((trusted) => (trusted ? next() : next(createError(401, 'No valid token.'))))
}
const negotiate: Handler = (req, res, next) => {
  const type = accepts(req).type(TYPES)
  if (!type) return next(createError(406, 'There is no representation of these types.'))
  res.vary('Accept').type(type as string)
  next()
}

const app = express()
app.use(pinoHttp({ logger: log }), helmet(), cors(), rateLimit({ windowMs: 3_600_000, limit: LIMIT }))
app.use(compression(), authenticate, negotiate, express.json({ type: ['json', '+json'] }))
app.get('/employees', (req, res) => {
  const number = Number(req.query['page'])
  res.json(halsonPage(page(number, 20), number, count()))
})
app.get('/employees/:id', (req, res, next) => {
  const employee = find(Number(req.params.id))
  if (employee) res.json(halsonItem(employee))
  else next(createError(404, 'There is no such employee.'))
})
app.post('/employees', idempotency() as Handler, (req, res) => {
  if (getSharedIdempotencyService().isHit(req as never)) return
  const employee = insert(req.body)
  res.status(201).location(`/employees/${employee.id}`).json(halsonItem(employee))
})
app.patch('/employees/:id', (req, res, next) => {
  const employee = update(Number(req.params.id), req.body.salary)
  if (employee) res.json(halsonItem(employee))
  else next(createError(404, 'There is no such employee.'))
})
const record: ErrorRequestHandler = (error, req, res, _next) => {
  const { status = 500, message } = error as { status?: number; message: string }
  res.status(status).json({ timestamp: new Date().toISOString(), status, message, path: req.path })
}
app.use(record)

serve(createServer(app), await issue())
