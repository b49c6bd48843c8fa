import type { Effort } from '../harness/measure.ts'
import type { Table } from '../harness/table.ts'
import { compare } from '../http/compare.ts'
import { employeePaths, get, getAgain } from '../http/requests.ts'
import { BARE, FASTIFY, FULL, HONO, PACKAGES, STACK, withTargets } from '../http/targets.ts'

export const title = 'More employees than are cached'

const ROWS = 50_000
const READS = 'the row is read and encoded again, while bare Express finds a ready object in a Map'

/** Every employee in turn: each one has left all caches when it is requested again. */
export function tables(effort: Effort): AsyncIterable<Table> {
  const paths = employeePaths(1, ROWS)
  const note = `${ROWS.toLocaleString('en')} employees in turn: no encoded item is cached.`
  return withTargets([BARE, PACKAGES, STACK, FASTIFY, HONO, FULL], { rows: ROWS }, async function* (targets) {
    yield await compare(
      {
        name: 'GET one of many',
        note,
        status: 200,
        request: get(paths),
        goals: [{ id: 'P', figure: 'cpu', ours: FULL, against: BARE, most: 1.5, reason: READS }],
      },
      targets,
      BARE,
      effort,
    )
    // Only the first ones have a condition: asking for all would take longer than the measurement.
    const name = '304 of one of 2,000'
    yield await compare(
      { name, status: 304, request: getAgain(paths.slice(0, 2000)), goals: [] },
      targets,
      BARE,
      effort,
    )
  })
}
