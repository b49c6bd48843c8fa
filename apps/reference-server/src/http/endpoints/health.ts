import type { Database } from '../../database/database.ts'
import { type RecordAnswer, recordRoute } from '../../engine/record-route.ts'
import type { Route } from '../../engine/route.ts'
import type { ServiceState } from '../service-state.ts'

/** What the service says about itself; details are for callers with `health:read`. */
export function healthRoutes(database: Database, state: ServiceState): Route[] {
  const report = async (isDetailed: boolean): Promise<RecordAnswer> => {
    const { isReady, checks } = await readiness(database, state)
    const value = { status: isReady ? 'pass' : 'fail', ...(isDetailed && { checks }) }
    return { status: isReady ? 200 : 503, value }
  }
  return [
    recordRoute('/health', 'health', 'never', ({ caller }) => report(caller?.scopes.has('health:read') ?? false)),
    recordRoute('/health/live', 'health', 'never', () => ({ value: { status: 'pass' } })),
    recordRoute('/health/ready', 'health', 'never', () => report(false)),
  ]
}

/** Whether requests can be served now, and what was looked at. */
export async function readiness(
  database: Database,
  { draining, hasSharedCounters }: ServiceState,
): Promise<{ isReady: boolean; checks: Record<string, unknown> }> {
  const start = performance.now()
  const isUp = await database.ping().then(
    () => true,
    () => false,
  )
  const time = new Date().toISOString()
  const observedValue = Math.round((performance.now() - start) * 100) / 100
  const store = { componentType: 'datastore', observedValue, observedUnit: 'ms', status: isUp ? 'pass' : 'fail', time }
  // Without them limits hold in each process: that is worth a warning, and no reason to send nobody here.
  const counters = hasSharedCounters && { status: hasSharedCounters() ? 'pass' : 'warn', time }
  const checks = { 'store:responseTime': [store], ...(counters && { 'sharedCounters:reachable': [counters] }) }
  return { isReady: isUp && !draining, checks }
}
