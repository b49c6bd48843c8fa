import type { ActionContext } from '../../engine/action-context.ts'
import type { ActionResult } from '../../engine/action-result.ts'
import { type Route, route } from '../../engine/route.ts'
import { failure } from '../../messages/errors.ts'

/** /users/me: where the caller is among the users. */
export function meRoute(): Route {
  const run = ({ caller }: ActionContext): ActionResult => {
    if (caller?.userId === undefined) throw failure('NOT_FOUND.me')
    return { status: 302, cache: 'never', location: `/users/${caller.userId}` }
  }
  const info = {
    operationId: 'getMe',
    summary: 'Find the current user',
    description: 'Redirects to the user that the caller is.',
    tag: 'users',
  }
  const read = { scope: 'users:read', kind: 'none', accepts: [], idempotency: 'none', cost: 1, success: 302 } as const
  return route('/users/me', { GET: { ...info, ...read, run } })
}
