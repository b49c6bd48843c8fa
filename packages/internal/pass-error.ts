import { createHttpError } from './http-error.ts'
import type { IncomingMessage, Next, ServerResponse } from './middleware.ts'
import { sendErrorRecord } from './record.ts'

/**
 * Passes the error of a callback to `next`. `() => handler(req, res)` would drop it and run the
 * handler: for a function without parameters, the response is a 500 with the code, and a process
 * warning has the stack.
 */
export function passError(error: unknown, code: string, req: IncomingMessage, res: ServerResponse, next: Next): void {
  if (next.length > 0) return next(error)
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.emitWarning('a callback failed, and next() has no parameters for its error: the response is 500', {
    code,
    detail,
  })
  sendErrorRecord(req, res, createHttpError({ status: 500, code, message: 'A callback failed.', cause: error }))
}
