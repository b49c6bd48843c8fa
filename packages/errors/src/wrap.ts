import type { Next } from '../../internal/middleware.ts'
import { httpError } from './http-error.ts'

/**
 * Lets Express 4, connect and polka see what an async handler rejects with; Express 5 does so itself. A throw or a
 * rejection without a value, which would count as no error at all, becomes a 500.
 *
 * @example app.get('/employees/:id', wrap(async (req, res) => { res.json(await find(req.params.id)) }))
 */
export function wrap<Req, Res>(
  handler: (req: Req, res: Res, next: Next) => unknown,
): (req: Req, res: Res, next: Next) => void {
  return function wrapped(req, res, next) {
    const fail = (error: unknown): void => next(error || httpError(500, undefined, { cause: error }))
    try {
      const result = handler(req, res, next)
      if (result instanceof Promise) result.catch(fail)
    } catch (error) {
      fail(error)
    }
  }
}
