import { createHttpError, type HttpErrorInit, type HttpErrorLike } from '../../internal/http-error.ts'

/** Codes of the errors of this package. The docs say what to do about each. */
export type NegotiateErrorCode =
  | 'ERR_NEGOTIATE_BODY_CORRUPT'
  | 'ERR_NEGOTIATE_BODY_FAILED'
  | 'ERR_NEGOTIATE_BODY_TOO_LARGE'
  | 'ERR_NEGOTIATE_NOT_ACCEPTABLE'
  | 'ERR_NEGOTIATE_PARTIAL_PUT'
  | 'ERR_NEGOTIATE_PRECONDITION_FAILED'
  | 'ERR_NEGOTIATE_PRECONDITION_MALFORMED'
  | 'ERR_NEGOTIATE_PRECONDITION_REQUIRED'
  | 'ERR_NEGOTIATE_STATE_FAILED'
  | 'ERR_NEGOTIATE_CONTENT_TYPE_REQUIRED'
  | 'ERR_NEGOTIATE_ENCODING_UNSUPPORTED'
  | 'ERR_NEGOTIATE_CONTENT_TYPE_UNSUPPORTED'

/** Creates an error with a code of this package. */
export function createNegotiateError(init: HttpErrorInit & { code: NegotiateErrorCode }): HttpErrorLike {
  return createHttpError(init)
}

/**
 * Creates the 415 about an encoding. It lists the supported encodings, and no types (RFC 9110
 * §15.5.16).
 */
export function createEncodingError(encodings: readonly string[]): HttpErrorLike {
  const list = encodings.length === 0 ? 'identity' : encodings.join(', ')
  return createNegotiateError({
    status: 415,
    code: 'ERR_NEGOTIATE_ENCODING_UNSUPPORTED',
    message: `The Content-Encoding of this body is not supported. Supported: ${list}.`,
    headers: { 'Accept-Encoding': list },
    params: { supported: encodings.length === 0 ? ['identity'] : [...encodings] },
  })
}
