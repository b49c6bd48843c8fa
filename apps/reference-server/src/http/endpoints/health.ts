import type { Database } from '../../database/connection.ts'
import { type Payload, type RecordAnswer, type Route, recordRoute } from '../../engine/route.ts'
import type { ServiceState } from '../dependencies.ts'
import { withDeadline } from '../pipeline.ts'

// Shorter than most balancers wait.
const MAX_PING_MS = 3000

const STATUS = { type: 'string', enum: ['pass', 'warn', 'fail'] }

const gives: Payload = {
  name: 'Health',
  schema: {
    type: 'object',
    properties: {
      status: { ...STATUS, description: 'Whether the service can serve requests.' },
      checks: {
        type: 'object',
        description: 'Results by what was checked.',
        additionalProperties: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              componentType: { type: 'string', description: 'Kind of component.' },
              observedValue: { type: 'number', description: 'What was measured.' },
              observedUnit: { type: 'string', description: 'Unit of the measurement.' },
              status: { ...STATUS, description: 'Result of the check.' },
              time: { type: 'string', format: 'date-time', description: 'When it was checked.' },
            },
            required: ['status', 'time'],
          },
        },
      },
    },
    required: ['status'],
  },
  example: { status: 'pass' },
}

const info = { record: 'health', cache: 'never', tag: 'health', gives } as const

/** Creates the routes for the health of the service. Details need `health:read`. */
export function healthRoutes(database: Database, state: ServiceState): Route[] {
  const report = async (isDetailed: boolean): Promise<RecordAnswer> => {
    const { isReady, checks } = await readiness(database, state)
    const value = { status: isReady ? 'pass' : 'fail', ...(isDetailed && { checks }) }
    return { status: isReady ? 200 : 503, value }
  }
  return [
    recordRoute(
      '/health',
      {
        ...info,
        operationId: 'getHealth',
        summary: 'Get the health of the service',
        description:
          'Returns whether the service can serve requests; with the scope `health:read` also what was checked.',
        otherStatuses: [503],
      },
      ({ caller }) => report(caller?.scopes.has('health:read') ?? false),
    ),
    recordRoute(
      '/health/live',
      {
        ...info,
        operationId: 'getLiveness',
        summary: 'Check that the process is alive',
        description: 'Returns 200 as long as the process runs.',
      },
      () => ({ value: { status: 'pass' } }),
    ),
    recordRoute(
      '/health/ready',
      {
        ...info,
        operationId: 'getReadiness',
        summary: 'Check that the service is ready',
        description:
          'Returns 200 if the service can serve requests, and 503 while it starts, stops or has no database.',
        otherStatuses: [503],
      },
      () => report(false),
    ),
  ]
}

/** Whether requests can be served now, and what was looked at. */
export async function readiness(
  database: Database,
  { draining, hasSharedCounters }: ServiceState,
): Promise<{ isReady: boolean; checks: Record<string, unknown> }> {
  const start = performance.now()
  let isUp = true
  try {
    await withDeadline(MAX_PING_MS, () => database.ping())
  } catch {
    isUp = false
  }
  const time = new Date().toISOString()
  const observedValue = Math.round((performance.now() - start) * 100) / 100
  const store = { componentType: 'datastore', observedValue, observedUnit: 'ms', status: isUp ? 'pass' : 'fail', time }
  // Without shared counters, limits apply per process: that is a warning, but the service stays
  // ready.
  const counters = hasSharedCounters && { status: hasSharedCounters() ? 'pass' : 'warn', time }
  const checks = { 'store:responseTime': [store], ...(counters && { 'sharedCounters:reachable': [counters] }) }
  return { isReady: isUp && !draining, checks }
}
