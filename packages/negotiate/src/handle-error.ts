import type { HttpErrorLike } from '../../internal/http-error.ts'
import type { IncomingMessage, Next, ServerResponse } from '../../internal/middleware.ts'
import { sendErrorRecord } from '../../internal/record.ts'
import { handlesErrors, type OnRefused, refuse } from '../../internal/refuse.ts'
import { createNegotiateError, type NegotiateErrorCode } from './errors.ts'

/**
 * Passes an error to the error handler of the app, or responds with it. An error of the app is a
 * 500 with the code.
 */
export function handleError(
  error: unknown,
  code: NegotiateErrorCode,
  req: IncomingMessage,
  res: ServerResponse,
  next?: Next,
  onRefused?: OnRefused,
): void {
  if (next && (onRefused === 'next' || (onRefused === undefined && handlesErrors(req, next)))) return next(error)
  const refused = toHttpError(error, code)
  if (typeof onRefused === 'function')
    return refuse(refused, req, res, next ?? (() => sendErrorRecord(req, res, refused)), onRefused)
  if (refused.status >= 500) warn(error, code)
  sendErrorRecord(req, res, refused)
}

/** Emits a warning, since no error handler of the app sees the cause. */
function warn(error: unknown, code: NegotiateErrorCode): void {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const message = 'negotiate: the body or state of a representation could not be created; the response is 500'
  process.emitWarning(message, { code, detail })
}

function toHttpError(error: unknown, code: NegotiateErrorCode): HttpErrorLike {
  if (isHttpError(error)) return error
  const message = 'The representation could not be created.'
  return createNegotiateError({ status: 500, code, message, cause: error })
}

// An error of an HTTP client also has a status and a code: those of the response of another server.
function isHttpError(error: unknown): error is HttpErrorLike {
  return error instanceof Error && 'expose' in error && 'status' in error && 'code' in error
}
