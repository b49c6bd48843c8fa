import { startPostgres } from '../../../packages/internal/testing/servers.ts'
import type { Effort } from '../harness/measure.ts'
import type { Table } from '../harness/table.ts'
import { compare } from '../http/compare.ts'
import { get, ONE, PAGE } from '../http/requests.ts'
import { BARE, QUIET, type Setting, STACK, type Target, withTargets } from '../http/targets.ts'

export const title = 'Several processes'

// One run tells enough: no goal is judged by it.
export const once = true

const PROCESSES = 2
const SERVERS = [BARE, STACK, QUIET]

/**
 * Compares one process with several behind one port, by `node:cluster`. The reference server runs
 * on PostgreSQL, as intended.
 */
export async function* tables(effort: Effort): AsyncIterable<Table> {
  const postgres = await startPostgres()
  if (!postgres) return
  const environment = { DATABASE_URL: postgres.url }
  const single: Setting = { environment }
  // The first server has filled the database.
  const several: Setting = { environment: { ...environment, BENCH_SEEDED: 'yes' }, processes: PROCESSES }
  try {
    yield* withTargets(SERVERS, single, async function* (alone) {
      yield* withTargets(SERVERS, several, (together) => both(effort, [...alone, ...together.map(named)]))
    })
  } finally {
    await postgres.stop()
  }
}

async function* both(effort: Effort, targets: readonly Target[]): AsyncIterable<Table> {
  const note = `${PROCESSES} processes, the client and PostgreSQL share the processors of this machine.`
  const scenario = { status: 200, goals: [], note }
  yield await compare({ ...scenario, name: 'GET one', request: get(ONE) }, targets, BARE, effort)
  yield await compare({ ...scenario, name: 'GET page of 20', request: get(PAGE) }, targets, BARE, effort)
}

function named(target: Target): Target {
  return { ...target, name: `${target.name}, ${PROCESSES} processes` }
}
