import type { Middleware } from '../../../../packages/internal/middleware.ts'
import type { Route } from '../engine/route.ts'
import type { Parts } from '../http/dependencies.ts'
import { burst } from './burst.ts'
import { requestEvents } from './events.ts'
import { Exchanges } from './exchanges.ts'
import { faults } from './faults.ts'
import { lifecycle } from './lifecycle.ts'
import { loopbackOnly } from './loopback.ts'
import { recorder } from './recorder.ts'
import { retries } from './retries.ts'
import { demoRoutes } from './routes.ts'

/** What the demo adds to the service; outside of it there is nothing of this. */
export interface Demo {
  /** Sees every request. */
  record: Middleware
  /** Stands behind the limits of size. */
  stages: Middleware[]
  routes: Route[]
}

/** Makes the demo of a service. */
export function createDemo(parts: Parts): Demo {
  const exchanges = new Exchanges()
  return {
    record: recorder(exchanges),
    stages: [loopbackOnly(), requestEvents(exchanges, parts), burst(), retries(), faults(), lifecycle()],
    routes: demoRoutes(parts, exchanges),
  }
}
