import type { HttpErrorLike } from '../../internal/http-error.ts'
import type { IncomingMessage, Next, ServerResponse } from '../../internal/middleware.ts'
import { sendErrorRecord } from '../../internal/record.ts'
import { handlesErrors, type OnRefused, refuse } from '../../internal/refuse.ts'
import { createNegotiateError } from './errors.ts'

/** Passes an error to the error handler of the app, or responds with it. */
export function handleError(
  error: unknown,
  req: IncomingMessage,
  res: ServerResponse,
  next?: Next,
  onRefused?: OnRefused,
): void {
  if (next && (onRefused === 'next' || (onRefused === undefined && handlesErrors(req, next)))) return next(error)
  const refused = toHttpError(error)
  if (next && typeof onRefused === 'function') return refuse(refused, req, res, next, onRefused)
  if (refused.status >= 500) warn(error)
  sendErrorRecord(req, res, refused)
}

/** Emits a warning, since no error handler of the app sees the cause. */
function warn(error: unknown): void {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const message = 'negotiate: the body of a representation could not be created; the response is 500'
  process.emitWarning(message, { code: 'ERR_NEGOTIATE_BODY_FAILED', detail })
}

function toHttpError(error: unknown): HttpErrorLike {
  if (isHttpError(error)) return error
  const message = 'The representation could not be created.'
  return createNegotiateError({ status: 500, code: 'ERR_NEGOTIATE_BODY_FAILED', message, cause: error })
}

// An error of an HTTP client also has a status and a code: those of the response of another server.
function isHttpError(error: unknown): error is HttpErrorLike {
  return error instanceof Error && 'expose' in error && 'status' in error && 'code' in error
}
