import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, httpError } from '@svc/errors'
import { negotiate } from '@svc/negotiate'
import { addOrder, api, greeter, keyed, limiter, showOrder } from './parts.ts'
import { proveService } from './prove-service.ts'

// All seven packages on bare node:http, where `next` is a function of one's own.
type Step = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void

const answerError = errors()
const stages: Step[] = [api, negotiate(), limiter]

function run(steps: readonly Step[], req: IncomingMessage, res: ServerResponse): void {
  const [step, ...others] = steps
  step?.(req, res, (error) => (error ? answerError(error, req, res) : run(others, req, res)))
}

const add: Step = (req, res, next) => {
  let text = ''
  req.setEncoding('utf8')
  req.on('data', (chunk: string) => {
    text += chunk
  })
  req.on('error', next)
  req.on('end', () => addOrder(JSON.parse(text), req, res))
}

const route: Step = (req, res, next) => {
  if (req.method === 'GET') showOrder(req, res, next)
  else if (req.method === 'POST') run([keyed, add], req, res)
  else next(httpError(405, 'Only GET and POST are allowed here.', { headers: { Allow: 'GET, HEAD, POST' } }))
}

const service = (req: IncomingMessage, res: ServerResponse): void =>
  req.url?.startsWith('/ws/') ? run([greeter], req, res) : run([...stages, route], req, res)

proveService(service).catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
