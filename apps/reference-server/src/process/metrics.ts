import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Action } from '../engine/route.ts'
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
      this.set(state.inFlight.length)
    },
  })
  return { registry, measure: measureDurations(registry) }
}

const NAME = 'svc_request_seconds'
/** Upper bounds of the buckets, in seconds. */
const BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]

interface Series {
  labels: Readonly<Record<string, string | number>>
  /** Number of durations by bucket; the last one has no upper bound. */
  counts: Float64Array
  sum: number
}

/**
 * Adds a histogram of the durations of requests, which prom-client reads when it is asked, and
 * returns what counts them. The histogram of prom-client looks the labels of each observation up by
 * their text, which is a fiftieth of the CPU of a request.
 */
export function measureDurations(registry: Registry): Observer {
  const byAction = new Map<Action | undefined, Map<string, Series>>()
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
  return ({ res, method, match, startedAt }) => {
    const seconds = (performance.now() - startedAt) / 1000
    let byStatus = byAction.get(match?.action)
    if (!byStatus) byAction.set(match?.action, (byStatus = new Map()))
    // Any method can be sent to a path that does not exist.
    const label = match ? method : 'none'
    const status = res.statusCode
    const key = label + status
    let series = byStatus.get(key)
    if (!series) {
      const labels = { method: label, route: match?.route.path ?? 'none', status }
      series = { labels, counts: new Float64Array(BUCKETS.length + 1), sum: 0 }
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
