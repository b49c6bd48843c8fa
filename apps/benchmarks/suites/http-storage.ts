import type { Effort } from '../harness/measure.ts'
import type { Table } from '../harness/table.ts'
import { compare, difference } from '../http/compare.ts'
import { get, ONE, PAGE } from '../http/requests.ts'
import { FILE, MEMORY, withTargets } from '../http/targets.ts'

export const title = 'What SQLite in a file costs'

const READ = 'each read of a file begins a transaction that looks at the index of the log: some system calls'

/** The server with its data in a file beside the same without one. */
export function tables(effort: Effort): AsyncIterable<Table> {
  return withTargets([FILE, MEMORY], {}, async function* (targets) {
    const scenario = { status: 200, goals: [] }
    const one = await compare({ ...scenario, name: 'GET one', request: get(ONE) }, targets, MEMORY, effort)
    yield { ...one, goals: [difference(one, { id: 'S5', most: 10_000, reason: READ }, FILE, MEMORY)] }
    const page = await compare({ ...scenario, name: 'GET page of 20', request: get(PAGE) }, targets, MEMORY, effort)
    yield { ...page, goals: [difference(page, { id: 'S5', most: 55_000, reason: READ }, FILE, MEMORY)] }
  })
}
