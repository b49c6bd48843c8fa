import { clientAddress } from '@svc/ratelimit'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { exchangeOf } from '../exchange.ts'
import type { Authenticator } from '../security/authenticator.ts'

/** Finds out who sends the request, by the credentials of this request alone. */
export function authenticate({ known, check }: Authenticator, trustProxy: readonly string[]): Middleware {
  return (req, _res, next) => {
    const { authorization } = req.headers
    if (authorization === undefined) return next()
    const exchange = exchangeOf(req)
    exchange.caller = known(authorization)
    if (exchange.caller) return next()
    check(authorization, clientAddress(req, [...trustProxy])).then((caller) => {
      exchange.caller = caller
      next()
    }, next)
  }
}
