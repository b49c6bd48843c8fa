import { callSafely } from './guard.ts'
import type { HttpErrorLike } from './http-error.ts'
import type { IncomingMessage, Next, ServerResponse } from './middleware.ts'
import { sendErrorRecord } from './record.ts'

/**
 * Response to a rejected request. `'next'` passes the error to the error handler of the app.
 * `'json'` sends a JSON error record. A function responds itself; a throw or a rejection goes to
 * `next`, unless that has no parameters: then the record is sent. Default: `'next'` if there is an
 * error handler (of an Express app, or `errors()` of @svc/errors anywhere in the process),
 * otherwise `'json'`.
 */
export type OnRefused =
  | 'next'
  | 'json'
  | ((error: HttpErrorLike, req: IncomingMessage, res: ServerResponse, next: Next) => void | Promise<void>)

const ERRORS_IN_USE = Symbol.for('svc.errors.inUse')

/** Called by `errors()` when it is created: it then gets every error. */
export function registerErrorHandler(): void {
  ;(globalThis as Record<symbol, unknown>)[ERRORS_IN_USE] = true
}

/**
 * Sends the error response of a rejected request: passes the error to `next` if there is an error
 * handler, otherwise sends a JSON error record, never the HTML page of Express. `onRefused` decides
 * otherwise.
 */
export function refuse(
  error: HttpErrorLike,
  req: IncomingMessage,
  res: ServerResponse,
  next: Next,
  onRefused?: OnRefused,
): void {
  if (typeof onRefused === 'function')
    callSafely(
      () => onRefused(error, req, res, next),
      () => {},
      next.length > 0 ? next : () => sendErrorRecord(req, res, error),
    )
  else if (onRefused === 'next' || (onRefused === undefined && handlesErrors(req, next))) next(error)
  else sendErrorRecord(req, res, error)
}

/**
 * Whether an error passed to `next` reaches an error handler. `() => handler(req, res)` would drop
 * the error and run the handler: a function without parameters ignores it.
 */
export function handlesErrors(req: IncomingMessage, next: Next): boolean {
  if (next.length === 0) return false
  // Errors that a mounted app does not handle go to its parent.
  for (let app = (req as { app?: ExpressApp }).app; app; app = app.parent)
    if ((app._router ?? app.router)?.stack?.some(isErrorHandler)) return true
  return (globalThis as Record<symbol, unknown>)[ERRORS_IN_USE] === true
}

interface ExpressApp {
  _router?: { stack?: Layer[] } // Express 4, whose `router` throws
  router?: { stack?: Layer[] }
  parent?: ExpressApp
}

interface Layer {
  handle?: { length: number }
  slash?: boolean
  regexp?: { fast_slash?: boolean } // Express 4
}

// The handler of a path does not get the errors of the others.
function isErrorHandler({ handle, slash, regexp }: Layer): boolean {
  return handle?.length === 4 && (slash ?? regexp?.fast_slash) === true
}
