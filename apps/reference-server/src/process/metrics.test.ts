import { Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import type { RouteMatch } from '../engine/route.ts'
import { requestDurations } from './metrics.ts'

type Observation = [match: RouteMatch | undefined, method: string, status: number, seconds: number]

const one = { action: {}, route: { path: '/employees/{id}' } } as RouteMatch
const page = { action: {}, route: { path: '/employees' } } as RouteMatch

test('looks to Prometheus like the histogram of prom-client', async () => {
  const observations: Observation[] = [
    [one, 'GET', 200, 0],
    [one, 'GET', 200, 0.001],
    [one, 'GET', 200, 0.0011],
    [one, 'GET', 404, 10],
    [one, 'HEAD', 200, 10.5],
    [page, 'GET', 200, 0.25],
    [undefined, 'none', 404, 0.002],
    [one, 'GET', 200, 3],
  ]
  const [ours, theirs] = [new Registry(), new Registry()]
  const durations = requestDurations(ours)
  const histogram = new Histogram({
    name: 'svc_request_seconds',
    help: 'Time from the first stage to the end of the response',
    registers: [theirs],
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  })
  for (const [match, method, status, seconds] of observations) {
    durations.observe(match, method, status, seconds)
    histogram.observe({ method, route: match?.route.path ?? 'none', status }, seconds)
  }
  expect(sorted(await ours.metrics())).toEqual(sorted(await theirs.metrics()))
})

// Neither labels nor series have an order.
function sorted(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').sort().join(',')}}`))
    .sort()
}
