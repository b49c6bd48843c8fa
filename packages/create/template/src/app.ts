import { errors, methodNotAllowed } from '@svc/errors'
import { negotiate } from '@svc/negotiate'
import { rateLimit } from '@svc/ratelimit'
import express, { type Express } from 'express'
import { tasks } from './tasks.ts'

/** The way of a request, from top to bottom. */
export function createApp({ limiter = rateLimit('100/1m') } = {}): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false) // negotiate() makes the tags
  app.use(limiter)
  app.use(negotiate())
  app.use('/tasks', tasks())
  app.use(methodNotAllowed(app)) // 404, and 405 with Allow
  app.use(errors())
  return app
}
