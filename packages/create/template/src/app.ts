import { errors, methodNotAllowed } from '@svc/errors'
import { hal } from '@svc/hal'
import { negotiate } from '@svc/negotiate'
import { rateLimit } from '@svc/ratelimit'
import express, { type Express } from 'express'
import { tasks } from './tasks.ts'

/** Creates the app. Middleware runs from top to bottom. */
export function createApp({ limiter = rateLimit('100/1m') } = {}): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false) // negotiate() sets ETags
  app.use(limiter)
  app.use(negotiate())
  app.get('/', (_req, res) => {
    res.type('application/hal+json').send(JSON.stringify(hal({}, { self: '/', tasks: '/tasks' })))
  })
  app.use('/tasks', tasks())
  app.use(methodNotAllowed()) // 404, and 405 with Allow
  app.use(errors())
  return app
}
