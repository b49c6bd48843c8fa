import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { requestStateOf } from '../engine/request-state.ts'
import { requireScope } from '../security/require-scope.ts'

/** Refuses callers without the scope of the action: 401 for nobody, 403 for somebody. */
export function authorize(): Middleware {
  return (req, _res, next) => {
    const { match, caller } = requestStateOf(req)
    const scope = match?.action.scope
    if (scope !== undefined) requireScope(caller, scope)
    next()
  }
}
