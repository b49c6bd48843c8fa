import { callSafely } from '../../internal/guard.ts'
import type { IncomingMessage, Middleware } from '../../internal/middleware.ts'
import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { type OnRefused, refuse } from '../../internal/refuse.ts'
import { checkPreconditions } from './check-preconditions.ts'
import type { ResourceState } from './evaluate-preconditions.ts'
import { ignoreFutileRange } from './if-range.ts'
import { getResponseState } from './response-state.ts'

/** Result of `currentState`: the state, that the request would create the resource, or that there is none. */
export type CurrentState = ResourceState | { readonly exists: false } | null | undefined

/** Options for `conditionalRequests()`. */
export interface ConditionalOptions {
  /** The kind of ETag for bodies that the app sends at once without one; `false`: none. @defaultValue 'strong' */
  etag?: 'strong' | 'weak' | false
  /**
   * Returns the current state of the resource that a POST, PUT, PATCH or DELETE changes, so that `If-Match`,
   * `If-None-Match` and `If-Unmodified-Since` are checked before the handler runs. `{ exists: false }`: the request would
   * create it, so `If-Match` fails. `null` or `undefined`: nothing is checked, since the 404 of the handler comes before
   * every condition. A throw or a rejection goes to `next`.
   */
  currentState?: (req: IncomingMessage) => CurrentState | Promise<CurrentState>
  /** Rejects a change of an existing resource without `If-Match` or `If-Unmodified-Since` with 428. @defaultValue false */
  requirePrecondition?: boolean
  /** Who responds to a rejected request. @defaultValue the error handler of the app, else a JSON Error record */
  onRefused?: OnRefused
}

export const CONDITIONAL_OPTIONS: readonly string[] = ['etag', 'currentState', 'requirePrecondition', 'onRefused']

/**
 * Gives the responses of an ordinary app entity tags, and answers the conditions of GET, HEAD and QUERY with 304 and
 * 412; with `currentState` also those of changes, with 412 and 428.
 */
export function conditionalRequests(options: ConditionalOptions = {}): Middleware {
  assertKnownOptions('negotiate: conditionalRequests', options, CONDITIONAL_OPTIONS)
  return createConditional('negotiate: conditionalRequests', options, true)
}

/** The same for an owner of more options, who may answer no conditions of reads. */
export function createConditional(owner: string, options: ConditionalOptions, answersReads: boolean): Middleware {
  const { etag = 'strong', currentState, requirePrecondition = false, onRefused } = options
  if (etag !== false && etag !== 'strong' && etag !== 'weak')
    throw new TypeError(`${owner}: etag must be 'strong', 'weak' or false, got ${inspectValue(etag)}`)
  if (requirePrecondition && !currentState)
    throw new TypeError(`${owner}: requirePrecondition needs currentState, which tells whether the resource exists`)
  const tags = { etag, conditional: answersReads }
  const requirement = { required: requirePrecondition }
  return function conditions(req, res, next) {
    getResponseState(req, res).tags = tags
    if (answersReads) ignoreFutileRange(req)
    if (!currentState || !isChange(req.method)) return next()
    const check = (state: CurrentState): void => {
      if (state === undefined || state === null) return next()
      const refused = checkPreconditions(req, 'exists' in state ? undefined : state, requirement)
      if (refused) refuse(refused, req, res, next, onRefused)
      else next()
    }
    callSafely(() => currentState(req), check, next)
  }
}

function isChange(method: string | undefined): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH' || method === 'DELETE'
}
