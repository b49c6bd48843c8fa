import type { Effort } from '../harness/measure.ts'
import type { Goal, Row, Table } from '../harness/table.ts'
import { FEW, formatInTurn, get } from '../http/requests.ts'
import { rssAfterAll, soak, soakTable } from '../http/soak.ts'
import { BARE, FASTIFY, FULL, STACK, type Target, withTargets } from '../http/targets.ts'

export const title = 'Memory after a million requests'

// A run takes minutes.
export const once = true

const MIB = 2 ** 20
const CODE = 'packages, schemas, pages and languages are there before the first request'

const SERVERS = [BARE, STACK, FASTIFY, FULL]
// As in the Dockerfile of the reference server.
const CONTAINER = { MALLOC_MMAP_THRESHOLD_: '1048576', NODE_OPTIONS: '--max-semi-space-size=16' }
const NOTE = `All servers have the settings of the container: ${Object.entries(CONTAINER)
  .map(([name, value]) => `\`${name}=${value}\``)
  .join(', ')}.`

/**
 * The servers get the same requests, one server after the other. They have been started before, so
 * that none of them strips types.
 */
export async function* tables({ rounds }: Effort): AsyncIterable<Table> {
  const count = rounds < 10 ? 30_000 : 1_000_000
  yield* withTargets(SERVERS, {}, async function* () {})
  const soakAll = async function* (targets: readonly Target[]): AsyncIterable<Row[]> {
    const rows: Row[] = []
    for (const target of targets) rows.push(await soak(target, count, formatInTurn(await get(FEW)(target))))
    yield rows
  }
  for await (const rows of withTargets(SERVERS, { environment: CONTAINER }, soakAll)) {
    const goal: Goal = {
      id: 'S6',
      what: `RSS of ${FULL}`,
      most: 200 * MIB,
      unit: 'bytes',
      reason: CODE,
      reached: [rssAfterAll(rows, FULL)],
    }
    yield { ...soakTable('GET one of few, again and again', rows, goal), note: NOTE }
  }
  for await (const rows of withTargets([FULL], {}, soakAll))
    yield soakTable('GET one of few, with the defaults of Node.js and of the C library', rows)
}
