import type { ServerResponse } from 'node:http'
import { type Middleware, requestStateOf } from '../../reference-server/src/index.ts'
import type { Exchanges } from './exchanges.ts'

/**
 * Records each request and its response for the log, except those of the log itself and of the
 * assets of pages.
 */
export function recorder(exchanges: Exchanges): Middleware {
  return (req, res, next) => {
    const state = requestStateOf(req)
    const { path, startedAt, target, correlationId } = state
    if (path.startsWith('/assets/') || path.startsWith('/_demo/requests')) return next()
    const writtenTo = watchHead(res)
    res.once('close', () => {
      const ms = performance.now() - startedAt
      exchanges.add({
        startedAt: Date.now() - ms, // `performance.timeOrigin` would omit the time that a computer sleeps.
        method: state.method,
        target,
        status: res.headersSent ? res.statusCode : 0,
        ms,
        user: state.caller?.name,
        correlationId,
        request: req.headers,
        response: [res.getHeaders(), writtenTo()],
      })
    })
    next()
  }
}

// Headers that are passed to `writeHead` are not among those of `getHeaders`, unless others were
// set before.
function watchHead(res: ServerResponse): () => unknown {
  const writeHead = res.writeHead as (...args: unknown[]) => ServerResponse
  let written: unknown
  res.writeHead = (...args: unknown[]): ServerResponse => {
    written = args.at(-1)
    return writeHead.apply(res, args)
  }
  return () => written
}
