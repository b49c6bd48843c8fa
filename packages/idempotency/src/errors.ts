import { createHttpError, type HttpErrorInit, type HttpErrorLike } from '../../internal/http-error.ts'
import { inspectValue } from '../../internal/options.ts'

/** Code of an error response. */
export type IdempotencyErrorCode =
  | 'ERR_IDEMPOTENCY_KEY_MISSING'
  | 'ERR_IDEMPOTENCY_KEY_INVALID'
  | 'ERR_IDEMPOTENCY_USER_UNKNOWN'
  | 'ERR_IDEMPOTENCY_CALLBACK_FAILED'
  | 'ERR_IDEMPOTENCY_BODY_TOO_LARGE'
  | 'ERR_IDEMPOTENCY_BODY_INCOMPLETE'
  | 'ERR_IDEMPOTENCY_BODY_CONSUMED'
  | 'ERR_IDEMPOTENCY_IN_PROGRESS'
  | 'ERR_IDEMPOTENCY_KEY_REUSED'
  | 'ERR_IDEMPOTENCY_OUTCOME_UNKNOWN'
  | 'ERR_IDEMPOTENCY_RESPONSE_TOO_LARGE'
  | 'ERR_IDEMPOTENCY_LEASE_LOST'
  | 'ERR_IDEMPOTENCY_STORE_DOWN'

function create(
  status: number,
  code: IdempotencyErrorCode,
  message: string,
  rest: Pick<HttpErrorInit, 'headers' | 'params' | 'cause'> = {},
): HttpErrorLike {
  return createHttpError({ status, code, message, ...rest })
}

/** `docsUrl`: a page that explains keys to clients. */
export function keyMissing(header: string, docsUrl: string | undefined): HttpErrorLike {
  const headers = docsUrl === undefined ? {} : { headers: { Link: `<${docsUrl}>; rel="describedby"` } }
  const message = `The header ${header} is missing. Send a new key for each operation, and the same key for its retries.`
  return create(400, 'ERR_IDEMPOTENCY_KEY_MISSING', message, { ...headers, params: { header } })
}

export function keyInvalid(header: string): HttpErrorLike {
  const message = `The header ${header} must be a single string of 1 to 255 characters.`
  return create(400, 'ERR_IDEMPOTENCY_KEY_INVALID', message, { params: { header } })
}

/**
 * The client is authenticated, and its user is unknown: a response of one user could be returned to
 * another.
 */
export function userUnknown(user: unknown): HttpErrorLike {
  const message = 'idempotency: user must return the name of the authenticated user as a string'
  return create(500, 'ERR_IDEMPOTENCY_USER_UNKNOWN', `${message}, got ${inspectValue(user)}`)
}

/** A function of the options failed, and the work did not run. */
export function callbackFailed(cause: unknown): HttpErrorLike {
  return create(500, 'ERR_IDEMPOTENCY_CALLBACK_FAILED', 'idempotency: a function of the options failed', { cause })
}

export function bodyTooLarge(maxBytes: number): HttpErrorLike {
  const message = `The body is larger than ${maxBytes} bytes.`
  return create(413, 'ERR_IDEMPOTENCY_BODY_TOO_LARGE', message, { params: { maxBytes } })
}

export function bodyIncomplete(): HttpErrorLike {
  return create(400, 'ERR_IDEMPOTENCY_BODY_INCOMPLETE', 'The body of the request ended early.')
}

/** A retry with other content would get the first response, and its own content would be lost. */
export function bodyConsumed(): HttpErrorLike {
  const message =
    'idempotency: the body was consumed before and is not available for comparison; mount idempotency() before the body parser, or set the option fingerprint'
  return create(500, 'ERR_IDEMPOTENCY_BODY_CONSUMED', message)
}

export function inProgress(): HttpErrorLike {
  const message = 'A request with this key is still in progress. Retry later to get its response.'
  return create(409, 'ERR_IDEMPOTENCY_IN_PROGRESS', message, { headers: { 'Retry-After': '1' } })
}

export function keyReused(): HttpErrorLike {
  const message = 'This key was used for a different request. Send a new key.'
  return create(422, 'ERR_IDEMPOTENCY_KEY_REUSED', message)
}

export function outcomeUnknown(): HttpErrorLike {
  const message =
    'The outcome of the first request with this key is unknown. Check whether it took effect before retrying with a new key.'
  return create(409, 'ERR_IDEMPOTENCY_OUTCOME_UNKNOWN', message)
}

/** The request took effect, and its response was too large to store. */
export function responseTooLarge(location: string | undefined): HttpErrorLike {
  const message = 'The first request with this key was processed, but its response was too large to store.'
  const headers = location === undefined ? {} : { headers: { Location: location } }
  return create(409, 'ERR_IDEMPOTENCY_RESPONSE_TOO_LARGE', message, headers)
}

export function leaseLost(): HttpErrorLike {
  const message = 'Another request with this key took over. Retry to get its response.'
  return create(409, 'ERR_IDEMPOTENCY_LEASE_LOST', message, { headers: { 'Retry-After': '1' } })
}

export function storeDown(cause: unknown): HttpErrorLike {
  const message = 'Idempotency keys cannot be checked at the moment. Retry later.'
  return create(503, 'ERR_IDEMPOTENCY_STORE_DOWN', message, { headers: { 'Retry-After': '1' }, cause })
}

/** Whether an error was created by this package, with any code or with one of these. */
export function isIdempotencyError(error: unknown, codes = /^ERR_IDEMPOTENCY_/): error is HttpErrorLike {
  return error instanceof Error && 'code' in error && codes.test(String(error.code))
}
