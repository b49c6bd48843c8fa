import { startPostgres } from '../../../packages/internal/testing/servers.ts'
import type { Effort } from '../harness/measure.ts'
import type { Table } from '../harness/table.ts'
import { compare } from '../http/compare.ts'
import { FEW, get } from '../http/requests.ts'
import { FULL, POSTGRES, withTargets } from '../http/targets.ts'

export const title = 'On PostgreSQL'

const WORK = 'everything that the server does beyond the query: authentication, versions, ETags, links, a log'

/** The server on PostgreSQL, compared with Express and pg on the same database. Without PostgreSQL it is omitted. */
export async function* tables(effort: Effort): AsyncIterable<Table> {
  const postgres = await startPostgres()
  if (!postgres) return
  const setting = { environment: { DATABASE_URL: postgres.url } }
  try {
    // The reference server creates the table.
    yield* withTargets([FULL], setting, async function* (server) {
      yield* withTargets([POSTGRES], setting, async function* (peer) {
        yield await compare(
          {
            name: 'GET one of few',
            note: 'The same query by id in both, prepared. Nothing is cached: each response has read its row.',
            status: 200,
            request: get(FEW),
            goals: [{ id: 'P', figure: 'cpu', ours: FULL, against: POSTGRES, most: 1.3, reason: WORK }],
          },
          [...peer, ...server],
          POSTGRES,
          effort,
        )
      })
    })
  } finally {
    await postgres.stop()
  }
}
