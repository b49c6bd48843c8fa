import type { HttpError } from '@svc/errors'
import { clientIp } from '@svc/ratelimit'
import type { Database } from '../database/connection.ts'
import { chain, isPromise } from '../database/maybe-promise.ts'
import type { Reply, RequestState, Stage } from '../engine/request-state.ts'
import { isSafe } from '../engine/route.ts'
import { type Authenticator, invalidRequest } from '../security/authenticator.ts'
import { type Caller, requireScope } from '../security/caller.ts'
import { rejectionFacts } from '../security/verify-token.ts'
import { DEADLINE_MS, withDeadline } from './pipeline.ts'

export interface AuthenticateOptions {
  database: Pick<Database, 'changes' | 'dialect'>
  authenticator: Authenticator
  trustProxy: readonly string[]
}

/**
 * Notes the changes of the database, for what is kept of callers and items: nothing has been read
 * before. Then identifies the caller, only by the credentials of this request.
 */
export function authenticate({ database, authenticator, trustProxy }: AuthenticateOptions): Stage {
  const { dialect, changes: count } = database
  const { known, check } = authenticator
  const identify: Stage = (state) => {
    const { authorization } = state.req.headers
    if (authorization === undefined) return undefined
    // node:http has only the first of several in `headers`.
    let times = 0
    const { rawHeaders } = state.req
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? ''
      if (name.length === 13 && name.toLowerCase() === 'authorization') times++
    }
    if (times > 1) return { error: invalidRequest('INVALID_REQUEST.authorizationTwice') }
    state.caller = known(authorization, state.changes?.users)
    if (state.caller) return undefined
    const address = (): string => clientIp(state.req, trustProxy)
    const checked = check(authorization, address, state.changes?.users)
    if (!isPromise(checked)) return noteCaller(state, checked)
    return checked.then(
      (caller) => noteCaller(state, caller),
      (error) => noteRejection(state, error),
    )
  }
  return (state) => {
    const { method, req, match, poll } = state
    if (req.headers.authorization === undefined && !match?.action.shape) return undefined
    // Between two writes of a client there is a change, so asking PostgreSQL would not save reading
    // the user.
    if (dialect !== 'postgres' || isSafe(method)) {
      const changes = count(poll)
      if (isPromise(changes)) {
        const noted = withDeadline(DEADLINE_MS, () => changes)
        return chain(noted, (counted) => {
          state.changes = counted
          return identify(state)
        })
      }
      state.changes = changes
    }
    return identify(state)
  }
}

function noteCaller(state: RequestState, caller: Caller | HttpError): Reply | undefined {
  if (caller instanceof Error) return noteRejection(state, caller)
  state.caller = caller
  return undefined
}

function noteRejection(state: RequestState, error: unknown): Reply {
  state.rejection = rejectionFacts(error)
  return { error }
}

/** Rejects callers without the scope of the action: 401 without credentials, otherwise 403. */
export function authorize(): Stage {
  return ({ match, caller }) => {
    const scope = match?.action.scope
    if (scope !== undefined && !caller?.scopes.has(scope)) requireScope(caller, scope)
    return undefined
  }
}
