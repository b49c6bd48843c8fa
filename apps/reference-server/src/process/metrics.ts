import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ServiceState } from '../http/dependencies.ts'
import type { Observer } from '../http/pipeline.ts'

export interface Metrics {
  registry: Registry
  /** Measures every request by method, route and status. */
  measure: Observer
}

/** Creates the metrics for Prometheus: the process, requests in flight and durations of requests. */
export function createMetrics(state: ServiceState): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  new Gauge({
    ...{ name: 'svc_requests_in_flight', help: 'Requests at work now', registers },
    collect() {
      this.set(state.inFlight.size)
    },
  })
  const durations = new Histogram({
    ...{ name: 'svc_request_seconds', help: 'Time from the first stage to the end of the answer', registers },
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  })
  const measure: Observer = ({ res, method, match, startedAt }) => {
    const route = match?.route.path ?? 'none'
    const labels = { method: match ? method : 'none', route, status: res.statusCode }
    durations.observe(labels, (performance.now() - startedAt) / 1000)
  }
  return { registry, measure }
}
