import { hash } from 'node:crypto'
import type { IncomingMessage } from '../../internal/middleware.ts'

/**
 * Whose keys a request uses: the hash of its Authorization field, and one common scope for requests that carry no
 * credentials. `undefined` where somebody signed in by other means, which this cannot tell apart.
 */
export function scopeOf(req: IncomingMessage): string | undefined {
  const { authorization, cookie } = req.headers
  if (authorization !== undefined) return hash('sha256', authorization, 'base64url')
  const { user, auth } = req as { user?: unknown; auth?: unknown }
  const { authorized } = req.socket as { authorized?: boolean }
  const isAnonymous = cookie === undefined && req.headers['x-api-key'] === undefined && user == null && auth == null
  return isAnonymous && authorized !== true ? '' : undefined
}
