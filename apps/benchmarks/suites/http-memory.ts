import type { Effort } from '../harness/measure.ts'
import type { Row, Table } from '../harness/table.ts'
import { FEW, formatInTurn, get } from '../http/requests.ts'
import { rssAfterAll, soak, soakTable } from '../http/soak.ts'
import { BARE, FASTIFY, FULL, STACK, type Target, withTargets } from '../http/targets.ts'

export const title = 'Memory after a million requests'

// A run takes minutes.
export const once = true

const MIB = 2 ** 20
const CODE = 'packages, schemas, pages and languages are there before the first request'

const SERVERS = [BARE, STACK, FASTIFY, FULL]

/**
 * The servers get the same requests, one server after the other. They have been started before, so
 * that none of them strips types.
 */
export async function* tables({ rounds }: Effort): AsyncIterable<Table> {
  const isShort = rounds < 10
  yield* withTargets(SERVERS, {}, async function* () {})
  yield* withTargets(SERVERS, {}, async function* (targets: readonly Target[]) {
    const rows: Row[] = []
    for (const target of targets)
      rows.push(await soak(target, isShort ? 30_000 : 1_000_000, formatInTurn(await get(FEW)(target))))
    yield soakTable('GET one of few, again and again', rows, {
      id: 'S6',
      what: `RSS of ${FULL}`,
      most: 200 * MIB,
      unit: 'bytes',
      reason: CODE,
      reached: [rssAfterAll(rows, FULL)],
    })
  })
}
