import { randomUUID } from 'node:crypto'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { setExchange } from '../exchange.ts'

const CORRELATION_ID = /^[A-Za-z0-9._:-]{1,128}$/
const VERSION_00 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const LATER = /^(?!ff|00)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/

/** First of all: gives the request its correlation id and its trace, and every answer these fields. */
export function correlate(fields: Readonly<Record<string, string>>): Middleware {
  return (req, _res, next) => {
    const given = req.headers['x-correlation-id']
    const correlationId = typeof given === 'string' && CORRELATION_ID.test(given) ? given : randomUUID()
    const url = req.url ?? '/'
    const question = url.indexOf('?')
    setExchange(req, {
      correlationId,
      traceparent: continueTrace(req.headers['traceparent']),
      startedAt: performance.now(),
      path: question === -1 ? url : url.slice(0, question),
      search: question === -1 ? '' : url.slice(question + 1),
      fields: { ...fields, 'X-Correlation-ID': correlationId },
      match: undefined,
      caller: undefined,
      chosen: undefined,
    })
    next()
  }
}

/** Our span in the trace of the caller (W3C Trace Context), or a trace of our own. */
export function continueTrace(field: string | string[] | undefined): string {
  const text = typeof field === 'string' ? field : ''
  const [, trace = '', parent = '', flags = '02'] = VERSION_00.exec(text) ?? LATER.exec(text) ?? []
  const isValid = /[^0]/.test(trace) && /[^0]/.test(parent)
  const span = randomHex().slice(16)
  return isValid ? `00-${trace}-${span}-${flags}` : `00-${randomHex()}-${span}-02`
}

// Node.js keeps random bytes for UUIDs at hand, and asks for others each time.
function randomHex(): string {
  return randomUUID().replaceAll('-', '')
}
