import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ServiceState } from '../http/dependencies.ts'
import type { Observer } from '../http/pipeline.ts'

export interface Metrics {
  registry: Registry
  /** Measures every request by method, route and status. */
  measure: Observer
}

/** Creates the metrics for Prometheus: the process, and number and duration of requests. */
export function createMetrics(state: Pick<ServiceState, 'inFlight'>): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'svc_requests_in_flight',
    help: 'Requests in flight',
    registers: [registry],
    collect() {
      this.set(state.inFlight.size)
    },
  })
  const durations = new RequestDurations(registry)
  const measure: Observer = ({ res, method, match, startedAt }) =>
    // Without a route, a method is any text of a client.
    durations.add(
      match?.route.path ?? 'none',
      match ? method : 'none',
      res.statusCode,
      (performance.now() - startedAt) / 1000,
    )
  return { registry, measure }
}

const NAME = 'svc_request_seconds'
const HELP = 'Time from the first stage to the end of the response'
const BOUNDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]

type Label = 'method' | 'route' | 'status'

interface Series {
  labels: Record<Label, string | number>
  /** Number of durations up to each bound, without those up to the one before; then of those above the last. */
  counts: number[]
  sum: number
}

/** A value as histograms of prom-client return it. */
interface Value {
  metricName: string
  labels: Readonly<Record<string, string | number>>
  sharedLabels: Readonly<Record<string, string | number>>
  value: number
}

/**
 * A histogram that finds the series of a request by its route, its status and its method. A series of prom-client is found
 * by a text of its labels, which costs more than all other metrics of a request.
 */
class RequestDurations extends Histogram<Label> {
  readonly #series = new Map<string, Map<number, Map<string, Series>>>()

  constructor(registry: Registry) {
    super({
      name: NAME,
      help: HELP,
      registers: [registry],
      labelNames: ['method', 'route', 'status'],
      buckets: BOUNDS,
    })
  }

  add(route: string, method: string, status: number, seconds: number): void {
    const series = this.#series.get(route)?.get(status)?.get(method) ?? this.#create(route, method, status)
    let bucket = 0
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] ?? 0)) bucket++
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
    series.sum += seconds
  }

  #create(route: string, method: string, status: number): Series {
    const byStatus = this.#series.get(route) ?? new Map<number, Map<string, Series>>()
    const byMethod = byStatus.get(status) ?? new Map<string, Series>()
    const counts = new Array<number>(BOUNDS.length + 1).fill(0)
    const series = { labels: { method, route, status }, counts, sum: 0 }
    this.#series.set(route, byStatus)
    byStatus.set(status, byMethod)
    byMethod.set(method, series)
    return series
  }

  // The registry and `get()` call it.
  getForPromString() {
    const series = [...this.#series.values()].flatMap((byStatus) => [...byStatus.values()])
    const values = series.flatMap((byMethod) => [...byMethod.values()].flatMap(toValues))
    return Promise.resolve({ name: NAME, help: HELP, type: 'histogram', aggregator: 'sum', values })
  }

  // The constructor of prom-client calls it, too.
  override reset(): void {
    if (#series in this) this.#series.clear()
  }
}

function toValues({ labels: sharedLabels, counts, sum }: Series): Value[] {
  let count = 0
  const buckets = [...BOUNDS, '+Inf'].map((le, index): Value => {
    count += counts[index] ?? 0
    return { metricName: `${NAME}_bucket`, labels: { le }, sharedLabels, value: count }
  })
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels: {}, sharedLabels, value: sum },
    { metricName: `${NAME}_count`, labels: {}, sharedLabels, value: count },
  ]
}
