import { rateLimit } from '@svc/ratelimit'
import express, { type Express } from 'express'
import { startIfMain } from './start.ts'

export const app: Express = express()

app.use(
  rateLimit({
    limits: [
      { name: 'burst', rate: '10/1s' },
      { name: 'hour', rate: '1000/1h', algorithm: 'sliding-counter' },
    ],
    cost: (req) => (req.url?.startsWith('/search') ? 5 : 1),
  }),
)
app.get('/', (_req, res) => void res.json({ ok: true }))
app.get('/search', (_req, res) => void res.json({ found: [] }))

startIfMain(app, import.meta.main)
