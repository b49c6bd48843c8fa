import type { ServerResponse } from 'node:http'
import { getTarget, type Middleware } from '../../../../packages/internal/middleware.ts'
import { requestStateOf } from '../engine/request-state.ts'
import { maskedFields } from '../formats/pages/view.ts'
import { maskUrl } from '../http/log.ts'
import type { Exchanges } from './exchanges.ts'

/** Keeps each request and its answer for the log; the log itself and the assets of pages are left out. */
export function recorder(exchanges: Exchanges): Middleware {
  return (req, res, next) => {
    const { path, startedAt, correlationId } = requestStateOf(req)
    if (path.startsWith('/assets/') || path.startsWith('/_demo/requests')) return next()
    const time = new Date().toISOString()
    const sent = watchFields(res)
    const target = maskUrl(getTarget(req))
    res.once('close', () => {
      exchanges.add({
        ...{ time, method: req.method ?? 'GET', target },
        status: res.headersSent ? res.statusCode : 0,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        user: requestStateOf(req).caller?.name,
        correlationId,
        request: maskedFields(req.headers),
        response: maskedFields(sent()),
      })
    })
    next()
  }
}

// Fields that are given to `writeHead` are not among those of `getHeaders`.
function watchFields(res: ServerResponse): () => Record<string, unknown> {
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => ServerResponse
  let written: Record<string, unknown> = {}
  res.writeHead = (...args: unknown[]): ServerResponse => {
    const fields = args.at(-1)
    if (typeof fields === 'object' && fields !== null) written = fieldsOf(fields)
    return writeHead(...args)
  }
  return () => lowerCased({ ...res.getHeaders(), ...written })
}

function fieldsOf(fields: object): Record<string, unknown> {
  if (!Array.isArray(fields)) return { ...fields }
  const pairs = fields.flatMap((value, at) => (at % 2 === 0 ? [[String(value), fields[at + 1]] as const] : []))
  return Object.fromEntries(pairs)
}

function lowerCased(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]))
}
