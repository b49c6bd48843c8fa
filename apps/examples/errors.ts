import { defineProblems, errors, httpError, methodNotAllowed, validationError } from '@svc/errors'
import express, { type Express } from 'express'
import { startIfMain } from './start.ts'

const problems = defineProblems({
  outOfCredit: { status: 403, message: 'The account has not enough credit.' },
})

export const app: Express = express()

app.get('/employees/:id', (req) => {
  throw httpError(404, `Employee ${Number(req.params.id)} does not exist.`)
})
app.post('/employees', express.json(), (req, res) => {
  if (typeof req.body?.name !== 'string') throw validationError([{ message: 'must be a string', path: ['name'] }])
  res.status(201).json(req.body)
})
app.get('/purchase', () => {
  throw problems.outOfCredit()
})
app.get('/broken', () => {
  throw new Error('the password of 10.0.0.1 is hunter2')
})

app.use(methodNotAllowed())
app.use(errors())

startIfMain(app, import.meta.main)
