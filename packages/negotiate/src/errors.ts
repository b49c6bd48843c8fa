import { createHttpError, type HttpErrorInit, type HttpErrorLike } from '../../internal/http-error.ts'

/** The codes of this package's failures; the README tells what to do about each. */
export type NegotiateErrorCode =
  | 'ERR_NEGOTIATE_BODY_CORRUPT'
  | 'ERR_NEGOTIATE_BODY_FAILED'
  | 'ERR_NEGOTIATE_BODY_TOO_LARGE'
  | 'ERR_NEGOTIATE_NOT_ACCEPTABLE'
  | 'ERR_NEGOTIATE_PARTIAL_PUT'
  | 'ERR_NEGOTIATE_PRECONDITION_FAILED'
  | 'ERR_NEGOTIATE_PRECONDITION_MALFORMED'
  | 'ERR_NEGOTIATE_PRECONDITION_REQUIRED'
  | 'ERR_NEGOTIATE_CONTENT_TYPE_REQUIRED'
  | 'ERR_NEGOTIATE_UNSUPPORTED_ENCODING'
  | 'ERR_NEGOTIATE_UNSUPPORTED_TYPE'

/** A failure with a code of this package. */
export function createNegotiateError(init: HttpErrorInit & { code: NegotiateErrorCode }): HttpErrorLike {
  return createHttpError(init)
}

/** The 415 about a content coding: it tells the codings that are taken, and no types (RFC 9110 15.5.16). */
export function unsupportedEncoding(codings: readonly string[]): HttpErrorLike {
  const list = codings.length === 0 ? 'identity' : codings.join(', ')
  return createNegotiateError({
    status: 415,
    code: 'ERR_NEGOTIATE_UNSUPPORTED_ENCODING',
    message: `The Content-Encoding of this body is not supported. Supported: ${list}.`,
    headers: { 'Accept-Encoding': list },
    params: { supported: codings.length === 0 ? ['identity'] : [...codings] },
  })
}
