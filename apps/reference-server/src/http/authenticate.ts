import { clientIp } from '@svc/ratelimit'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { requestStateOf } from '../engine/request-state.ts'
import { type Authenticator, invalidRequest } from '../security/authenticator.ts'
import type { Caller } from '../security/caller.ts'
import { rejectionFacts } from '../security/token-error.ts'

/** Finds out who sends the request, by the credentials of this request alone. */
export function authenticate({ known, check }: Authenticator, trustProxy: readonly string[]): Middleware {
  return (req, _res, next) => {
    const { authorization } = req.headers
    if (authorization === undefined) return next()
    if (isRepeated(req.rawHeaders)) return next(invalidRequest('INVALID_REQUEST.authorizationTwice'))
    const state = requestStateOf(req)
    state.caller = known(authorization)
    if (state.caller) return next()
    const accept = (caller: Caller): void => {
      state.caller = caller
      next()
    }
    const reject = (error: unknown): void => {
      state.rejection = rejectionFacts(error)
      next(error)
    }
    check(authorization, clientIp(req, [...trustProxy])).then(accept, reject)
  }
}

// Node.js keeps the first of several headers in `headers`; all of them are in `rawHeaders`, names before values.
function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === 'authorization') count++
  return count > 1
}
