import { callSafely } from '../../internal/guard.ts'
import type { IncomingMessage, Middleware } from '../../internal/middleware.ts'
import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { type OnRefused, refuse } from '../../internal/refuse.ts'
import { checkPreconditions } from './check-preconditions.ts'
import type { ResourceState } from './evaluate-preconditions.ts'
import { ignoreFutileRange } from './if-range.ts'
import { getResponseState } from './response-state.ts'

/** What `currentState` tells: what is there, that nothing is and this request would make it, or that nothing is. */
export type CurrentState = ResourceState | { readonly exists: false } | null | undefined

/** Whose conditions are answered, and with which tags. */
export interface ConditionalOptions {
  /**
   * The kind of entity tag for bodies that the app sends at once without a tag of its own; `false`: none. @defaultValue
   * 'strong'
   */
  etag?: 'strong' | 'weak' | false
  /**
   * Tells the current state of the resource that a POST, PUT, PATCH or DELETE is about; with it `If-Match`,
   * `If-None-Match` and `If-Unmodified-Since` are checked before the handler runs. `{ exists: false }`: there is none,
   * and this request would make it, so that `If-Match` fails. `null` or `undefined`: there is none, or nothing is known;
   * then nothing is checked, since the 404 of the handler goes before every condition. A throw or a rejection goes to
   * `next`.
   */
  currentState?: (req: IncomingMessage) => CurrentState | Promise<CurrentState>
  /**
   * Refuses a change of an existing resource without `If-Match` or `If-Unmodified-Since` with 428. @defaultValue false
   */
  requirePrecondition?: boolean
  /** Who answers a refusal. @defaultValue the app's error handling where there is one, else a JSON Error record */
  onRefused?: OnRefused
}

export const CONDITIONAL_OPTIONS: readonly string[] = ['etag', 'currentState', 'requirePrecondition', 'onRefused']

/**
 * Gives the responses of an ordinary app entity tags, and answers the conditions of GET, HEAD and QUERY with 304 and
 * 412; with `currentState` also those of changes, with 412 and 428.
 */
export function conditionalRequests(options: ConditionalOptions = {}): Middleware {
  assertKnownOptions('negotiate: conditionalRequests', options, CONDITIONAL_OPTIONS)
  return conditionsOf('negotiate: conditionalRequests', options, true)
}

/** The same for an owner of more options, who may answer no conditions of reads. */
export function conditionsOf(owner: string, options: ConditionalOptions, answersReads: boolean): Middleware {
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
