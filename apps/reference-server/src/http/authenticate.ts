import type { HttpError } from '@svc/errors'
import { clientIp } from '@svc/ratelimit'
import type { Database } from '../database/connection.ts'
import { isPromise } from '../database/maybe-promise.ts'
import type { Reply, Stage } from '../engine/request-state.ts'
import { isSafe } from '../engine/route.ts'
import { type Authenticator, invalidRequest } from '../security/authenticator.ts'
import { type Caller, requireScope } from '../security/caller.ts'
import { rejectionFacts } from '../security/verify-token.ts'
import { DEADLINE_MS, withDeadline } from './deadline.ts'
import { countHeaders } from './edge.ts'

/**
 * Notes the changes of the database, for what is kept of callers and items. Nothing has been read
 * before.
 */
export function noteChanges({ dialect, changes: count }: Pick<Database, 'changes' | 'dialect'>): Stage {
  return (state) => {
    const { method, req, match, poll } = state
    if (req.headers.authorization === undefined && !match?.action.shape) return undefined
    // Between two writes of a client there is a change, so asking PostgreSQL would not save reading
    // the user.
    if (dialect === 'postgres' && !isSafe(method)) return undefined
    const changes = count(poll)
    if (isPromise(changes)) {
      return withDeadline(DEADLINE_MS, () =>
        changes.then((counted): undefined => {
          state.changes = counted
        }),
      )
    }
    state.changes = changes
    return undefined
  }
}

export interface AuthenticateOptions {
  authenticator: Authenticator
  trustProxy: readonly string[]
}

/** Identifies the caller, only by the credentials of this request. */
export function authenticate({ authenticator, trustProxy }: AuthenticateOptions): Stage {
  const { known, check } = authenticator
  return (state) => {
    const { req, changes } = state
    const users = changes?.users
    const { authorization } = req.headers
    if (authorization === undefined) return undefined
    if (countHeaders(req.rawHeaders, 'authorization') > 1)
      return { error: invalidRequest('INVALID_REQUEST.authorizationTwice') }
    state.caller = known(authorization, users)
    if (state.caller) return undefined
    const accept = (caller: Caller | HttpError): Reply | undefined => {
      if (caller instanceof Error) return reject(caller)
      state.caller = caller
      return undefined
    }
    const reject = (error: unknown): Reply => {
      state.rejection = rejectionFacts(error)
      return { error }
    }
    const caller = check(authorization, () => clientIp(req, trustProxy), users)
    return isPromise(caller) ? caller.then(accept, reject) : accept(caller)
  }
}

/** Rejects callers without the scope of the action: 401 without credentials, otherwise 403. */
export function authorize(): Stage {
  return ({ match, caller }) => {
    const scope = match?.action.scope
    if (scope !== undefined) requireScope(caller, scope)
    return undefined
  }
}
