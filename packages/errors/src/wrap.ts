import { callSafely } from '../../internal/guard.ts'
import type { Next } from '../../internal/middleware.ts'
import { assertType } from '../../internal/options.ts'
import { httpError } from './http-error.ts'

/**
 * Wraps an async handler so that a rejection goes to `next`, which Express 4, connect and polka do
 * not do. A throw or a rejection without a value becomes a 500.
 *
 * @example
 * app.get('/employees/:id', wrap(async (req, res) => { res.json(await find(req.params.id)) }))
 */
export function wrap<Handler extends (req: never, res: never, next: never) => unknown>(handler: Handler): Handler {
  assertType('errors: wrap', 'handler', handler, 'function')
  const wrapped = (req: never, res: never, next: Next): void =>
    callSafely(
      () => handler(req, res, next as never),
      () => {},
      (error) => next(error || httpError(500, undefined, { cause: error })),
    )
  return wrapped as unknown as Handler
}
