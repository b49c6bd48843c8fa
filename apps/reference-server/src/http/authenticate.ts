import { clientIp } from '@svc/ratelimit'
import type { Database } from '../database/connection.ts'
import { isPromise } from '../database/maybe-promise.ts'
import type { Stage } from '../engine/request-state.ts'
import { type Authenticator, invalidRequest } from '../security/authenticator.ts'
import { type Caller, requireScope } from '../security/caller.ts'
import { rejectionFacts } from '../security/verify-token.ts'
import { countHeaders } from './edge.ts'

export interface AuthenticateOptions {
  authenticator: Authenticator
  database: Pick<Database, 'changes'>
  trustProxy: readonly string[]
}

/** Identifies the caller, only by the credentials of this request. */
export function authenticate({ authenticator, database, trustProxy }: AuthenticateOptions): Stage {
  const { known, check } = authenticator
  return (state) => {
    const { req } = state
    const { authorization } = req.headers
    if (authorization === undefined) return undefined
    if (countHeaders(req.rawHeaders, 'authorization') > 1) throw invalidRequest('INVALID_REQUEST.authorizationTwice')
    state.changes = database.changes(state.poll)
    state.caller = known(authorization, state.changes)
    if (state.caller) return undefined
    const accept = (caller: Caller): undefined => {
      state.caller = caller
      return undefined
    }
    const reject = (error: unknown): never => {
      state.rejection = rejectionFacts(error)
      throw error
    }
    try {
      const caller = check(authorization, clientIp(req, trustProxy))
      return isPromise(caller) ? caller.then(accept, reject) : accept(caller)
    } catch (error) {
      return reject(error)
    }
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
