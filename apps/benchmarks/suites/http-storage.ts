import type { Effort } from '../harness/measure.ts'
import type { Table } from '../harness/table.ts'
import { compare, type ScenarioGoal } from '../http/compare.ts'
import { get, ONE, PAGE } from '../http/requests.ts'
import { FILE, MEMORY, withTargets } from '../http/targets.ts'

export const title = 'What SQLite in a file costs'

const READ = 'each read of a file begins a transaction that looks at the index of the log: some system calls'

const extra = (most: number): ScenarioGoal[] => [
  { id: 'S5', figure: 'extra', ours: FILE, against: MEMORY, most, reason: READ },
]

/** Compares the server with its data in a file to the server with its data in memory. */
export function tables(effort: Effort): AsyncIterable<Table> {
  return withTargets([FILE, MEMORY], {}, async function* (targets) {
    const item = { name: 'GET one', status: 200, request: get(ONE), goals: extra(10_000) }
    yield await compare(item, targets, MEMORY, effort)
    const page = { name: 'GET page of 20', status: 200, request: get(PAGE), goals: extra(55_000) }
    yield await compare(page, targets, MEMORY, effort)
  })
}
