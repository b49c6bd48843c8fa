import { join } from 'node:path'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import etag from '@fastify/etag'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import accepts from 'accepts'
import { fastify } from 'fastify'
import createError from 'http-errors'
import { halsonItem, halsonPage, inSqlite } from './employees.ts'
import { scratchFolder } from './scratch.ts'
import { LIMIT, serve } from './serve.ts'
import { issue, isTrusted } from './tokens.ts'

// Fastify with its plugins, on SQLite, with its log. It has no plugin for Idempotency-Key.
const folder = scratchFolder()
const { find, page, count, insert } = inSqlite(join(folder, 'employees.db'))
const TYPES = ['application/hal+json', 'application/json', 'application/xml', 'text/csv']

const app = fastify({ logger: { base: null, file: join(folder, 'log') } })
await app.register(helmet)
await app.register(cors)
await app.register(rateLimit, { max: LIMIT, timeWindow: 3_600_000 })
await app.register(compress, { encodings: ['br', 'gzip'] })
await app.register(etag)
app.addHook('onRequest', async (req, reply) => {
  if (!(await isTrusted(req.headers.authorization))) throw createError(401, 'No valid token.')
  const type = accepts(req.raw).type(TYPES)
  if (!type) throw createError(406, 'There is no representation of these types.')
  reply.header('Vary', 'Accept').type(type as string)
})
app.get<{ Querystring: { page: string } }>('/employees', (req, reply) => {
  const number = Number(req.query.page)
  reply.send(JSON.stringify(halsonPage(page(number, 20), number, count())))
})
app.get<{ Params: { id: string } }>('/employees/:id', (req, reply) => {
  const employee = find(Number(req.params.id))
  if (!employee) throw createError(404, 'There is no such employee.')
  reply.send(JSON.stringify(halsonItem(employee)))
})
app.post('/employees', (req, reply) => {
  const employee = insert(req.body as never)
  reply.code(201).header('Location', `/employees/${employee.id}`)
  reply.send(JSON.stringify(halsonItem(employee)))
})
await app.ready()

serve(app.server, await issue())
