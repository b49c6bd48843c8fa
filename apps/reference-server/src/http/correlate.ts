import { randomUUID } from 'node:crypto'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { setExchange } from '../engine/request-state.ts'

const CORRELATION_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** First of all: gives the request its correlation id, and every answer these fields. */
export function correlate(fields: Readonly<Record<string, string>>): Middleware {
  return (req, _res, next) => {
    const given = req.headers['x-correlation-id']
    const correlationId = typeof given === 'string' && CORRELATION_ID.test(given) ? given : randomUUID()
    const url = req.url ?? '/'
    const question = url.indexOf('?')
    setExchange(req, {
      correlationId,
      startedAt: performance.now(),
      path: question === -1 ? url : url.slice(0, question),
      search: question === -1 ? '' : url.slice(question + 1),
      fields: { ...fields, 'X-Correlation-ID': correlationId },
      match: undefined,
      caller: undefined,
      rejection: undefined,
      chosen: undefined,
    })
    next()
  }
}
