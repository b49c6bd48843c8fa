import type { HttpErrorLike } from '../../internal/http-error.ts'
import { toConditionalHeaders } from './conditional-headers.ts'
import { createNegotiateError } from './errors.ts'
import {
  type ConditionalHeaders,
  evaluatePreconditions,
  type PreconditionOptions,
  type ResourceState,
} from './evaluate-preconditions.ts'
import type { HeadersLike } from './header-source.ts'

/** What the conditions of a change must say. */
export interface RequirePreconditionOptions extends PreconditionOptions {
  /** Refuses a change that says nothing about the version it was made on with 428 (RFC 6585 3). @defaultValue false */
  required?: boolean
  /**
   * True where the change is there already, as when the answer to an earlier attempt was lost: `If-Match` and
   * `If-Unmodified-Since` do not fail then (RFC 9110 13.1.1), and the change is to be answered as a success. @defaultValue false
   */
  alreadyApplied?: boolean
}

/** The request to check: of node:http, Express, Koa or Fetch. */
export interface ConditionalRequest {
  /** The HTTP method: which conditions count depends on it. */
  readonly method?: string | undefined
  /** The request fields, by their names in lower case. */
  readonly headers: ConditionalHeaders | HeadersLike
}

const FAILED = { status: 412, code: 'ERR_NEGOTIATE_PRECONDITION_FAILED' } as const
const MALFORMED = { status: 400, code: 'ERR_NEGOTIATE_PRECONDITION_MALFORMED' } as const
const REQUIRED = { status: 428, code: 'ERR_NEGOTIATE_PRECONDITION_REQUIRED' } as const

/**
 * Checks the preconditions of a request that changes something, before it is carried out. Returns the failure to
 * hand to `next` (412, 400, or 428 with `require`), `undefined` to go on:
 * `const refused = preconditions(req, { version: employee.revision }); if (refused) return next(refused)`.
 */
export function checkPreconditions(
  req: ConditionalRequest,
  state: ResourceState | undefined,
  options: RequirePreconditionOptions = {},
): HttpErrorLike | undefined {
  const { method = 'GET' } = req
  const headers = toConditionalHeaders(req.headers)
  const outcome = evaluatePreconditions(method, headers, state, options)
  if (outcome === 'failed') {
    const isRepeated = options.alreadyApplied && headers['if-none-match'] === undefined
    return isRepeated ? undefined : createPreconditionError(headers)
  }
  if (outcome === 'malformed')
    return createNegotiateError({
      ...MALFORMED,
      message: 'If-None-Match must be * or a list of entity tags in quotes.',
    })
  const isMissing = options.required && state !== undefined && isUnconditional(headers)
  return isMissing ? createNegotiateError({ ...REQUIRED, ...requirement }) : undefined
}

/** The 412 of a request whose conditions do not hold. */
export function createPreconditionError(headers: ConditionalHeaders): HttpErrorLike {
  const [header, message] = getReason(headers)
  return createNegotiateError({ ...FAILED, message, params: { header } })
}

const requirement = {
  message: 'This change needs a precondition: GET the resource, and send its ETag in If-Match.',
  headers: { 'Cache-Control': 'no-store' },
}

function isUnconditional(headers: ConditionalHeaders): boolean {
  return headers['if-match'] === undefined && headers['if-unmodified-since'] === undefined
}

/** Says which field failed, so that a client with two of them knows. */
function getReason(headers: ConditionalHeaders): readonly [header: string, message: string] {
  if (headers['if-match'] !== undefined)
    return ['If-Match', 'The resource has changed: its current version does not match If-Match.']
  if (headers['if-none-match'] !== undefined && headers['if-unmodified-since'] === undefined)
    return ['If-None-Match', 'The resource exists already, which If-None-Match excludes.']
  return ['If-Unmodified-Since', 'The resource has changed since the time in If-Unmodified-Since.']
}
