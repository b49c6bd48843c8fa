import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { RouteMatch } from '../engine/route.ts'
import type { ServiceState } from '../http/dependencies.ts'
import type { Observer } from '../http/pipeline.ts'

export interface Metrics {
  registry: Registry
  measure: Observer
}

/** Creates the metrics for Prometheus: the process, and number and duration of requests. */
export function createMetrics(state: ServiceState): Metrics {
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
  const durations = requestDurations(registry)
  const measure: Observer = ({ res, method, match, startedAt }) =>
    durations.observe(match, match ? method : 'none', res.statusCode, (performance.now() - startedAt) / 1000)
  return { registry, measure }
}

const NAME = 'svc_request_seconds'
/** Upper bounds of the buckets, in seconds. */
const BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]

/** The action of a request; requests without one are a series of their own. */
type Match = Pick<RouteMatch, 'action' | 'route'>

interface Series {
  labels: Readonly<Record<string, string | number>>
  /** Number of durations by bucket; the last one has no upper bound. */
  counts: Float64Array
  sum: number
}

/**
 * A histogram that prom-client reads when it is asked. Its own one looks the labels of each
 * observation up by their text, which is a fiftieth of the CPU of a request.
 */
export function requestDurations(registry: Registry) {
  const byAction = new Map<Match['action'] | undefined, Map<string, Series>>()
  const help = 'Time from the first stage to the end of the response'
  const histogram = new Histogram({ name: NAME, help, registers: [registry], buckets: BUCKETS })
  const get: Histogram['get'] = async () => ({
    name: NAME,
    help,
    type: 'histogram' as never, // which prom-client's types take for a number
    aggregator: 'sum',
    collect() {},
    values: [...byAction.values()].flatMap((byStatus) => [...byStatus.values()].flatMap(listValues)),
  })
  // The registry asks for the second one if it writes text.
  Object.assign(histogram, { get, getForPromString: get })
  return { observe }

  function observe(match: Match | undefined, method: string, status: number, seconds: number): void {
    let byStatus = byAction.get(match?.action)
    if (!byStatus) byAction.set(match?.action, (byStatus = new Map()))
    const key = method + status
    let series = byStatus.get(key)
    if (!series) {
      const route = match?.route.path ?? 'none'
      series = { labels: { method, route, status }, counts: new Float64Array(BUCKETS.length + 1), sum: 0 }
      byStatus.set(key, series)
    }
    let bucket = 0
    while (seconds > (BUCKETS[bucket] ?? Number.POSITIVE_INFINITY)) bucket++
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
    series.sum += seconds
  }
}

/** Lists what Prometheus knows of a series: the counts up to each bound, their sum and number. */
function listValues({ labels, counts, sum }: Series): Awaited<ReturnType<Histogram['get']>>['values'] {
  let count = 0
  const buckets = Array.from(counts, (inBucket, index) => {
    count += inBucket
    return { metricName: `${NAME}_bucket`, labels: { le: BUCKETS[index] ?? '+Inf', ...labels }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value: count },
  ]
}
