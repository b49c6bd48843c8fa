import type { Reply } from '../engine/request-state.ts'

/**
 * Redirects to where a resource is now: 301 for GET and HEAD, 308 for the other methods, which keep
 * their body (RFC 9110 §15.4.9). Caches keep it for five minutes only, so that a wrong move can be
 * corrected.
 */
export function permanentRedirect(method: string, location: string): Reply {
  const status = method === 'GET' || method === 'HEAD' ? 301 : 308
  return { status, headers: { Location: location, 'Cache-Control': 'public, max-age=300' } }
}

/**
 * Returns the new path of one that has moved, or of one below it; `undefined` if it has not moved.
 */
export function findMovedPath(moved: ReadonlyMap<string, string>, path: string): string | undefined {
  for (const [from, to] of moved) if (path === from || path.startsWith(`${from}/`)) return to + path.slice(from.length)
  return undefined
}
