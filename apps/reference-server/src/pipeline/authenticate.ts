import { clientAddress } from '@svc/ratelimit'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { exchangeOf } from '../exchange.ts'
import type { Authenticate } from '../security/authenticator.ts'

/** Finds out who sends the request, by the credentials of this request alone. */
export function authenticate(check: Authenticate, trustProxy: readonly string[]): Middleware {
  return (req, _res, next) => {
    const { authorization } = req.headers
    if (authorization === undefined) return next()
    check(authorization, clientAddress(req, [...trustProxy])).then((caller) => {
      exchangeOf(req).caller = caller
      next()
    }, next)
  }
}
