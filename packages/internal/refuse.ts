import { callSafely } from './guard.ts'
import type { HttpErrorLike } from './http-error.ts'
import type { IncomingMessage, Next, ServerResponse } from './middleware.ts'
import { sendErrorRecord } from './record.ts'

/**
 * Who answers a refusal. `'next'`: the host's error handling. `'json'`: the package itself, with a JSON Error
 * record. A function: the application; what it throws or rejects with goes to `next`. Without the option, `next` gets it where somebody there takes errors (an
 * Express app with an error handler, or `errors()` of @svc/errors anywhere in the process), else it is a record.
 */
export type OnRefused =
  | 'next'
  | 'json'
  | ((error: HttpErrorLike, req: IncomingMessage, res: ServerResponse, next: Next) => void | Promise<void>)

const ERRORS_IN_USE = Symbol.for('svc.errors.inUse')

/** Called by `errors()` when it is made: from then on refusals are its to answer. */
export function registerErrorHandler(): void {
  ;(globalThis as Record<symbol, unknown>)[ERRORS_IN_USE] = true
}

/** Gives a refusal to whoever answers it. */
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
      next,
    )
  else if (onRefused === 'next' || (onRefused === undefined && takesErrors(req, next))) next(error)
  else sendErrorRecord(req, res, error)
}

// `() => handler(req, res)` as next would drop the error and run the handler: what takes no argument gets none.
function takesErrors(req: IncomingMessage, next: Next): boolean {
  if (next.length === 0) return false
  // What a mounted app does not answer goes to the app around it.
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
}

function isErrorHandler(layer: Layer): boolean {
  return layer.handle?.length === 4
}
