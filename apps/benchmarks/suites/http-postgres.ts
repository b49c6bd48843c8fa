import { startPostgres } from '../../../packages/internal/testing/servers.ts'
import type { Effort } from '../harness/measure.ts'
import type { Table } from '../harness/table.ts'
import { compare } from '../http/compare.ts'
import { employeePaths, FEW, get } from '../http/requests.ts'
import { FULL, POSTGRES, withTargets } from '../http/targets.ts'

export const title = 'On PostgreSQL'

const ROWS = 50_000
const WORK = 'everything that the server does beyond the query: authentication, versions, ETags, links, a log'

const scenarios = [
  {
    name: 'GET one of few',
    note: 'Express reads the row each time. The server asks once per turn whether anything was committed.',
    paths: FEW,
  },
  {
    name: 'GET one of many',
    note: `${ROWS.toLocaleString('en')} employees in turn, each read. The server reads those of one turn together.`,
    paths: employeePaths(1, ROWS),
  },
]

/**
 * The server on PostgreSQL, compared with Express and pg on the same database. Without PostgreSQL
 * it is omitted.
 */
export async function* tables(effort: Effort): AsyncIterable<Table> {
  const postgres = await startPostgres()
  if (!postgres) return
  const setting = { environment: { DATABASE_URL: postgres.url }, rows: ROWS }
  try {
    // The reference server creates the table.
    yield* withTargets([FULL], setting, async function* (server) {
      yield* withTargets([POSTGRES], setting, async function* (peer) {
        for (const { name, note, paths } of scenarios) {
          const goal = { id: 'P', figure: 'cpu', ours: FULL, against: POSTGRES, most: 1.3, reason: WORK } as const
          const scenario = { name, note, status: 200, request: get(paths), goals: [goal] }
          yield await compare(scenario, [...peer, ...server], POSTGRES, effort)
        }
      })
    })
  } finally {
    await postgres.stop()
  }
}
