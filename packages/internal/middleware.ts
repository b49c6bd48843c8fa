import type { IncomingMessage, ServerResponse } from 'node:http'

/** Passes the request to the next middleware, or an error to the error handler of the host. */
export type Next = (error?: unknown) => void

/** Middleware of plain node:http, connect, polka, Express 4 and Express 5. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: Next) => void

export type { IncomingMessage, ServerResponse }

/**
 * Returns the request target as sent: routers rewrite `req.url`, and keep the original in
 * `originalUrl`.
 */
export function getTarget(req: Pick<IncomingMessage, 'url'>): string {
  const original = (req as { originalUrl?: unknown }).originalUrl
  return typeof original === 'string' ? original : (req.url ?? '/')
}

const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/]*/i

/**
 * Returns the path of the target without its query, which may contain secrets, and without the
 * origin of the absolute form (RFC 9112 §3.2.2), which routers ignore. `*` stays.
 */
export function getPath(req: Pick<IncomingMessage, 'url'>): string {
  const target = getTarget(req)
  const end = target.search(/[?#]/) // Node.js accepts a fragment, and routers ignore it
  const path = end === -1 ? target : target.slice(0, end)
  return path.startsWith('/') ? path : path.replace(ORIGIN, '') || '/'
}

/** Returns a header. Repeated headers are joined (RFC 9110 §5.3). `undefined` if it is absent. */
export function getHeader(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
