import { errors, methodNotAllowed } from '@svc/errors'
import { negotiate } from '@svc/negotiate'
import express from 'express'
import { addOrder, api, greeter, keyed, limiter, showOrder } from './parts.ts'
import { proveService } from './prove-service.ts'

// All seven packages in an Express app, of the major that is installed.
const app = express()
app.disable('x-powered-by')
app.set('etag', false)
app.use('/ws/greeter', greeter)
app.use(api, negotiate(), limiter)
app.get('/orders/:id', showOrder)
app.post('/orders', keyed, express.json(), (req, res) => addOrder(req.body, req, res))
app.use(methodNotAllowed())
app.use(errors())

proveService(app).catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
