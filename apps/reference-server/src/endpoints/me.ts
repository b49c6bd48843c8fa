import { failure } from '../failures.ts'
import type { Call } from '../resource/call.ts'
import type { Result } from '../resource/result.ts'
import { type Route, route } from '../resource/route.ts'

/** /users/me: where the caller is among the users. */
export function meRoute(): Route {
  const run = ({ caller }: Call): Result => {
    if (caller?.userId === undefined) throw failure('NOT_FOUND.me')
    return { status: 302, cache: 'never', location: `/users/${caller.userId}` }
  }
  const read = { scope: 'users:read', kind: 'none', accepts: [], idempotency: 'none', cost: 1, success: 302 } as const
  return route('/users/me', { GET: { ...read, run } })
}
