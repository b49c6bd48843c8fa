import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { requestStateOf } from '../engine/request-state.ts'
import { type FailureKey, failure } from '../messages/errors.ts'
import type { ServiceState } from './service-state.ts'
import type { Observer } from './when-over.ts'

const MAX_IN_FLIGHT = 1000

/** Turns requests away while the service is in maintenance, stopping or overloaded. Health is always told. */
export function shed(state: ServiceState): Middleware {
  return (req, res, next) => {
    state.inFlight.add(res)
    if (state.draining) res.shouldKeepAlive = false
    if (requestStateOf(req).path.startsWith('/health')) return next()
    if (state.draining) return next(unavailable('SERVICE_UNAVAILABLE.stopping', 5))
    if (state.maintenance) return next(unavailable('SERVICE_UNAVAILABLE.maintenance', 60))
    if (state.inFlight.size > MAX_IN_FLIGHT) return next(unavailable('SERVICE_UNAVAILABLE.overload', 1))
    next()
  }
}

/** Counts a request no longer, when it is over. */
export function leave(state: ServiceState): Observer {
  return (_req, res) => void state.inFlight.delete(res)
}

function unavailable(key: FailureKey, retryAfter: number): Error {
  return failure(key, undefined, { retryAfter })
}
