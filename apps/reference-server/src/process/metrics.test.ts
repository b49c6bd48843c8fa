import { Histogram, Registry } from 'prom-client'
import { expect, test, vi } from 'vitest'
import type { RequestState } from '../engine/request-state.ts'
import { InFlight } from '../http/in-flight.ts'
import { createMetrics } from './metrics.ts'

const requests: [path: string | undefined, method: string, status: number, ms: number][] = [
  ['/employees', 'GET', 200, 0.25],
  ['/employees', 'GET', 200, 1],
  ['/employees', 'GET', 200, 2],
  ['/employees', 'HEAD', 200, 40],
  ['/employees', 'GET', 304, 0],
  ['/employees/{id}', 'GET', 200, 20_000],
  [undefined, 'GET', 404, 512],
  [undefined, 'BREW', 404, 1024],
  ['/employees', 'GET', 200, 9999],
]

test('writes what a histogram of prom-client writes of the same requests', async () => {
  const { registry, measure } = createMetrics({ inFlight: new InFlight() })
  const expected = new Registry()
  const histogram = new Histogram({
    name: 'svc_request_seconds',
    help: 'Time from the first stage to the end of the response',
    registers: [expected],
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  })
  const routes = new Map(requests.map(([path]) => [path, { path }]))
  vi.spyOn(performance, 'now').mockReturnValue(0)
  for (const [path, method, statusCode, ms] of requests) {
    const match = path === undefined ? undefined : { route: routes.get(path) }
    measure({ res: { statusCode }, method, match, startedAt: -ms } as unknown as RequestState)
    const labels = { method: match ? method : 'none', route: path ?? 'none', status: statusCode }
    histogram.observe(labels, ms / 1000)
  }
  const text = await registry.getSingleMetricAsString('svc_request_seconds')
  expect(text.split('\n').sort()).toEqual(
    (await expected.getSingleMetricAsString('svc_request_seconds')).split('\n').sort(),
  )
  const [json] = (await registry.getMetricsAsJSON()).filter(({ name }) => name === 'svc_request_seconds')
  expect(json).toMatchObject({
    values: expect.arrayContaining([expect.objectContaining({ labels: expect.any(Object) })]),
  })

  registry.resetMetrics()
  expect(await registry.getSingleMetricAsString('svc_request_seconds')).not.toContain('employees')
  vi.restoreAllMocks()
})
