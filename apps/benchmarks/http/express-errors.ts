import { createServer } from 'node:http'
import express, { type ErrorRequestHandler } from 'express'
import createError from 'http-errors'
import { inMemory, plainItem } from './employees.ts'
import { serve } from './serve.ts'

// Express 5 that refuses what the reference server refuses, by http-errors: no log, no security,
// nothing else.
const { find, insert } = inMemory()
const app = express()
app.use((req, _res, next) => {
  next(
    req.accepts(['application/hal+json', 'application/json']) ? undefined : createError(406, 'There is no such form.'),
  )
})
app.get('/employees/:id', (req, res, next) => {
  const employee = find(Number(req.params.id))
  if (!employee) return next(createError(404, 'There is no such employee.'))
  res.type('application/hal+json').json(plainItem(employee))
})
app.post('/employees', express.json(), (req, res, next) => {
  if (!find(req.body.managerId)) return next(createError(422, 'There is no such manager.'))
  const employee = insert(req.body)
  res.status(201).location(`/employees/${employee.id}`).json(plainItem(employee))
})
const record: ErrorRequestHandler = (error, req, res, _next) => {
  const { status = 500, message, name } = error as { status?: number; message: string; name: string }
  res.status(status).json({ timestamp: new Date().toISOString(), status, error: name, message, path: req.path })
}
app.use(record)

serve(createServer(app))
