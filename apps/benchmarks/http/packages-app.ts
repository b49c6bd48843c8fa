import { errors, httpError, methodNotAllowed } from '@svc/errors'
import { page as halPage, resource } from '@svc/hal'
import { idempotency } from '@svc/idempotency'
import { mediaType, negotiate, notAcceptable } from '@svc/negotiate'
import { rateLimit } from '@svc/ratelimit'
import { linkPrefix, versioning } from '@svc/versioning'
import express, { type Express } from 'express'
import { type Employee, inMemory } from './employees.ts'
import { LIMIT } from './serve.ts'

/**
 * Creates an ordinary Express app with the six packages as middleware, in memory: what most users
 * will have.
 */
export function packagesApp(): Express {
  const { find, page, count, insert, update } = inMemory()
  const TYPES = ['application/hal+json', 'application/json']
  const employee = resource<Employee>('employee', {
    self: '/employees/{id}',
    links: {
      update: '/employees/{id}',
      delete: '/employees/{id}',
      manager: '/employees/{managerId}',
      projects: '/employees/{id}/projects',
    },
  })
  const api = versioning({ versions: ['1', '2'], vendor: 'acme' })

  // As in bare Express, only the routes that take a body parse one.
  const json = express.json({ type: ['json', '+json'] })

  const app = express()
  app.disable('x-powered-by').set('etag', false)
  app.use(
    rateLimit({ rate: { limit: LIMIT, windowMs: 3_600_000 } }),
    negotiate(),
    api,
    idempotency({ user: () => 'ada' }),
  )
  app.get('/employees', (req, res) => {
    const number = Number(req.query['page'])
    const type = mediaType(req, TYPES)
    if (!type) throw notAcceptable(TYPES)
    const options = { resource: employee, path: '/employees', size: 20, number, totalElements: count() }
    const text = halPage(page(number, 20), { ...options, context: { base: linkPrefix(req) } }).stringify('hal')
    res.vary('Accept').type(type).send(text)
  })
  app.get('/employees/:id', (req, res) => {
    const type = mediaType(req, TYPES)
    if (!type) throw notAcceptable(TYPES)
    const item = find(Number(req.params.id))
    if (!item) throw httpError(404, `Employee ${req.params.id} does not exist.`)
    res
      .vary('Accept')
      .type(type)
      .send(employee.stringify(item, { base: linkPrefix(req) }))
  })
  app.post('/employees', json, (req, res) => {
    const item = insert(req.body)
    const base = linkPrefix(req)
    res.status(201).location(`${base}/employees/${item.id}`)
    res.type('application/hal+json').send(employee.stringify(item, { base }))
  })
  app.patch('/employees/:id', json, (req, res) => {
    const item = update(Number(req.params.id), req.body.salary)
    if (!item) throw httpError(404, `Employee ${req.params.id} does not exist.`)
    res.type('application/hal+json').send(employee.stringify(item, { base: linkPrefix(req) }))
  })
  app.use(methodNotAllowed(), errors())
  return app
}
