import type { IncomingMessage, Next, ServerResponse } from '../../internal/middleware.ts'
import { registerErrorHandler } from '../../internal/refuse.ts'
import { answer } from './answer.ts'
import { contextOf } from './context.ts'
import { cut, isGone } from './gone.ts'
import { entryOf, logWith } from './log.ts'
import { checkOptions, type ErrorsOptions } from './options.ts'

/** What Express, connect and polka (as `onError`) call with an error; on bare node:http it is called by hand. */
export type ErrorMiddleware = (error: unknown, req: IncomingMessage, res: ServerResponse, next?: Next) => void

/**
 * The last line of an app: turns anything that was thrown or given to `next` into one clear answer, in the shape that
 * Accept asks for, and tells the client nothing that was not meant for it.
 *
 * @example app.use(errors())
 */
export function errors(options: ErrorsOptions = {}): ErrorMiddleware {
  checkOptions(options)
  registerErrorHandler()
  const log = logWith(options.onError)
  // Express knows an error handler by its four parameters.
  return function errors(error, req, res, _next) {
    const context = contextOf(options, error, req, res)
    const entry = entryOf(context)
    if (res.writableEnded) {
      log(entry) // the answer is whole: what failed came after it
    } else if (isGone(req, res)) {
      log({ ...entry, status: 499, severity: 'info' })
      cut(res)
    } else if (res.headersSent) {
      log(entry)
      cut(res) // never a second body behind half of a first
    } else {
      answer(options, context, log)
    }
  }
}
