import { createServer } from 'node:http'
import express, { type ErrorRequestHandler } from 'express'
import createError from 'http-errors'
import { inMemory, plainItem, plainPage } from './employees.ts'
import { serve } from './serve.ts'

// Express 5 as it comes, with the same content: no security, no limits, no log.
const { find, page, count, insert } = inMemory()
const app = express()
app.get('/employees', (req, res) => {
  const number = Number(req.query['page'])
  res.type('application/hal+json').json(plainPage(page(number, 20), number, count()))
})
app.get('/employees/:id', (req, res, next) => {
  const employee = find(Number(req.params.id))
  if (!employee) return next(createError(404, 'There is no such employee.'))
  res.type('application/hal+json').json(plainItem(employee))
})
app.post('/employees', express.json(), (req, res) => {
  const employee = insert(req.body)
  res.status(201).location(`/employees/${employee.id}`).json(plainItem(employee))
})
const record: ErrorRequestHandler = (error, req, res, _next) => {
  const { status = 500, message } = error as { status?: number; message: string }
  res.status(status).json({ timestamp: new Date().toISOString(), status, error: 'Not Found', message, path: req.path })
}
app.use(record)

serve(createServer(app))
