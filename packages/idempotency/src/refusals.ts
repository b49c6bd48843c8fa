import { createHttpError, type HttpErrorInit, type HttpErrorLike } from '../../internal/http-error.ts'

/** Every code of a failure that this package gives. */
export type IdempotencyErrorCode =
  | 'ERR_IDEMPOTENCY_KEY_MISSING'
  | 'ERR_IDEMPOTENCY_KEY_INVALID'
  | 'ERR_IDEMPOTENCY_UNSCOPED'
  | 'ERR_IDEMPOTENCY_CALLBACK_FAILED'
  | 'ERR_IDEMPOTENCY_BODY_TOO_LARGE'
  | 'ERR_IDEMPOTENCY_BODY_INCOMPLETE'
  | 'ERR_IDEMPOTENCY_BODY_UNSEEN'
  | 'ERR_IDEMPOTENCY_IN_PROGRESS'
  | 'ERR_IDEMPOTENCY_KEY_REUSED'
  | 'ERR_IDEMPOTENCY_OUTCOME_UNKNOWN'
  | 'ERR_IDEMPOTENCY_RESPONSE_TOO_LARGE'
  | 'ERR_IDEMPOTENCY_LEASE_LOST'
  | 'ERR_IDEMPOTENCY_STORE_DOWN'

function refusal(
  status: number,
  code: IdempotencyErrorCode,
  message: string,
  rest: Pick<HttpErrorInit, 'headers' | 'params' | 'cause'> = {},
): HttpErrorLike {
  return createHttpError({ status, code, message, ...rest })
}

/** The route asks for a key and there is none. `help`: the address of a page that tells how keys work here. */
export function keyMissing(header: string, help: string | undefined): HttpErrorLike {
  const headers = help === undefined ? {} : { headers: { Link: `<${help}>; rel="describedby"` } }
  return refusal(400, 'ERR_IDEMPOTENCY_KEY_MISSING', `The request needs the field ${header}.`, {
    ...headers,
    params: { header },
  })
}

export function keyInvalid(header: string): HttpErrorLike {
  const message = `The field ${header} must be one string of 1 to 255 characters.`
  return refusal(400, 'ERR_IDEMPOTENCY_KEY_INVALID', message, { params: { header } })
}

/** Somebody signed in, and nothing tells who: an answer of one user could be given to another. */
export function unscoped(): HttpErrorLike {
  const message =
    'idempotency: the request is authenticated by something other than Authorization; name its principal by the option scope'
  return refusal(500, 'ERR_IDEMPOTENCY_UNSCOPED', message)
}

/** A function of the options threw: nothing ran. */
export function callbackFailed(cause: unknown): HttpErrorLike {
  return refusal(500, 'ERR_IDEMPOTENCY_CALLBACK_FAILED', 'idempotency: a function of the options failed', { cause })
}

export function inProgress(): HttpErrorLike {
  const message = 'A request with this key is still being worked on.'
  return refusal(409, 'ERR_IDEMPOTENCY_IN_PROGRESS', message, { headers: { 'Retry-After': '1' } })
}

export function keyReused(): HttpErrorLike {
  return refusal(422, 'ERR_IDEMPOTENCY_KEY_REUSED', 'The key was used before, for another request.')
}

export function outcomeUnknown(): HttpErrorLike {
  const message = 'The first request with this key ended without an answer: look whether it took effect.'
  return refusal(409, 'ERR_IDEMPOTENCY_OUTCOME_UNKNOWN', message)
}

/** The request took effect, and its answer was too large to be kept. */
export function responseTooLarge(location: string | undefined): HttpErrorLike {
  const message = 'The request with this key succeeded, but its answer was too large to be kept.'
  const headers = location === undefined ? {} : { headers: { Location: location } }
  return refusal(409, 'ERR_IDEMPOTENCY_RESPONSE_TOO_LARGE', message, headers)
}

export function leaseLost(): HttpErrorLike {
  const message = 'Another request with this key took over: retry to get its answer.'
  return refusal(409, 'ERR_IDEMPOTENCY_LEASE_LOST', message, { headers: { 'Retry-After': '1' } })
}

export function storeDown(cause: unknown): HttpErrorLike {
  const message = 'The store of idempotency keys does not answer.'
  return refusal(503, 'ERR_IDEMPOTENCY_STORE_DOWN', message, { headers: { 'Retry-After': '1' }, cause })
}
