import { inspect } from 'node:util'
import { getHeader, getPath, type IncomingMessage, type Next, type ServerResponse } from '../../internal/middleware.ts'
import { registerErrorHandler } from '../../internal/refuse.ts'
import { abort, isDisconnected } from './connection.ts'
import { createContext } from './create-context.ts'
import type { RequestInfo } from './error-context.ts'
import { createLogEntry, formatLogLine, type LogEntry, showError } from './log.ts'
import type { ErrorsOptions } from './options.ts'
import { respond } from './respond.ts'
import { send } from './send.ts'
import { compileOptions } from './settings.ts'

/**
 * An error handler for Express, connect and polka (`onError`). On plain node:http your own code
 * calls it.
 */
export type ErrorMiddleware = (error: unknown, req: IncomingMessage, res: ServerResponse, next?: Next) => void

/**
 * Creates the error handler, the last middleware of an app. It turns any value that was thrown or
 * passed to `next` into a response in the format that `Accept` prefers. The client only sees
 * messages that were written for it.
 *
 * @example app.use(errors())
 */
export function errors(options: ErrorsOptions = {}): ErrorMiddleware {
  const settings = compileOptions(options, writeEntry)
  const { log, getChallenge } = settings
  registerErrorHandler()
  // Express recognizes an error handler by its four parameters.
  return function errors(error, req, res, _next) {
    const info = readRequest(req, res)
    const context = createContext(settings, error, info)
    if (res.writableEnded) {
      log(createLogEntry(context, info)) // the response was complete before the error
    } else if (isDisconnected(req, res)) {
      log({ ...createLogEntry(context, info), status: 499, severity: 'info' })
      abort(res)
    } else if (res.headersSent) {
      log(createLogEntry(context, info))
      abort(res) // no second body after a partial first one
    } else {
      respond(settings, context, info, (response, list) => send(context, response, list, getChallenge))
    }
  }
}

function readRequest(req: IncomingMessage, res: ServerResponse): RequestInfo<IncomingMessage, ServerResponse> {
  return {
    req,
    res,
    method: req.method ?? '',
    path: getPath(req),
    accept: getHeader(req, 'accept'),
    acceptLanguage: getHeader(req, 'accept-language'),
    status: res.statusCode,
  }
}

function writeEntry(entry: LogEntry): void {
  process.stderr.write(`${formatLogLine(entry)}\n${showError(entry.error, inspect)}\n`)
}
