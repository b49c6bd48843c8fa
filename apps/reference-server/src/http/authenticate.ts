import { type HttpError, isHttpError } from '@svc/errors'
import type { CheckResult } from '@svc/ratelimit'
import type { Database } from '../database/connection.ts'
import { chain, isPromise, type MaybePromise } from '../database/maybe-promise.ts'
import type { Reply, RequestState, Stage } from '../engine/request-state.ts'
import { isSafe } from '../engine/route.ts'
import { type Authenticator, type Client, invalidRequest } from '../security/authenticator.ts'
import { type Caller, requireScope } from '../security/caller.ts'
import { rejectionFacts } from '../security/verify-token.ts'
import { DEADLINE_MS, withDeadline } from './pipeline.ts'
import type { FailureLimit, LocateClient } from './rate-limits.ts'

export interface AuthenticateOptions {
  database: Pick<Database, 'changes' | 'dialect'>
  authenticator: Authenticator
  locate: LocateClient
  /** Counts credentials that fail. */
  failures: FailureLimit
}

/**
 * Notes the changes of the database, for what is kept of callers and items: nothing has been read
 * before. Then identifies the caller, only by the credentials of this request.
 */
export function authenticate({ database, authenticator, locate, failures }: AuthenticateOptions): Stage {
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
    if (times > 1) return reject(state, invalidRequest('INVALID_REQUEST.authorizationTwice'))
    state.caller = known(authorization, state.changes?.users)
    if (state.caller) return undefined
    let taken: CheckResult | undefined
    const getClient = (): Client => {
      const address = locate(state.req)
      // Of concurrent guesses, all would be hashed before the first one has failed.
      const charge = async (): Promise<void> => {
        taken = await failures.take(address)
        if (taken?.error) throw taken.error
      }
      return { address, charge }
    }
    const settle = (checked: Caller | HttpError): MaybePromise<Reply | undefined> => {
      if (checked instanceof Error) return reject(state, checked, taken)
      state.caller = checked
      return taken && failures.refund(taken)
    }
    const checked = withDeadline(DEADLINE_MS, () => check(authorization, getClient, state.changes?.users))
    return isPromise(checked) ? checked.then(settle, (error) => reject(state, error, taken)) : settle(checked)
  }
  const reject = (state: RequestState, error: unknown, taken?: CheckResult): MaybePromise<Reply> => {
    state.rejection = rejectionFacts(error)
    // The service has failed, and not the client.
    if (!isHttpError(error) || error.status >= 500)
      return taken ? failures.refund(taken).then(() => ({ error })) : { error }
    const result = taken ?? failures.take(locate(state.req))
    return chain(result, (counted) => chain(counted && failures.apply(state, counted), (reply) => reply ?? { error }))
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

/** Rejects callers without the scope of the action: 401 without credentials, otherwise 403. */
export function authorize(): Stage {
  return ({ match, caller }) => {
    const scope = match?.action.scope
    if (scope !== undefined && !caller?.scopes.has(scope)) requireScope(caller, scope)
    return undefined
  }
}
