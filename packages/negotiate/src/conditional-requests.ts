import { callSafely } from '../../internal/guard.ts'
import type { HttpErrorLike } from '../../internal/http-error.ts'
import { chain } from '../../internal/maybe-promise.ts'
import type { IncomingMessage, Middleware } from '../../internal/middleware.ts'
import {
  assertKnownOptions,
  assertOneOf,
  assertType,
  assertTypes,
  assertWordOrFunction,
} from '../../internal/options.ts'
import { type OnRefused, refuse } from '../../internal/refuse.ts'
import { checkPreconditions } from './check-preconditions.ts'
import type { ResourceState } from './evaluate-preconditions.ts'
import { handleError } from './handle-error.ts'
import { dropFutileRange } from './if-range.ts'
import { getResponseState } from './response-state.ts'

/**
 * Result of `currentState`: the state of the resource, or `{ exists: false }` if the request would
 * create it. `null` or `undefined` skips the checks.
 */
export type CurrentState =
  | (ResourceState & { readonly exists?: true | undefined })
  | { readonly exists: false }
  | null
  | undefined

/** Options for `conditionalRequests()`. */
export interface ConditionalRequestsOptions {
  /**
   * The kind of ETag for complete bodies that the app sends without one; `false` for none.
   * @defaultValue 'strong'
   */
  etag?: 'strong' | 'weak' | false
  /**
   * Called before the handler of a POST, PUT, PATCH or DELETE. Returns the current state of the
   * resource, against which `If-Match`, `If-None-Match` and `If-Unmodified-Since` are checked.
   * `{ exists: false }` makes `If-Match` fail; `null` or `undefined` skips the checks, since a 404
   * of the handler comes before every condition. A throw, a rejection, or a state without `etag`,
   * `version`, `lastModified` and `exists` goes to `next`, unless that has no parameters: then the
   * response is 500.
   */
  currentState?: (req: IncomingMessage) => CurrentState | Promise<CurrentState>
  /**
   * Whether to reject a change of an existing resource without `If-Match` or
   * `If-Unmodified-Since` with 428. Weak ETags never match `If-Match` (RFC 9110 §13.1.1): with
   * `etag: 'weak'` the app must set strong ETags itself, or clients must send
   * `If-Unmodified-Since`.
   * @defaultValue false
   */
  requirePrecondition?: boolean
  /**
   * Response to a rejected request: `'next'`, `'json'`, or a function. The 412 of a read is always
   * the record, since the handler has responded. @defaultValue 'next' with an error handler,
   * otherwise 'json'
   */
  onRefused?: OnRefused
}

export const CONDITIONAL_OPTIONS: readonly string[] = ['etag', 'currentState', 'requirePrecondition', 'onRefused']

/**
 * Creates middleware that adds ETags to the responses of an ordinary app and evaluates the
 * conditions of GET, HEAD and QUERY (304, 412). With `currentState` it also checks those of changes
 * (412, 428).
 * @example
 * app.use(conditionalRequests({ etag: 'weak' }))
 */
export function conditionalRequests(options: ConditionalRequestsOptions = {}): Middleware {
  assertKnownOptions('negotiate: conditionalRequests', options, CONDITIONAL_OPTIONS)
  return createConditionalRequests('negotiate: conditionalRequests', options, true)
}

/**
 * Creates the middleware for `conditionalRequests()` and `negotiate()`, which may skip the
 * conditions of reads.
 */
export function createConditionalRequests(
  owner: string,
  options: ConditionalRequestsOptions,
  checksReads: boolean,
): Middleware {
  assertTypes(owner, options, { currentState: 'function', requirePrecondition: 'boolean' })
  assertWordOrFunction(owner, 'onRefused', options.onRefused, ['next', 'json'])
  const { etag = 'strong', currentState, requirePrecondition = false, onRefused } = options
  assertOneOf(owner, 'etag', etag, ['strong', 'weak', false])
  if (requirePrecondition && !currentState)
    throw new TypeError(
      `${owner}: requirePrecondition must come with currentState, which returns whether the resource exists`,
    )
  const tags = { etag, conditional: checksReads }
  const requirement = { required: requirePrecondition }
  return function conditions(req, res, next) {
    getResponseState(req, res).tags = tags
    if (checksReads) dropFutileRange(req, false)
    if (!currentState || !isChange(req.method)) return next()
    const check = (state: CurrentState): HttpErrorLike | undefined =>
      state === undefined || state === null
        ? undefined
        : checkPreconditions(req, toResourceState(owner, state), requirement)
    callSafely(
      () => chain(currentState(req), check),
      (refused) => (refused ? refuse(refused, req, res, next, onRefused) : next()),
      next.length > 0 ? next : (error) => handleError(error, 'ERR_NEGOTIATE_STATE_FAILED', req, res),
    )
  }
}

/** Returns the state of a resource that exists. A typo in a name must not skip its check. */
function toResourceState(owner: string, state: NonNullable<CurrentState>): ResourceState | undefined {
  assertType(owner, 'the result of currentState', state, 'object')
  assertTypes(owner, state, { exists: 'boolean' })
  if (state.exists === false) return undefined
  const { exists, etag, version, lastModified } = state
  if ((exists ?? etag ?? version ?? lastModified) !== undefined) return state
  throw new TypeError(`${owner}: the result of currentState must have etag, version, lastModified or exists`)
}

function isChange(method: string | undefined): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH' || method === 'DELETE'
}
