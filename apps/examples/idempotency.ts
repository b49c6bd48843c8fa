import { idempotency } from '@svc/idempotency'
import express, { type Express } from 'express'
import { startIfMain } from './start.ts'

export const app: Express = express()

let payments = 0

app.post('/payments', idempotency({ required: true, user: () => 'demo' }), express.json(), (req, res) => {
  payments += 1
  const id = payments
  res.status(201).location(`/payments/${id}`).json({ id, amount: req.body.amount })
})
app.get('/payments', (_req, res) => void res.json({ count: payments }))

startIfMain(app, import.meta.main)
