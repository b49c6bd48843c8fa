import type { IncomingMessage, ServerResponse } from 'node:http'

/** Hands the request on; with an error, hands it to the host's error handling. */
export type Next = (error?: unknown) => void

/** The one shape that bare node:http, connect, polka, Express 4 and Express 5 all accept. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: Next) => void

export type { IncomingMessage, ServerResponse }

/** The request target as the client sent it: routers rewrite `req.url`, and keep the whole in `originalUrl`. */
export function getTarget(req: Pick<IncomingMessage, 'url'>): string {
  const original = (req as { originalUrl?: unknown }).originalUrl
  return typeof original === 'string' ? original : (req.url ?? '/')
}

/** The path of the target: no query, since a query may carry what must not be repeated. */
export function getPath(req: Pick<IncomingMessage, 'url'>): string {
  const target = getTarget(req)
  const query = target.indexOf('?')
  return query === -1 ? target : target.slice(0, query)
}

/** One field value: repeated fields are joined as RFC 9110 5.3 says; `undefined` when absent. */
export function getHeader(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
