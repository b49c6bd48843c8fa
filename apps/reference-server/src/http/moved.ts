import type { IncomingMessage, ServerResponse } from '../../../../packages/internal/middleware.ts'
import { requestStateOf } from '../engine/request-state.ts'

/**
 * Tells a client that what it asked for is elsewhere for good: 301 for GET and HEAD, 308 for the other methods, which
 * keep their body (RFC 9110 15.4.9). Kept for a while, so that a move that was a mistake passes.
 */
export function answerMoved(req: IncomingMessage, res: ServerResponse, location: string): void {
  const status = req.method === 'GET' || req.method === 'HEAD' ? 301 : 308
  res
    .writeHead(status, { ...requestStateOf(req).headers, Location: location, 'Cache-Control': 'public, max-age=300' })
    .end()
}

/** Where a path is now, by the table of those that have moved with everything below them; `undefined`: not in it. */
export function movedPath(moved: ReadonlyMap<string, string>, path: string): string | undefined {
  for (const [from, to] of moved) if (path === from || path.startsWith(`${from}/`)) return to + path.slice(from.length)
  return undefined
}
