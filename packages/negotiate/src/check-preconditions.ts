import type { HttpErrorLike } from '../../internal/http-error.ts'
import { assertKnownOptions, assertTypes, inspectValue } from '../../internal/options.ts'
import {
  type ConditionalHeaders,
  ignoresConditions,
  isConditional,
  isReadMethod,
  toConditionalHeaders,
} from './conditional-headers.ts'
import { createNegotiateError } from './errors.ts'
import {
  type EvaluatePreconditionsOptions,
  evaluatePreconditions,
  isModifiedSince,
  type ResourceState,
} from './evaluate-preconditions.ts'
import type { FetchHeaders } from './header-source.ts'
import { assertETag } from './parse-etags.ts'

/** Options for `checkPreconditions()`. */
export interface CheckPreconditionsOptions extends EvaluatePreconditionsOptions {
  /**
   * Whether to reject a change of an existing resource without `If-Match` or
   * `If-Unmodified-Since` with 428 (RFC 6585 §3). An `If-Unmodified-Since` without a date to
   * compare does not count.
   * @defaultValue false
   */
  required?: boolean
  /**
   * Whether the change is already made, for example if the response to an earlier attempt was lost.
   * `If-Match` and `If-Unmodified-Since` then do not fail (RFC 9110 §13.1.1); respond as to the
   * first attempt.
   * @defaultValue false
   */
  alreadyApplied?: boolean
}

/** The request to check, of node:http, Express, Koa or Fetch. */
export interface ConditionalRequest {
  /** The HTTP method. It decides which conditions count. */
  readonly method?: string | undefined
  /** The request headers, by their names in lower case. */
  readonly headers: ConditionalHeaders | FetchHeaders
}

const OPTIONS = ['required', 'alreadyApplied', 'ranges', 'now']
const TYPES = { required: 'boolean', alreadyApplied: 'boolean', ranges: 'boolean' } as const

const FAILED = { status: 412, code: 'ERR_NEGOTIATE_PRECONDITION_FAILED' } as const
const MALFORMED = { status: 400, code: 'ERR_NEGOTIATE_PRECONDITION_MALFORMED' } as const
const REQUIRED = { status: 428, code: 'ERR_NEGOTIATE_PRECONDITION_REQUIRED' } as const

/**
 * Checks the preconditions of a request before its change is made. Returns the error for `next`
 * (412, 400, or 428 with `required`), or `undefined` to continue.
 * @example
 * const error = checkPreconditions(req, { version: employee.revision })
 * if (error) return refuse(error, req, res, next)
 */
export function checkPreconditions(
  req: ConditionalRequest,
  state: ResourceState | undefined,
  options?: CheckPreconditionsOptions,
): HttpErrorLike | undefined {
  if (typeof req !== 'object' || req === null)
    throw new TypeError(`negotiate: checkPreconditions: req must be a request, got ${inspectValue(req)}`)
  if (options !== undefined) checkOptions(options)
  if (state?.etag !== undefined) assertETag('checkPreconditions', state.etag)
  const { method = 'GET' } = req
  const headers = toConditionalHeaders(req.headers)
  const outcome = isConditional(headers) ? evaluatePreconditions(method, headers, state, options) : 'perform'
  if (outcome === 'failed') {
    if (options?.alreadyApplied && headers['if-none-match'] === undefined) return undefined
    // `If-None-Match` is evaluated last, so it failed if none of the others did.
    const others = { ...headers, 'if-none-match': undefined }
    return createPreconditionError(evaluatePreconditions(method, others, state) === 'failed' ? headers : {})
  }
  if (outcome === 'malformed')
    return createNegotiateError({
      ...MALFORMED,
      message: 'If-None-Match must be * or a list of ETags in quotes.',
    })
  const isRequired = options?.required && state !== undefined && !isReadMethod(method) && !ignoresConditions(method)
  return isRequired && !hasEffect(headers, state) ? createNegotiateError({ ...REQUIRED, ...requirement }) : undefined
}

/** A typo must not switch the check off. */
function checkOptions(options: CheckPreconditionsOptions): void {
  assertKnownOptions('negotiate: checkPreconditions', options, OPTIONS)
  assertTypes('negotiate: checkPreconditions', options, TYPES)
}

/** Creates the 412 of a request whose conditions fail: by `If-None-Match` if it has no other. */
export function createPreconditionError(headers: ConditionalHeaders): HttpErrorLike {
  const [header, message] = getReason(headers)
  return createNegotiateError({ ...FAILED, message, params: { header } })
}

const requirement = {
  message: 'This change requires a precondition. GET the resource and send its ETag in If-Match.',
  headers: { 'Cache-Control': 'no-store' },
}

/** Whether a change is only made in a certain state; `If-Unmodified-Since` may have no effect. */
function hasEffect(headers: ConditionalHeaders, state: ResourceState): boolean {
  return headers['if-match'] !== undefined || isModifiedSince(headers['if-unmodified-since'], state) !== undefined
}

/** Names the header that failed, for clients that send two of them. */
function getReason(headers: ConditionalHeaders): readonly [header: string, message: string] {
  if (headers['if-match'] !== undefined)
    return ['If-Match', 'The resource has changed: its current version does not match If-Match.']
  if (headers['if-unmodified-since'] !== undefined)
    return ['If-Unmodified-Since', 'The resource has changed since the time in If-Unmodified-Since.']
  return ['If-None-Match', 'The resource already exists, which If-None-Match excludes.']
}
