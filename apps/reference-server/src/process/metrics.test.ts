import { Histogram, Registry } from 'prom-client'
import { afterEach, expect, test, vi } from 'vitest'
import type { RequestState } from '../engine/request-state.ts'
import { measureDurations } from './metrics.ts'

const one = { action: {}, route: { path: '/employees/{id}' } }
const page = { action: {}, route: { path: '/employees' } }

afterEach(() => vi.restoreAllMocks())

test('looks to Prometheus like the histogram of prom-client', async () => {
  const requests = [
    { match: one, method: 'GET', status: 200, seconds: 0 },
    { match: one, method: 'GET', status: 200, seconds: 0.001 },
    { match: one, method: 'GET', status: 200, seconds: 0.0011 },
    { match: one, method: 'GET', status: 404, seconds: 10 },
    { match: one, method: 'HEAD', status: 200, seconds: 10.5 },
    { match: page, method: 'GET', status: 200, seconds: 0.25 },
    { match: undefined, method: 'GET', status: 404, seconds: 0.002 },
    { match: undefined, method: 'PROPFIND', status: 404, seconds: 0.25 },
    { match: one, method: 'GET', status: 200, seconds: 3 },
  ]
  const [ours, theirs] = [new Registry(), new Registry()]
  const measure = measureDurations(ours)
  const histogram = new Histogram({
    name: 'svc_request_seconds',
    help: 'Time from the first stage to the end of the response',
    registers: [theirs],
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  })
  for (const { match, method, status, seconds } of requests) {
    vi.spyOn(performance, 'now').mockReturnValue(seconds * 1000)
    measure({ match, method, res: { statusCode: status }, startedAt: 0 } as unknown as RequestState)
    histogram.observe({ method: match ? method : 'none', route: match?.route.path ?? 'none', status }, seconds)
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
