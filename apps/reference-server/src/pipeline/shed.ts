import { httpError } from '@svc/errors'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { exchangeOf } from '../exchange.ts'
import type { ServiceState } from '../service-state.ts'
import type { Observer } from './when-over.ts'

const MAX_IN_FLIGHT = 1000

/** Turns requests away while the service is in maintenance, stopping or overloaded. Health is always told. */
export function shed(state: ServiceState): Middleware {
  return (req, res, next) => {
    state.inFlight.add(res)
    if (state.draining) res.shouldKeepAlive = false
    if (exchangeOf(req).path.startsWith('/health')) return next()
    if (state.draining) return next(unavailable('The service is stopping.', 5))
    if (state.maintenance) return next(unavailable('The service is in maintenance.', 60))
    if (state.inFlight.size > MAX_IN_FLIGHT) return next(unavailable('The service is overloaded.', 1))
    next()
  }
}

/** Counts a request no longer, when it is over. */
export function leave(state: ServiceState): Observer {
  return (_req, res) => void state.inFlight.delete(res)
}

function unavailable(message: string, retryAfter: number): Error {
  return httpError(503, message, { code: 'SERVICE_UNAVAILABLE', retryAfter, expose: true })
}
