import type { Effort } from '../harness/measure.ts'
import type { Goal, Table } from '../harness/table.ts'
import { compare } from '../http/compare.ts'
import { get, ONE, PAGE } from '../http/requests.ts'
import { FILE, MEMORY, withTargets } from '../http/targets.ts'

export const title = 'What SQLite in a file costs'

const CPU = 3
const READ = 'each read of a file begins a transaction that looks at the index of the log: some system calls'

/** The server with its data in a file beside the same without one. */
export function tables(effort: Effort): AsyncIterable<Table> {
  return withTargets([FILE, MEMORY], {}, async function* (targets) {
    const scenario = { status: 200, goals: [] }
    const one = await compare({ ...scenario, name: 'GET one', request: get(ONE) }, targets, MEMORY, effort)
    yield { ...one, goals: [difference(one, 10_000)] }
    const page = await compare({ ...scenario, name: 'GET page of 20', request: get(PAGE) }, targets, MEMORY, effort)
    yield { ...page, goals: [difference(page, 55_000)] }
  })
}

function difference({ rows }: Table, most: number): Goal {
  const cpuOf = (name: string): number => rows.find((row) => row.name === name)?.figures[CPU] ?? 0
  return {
    id: 'S5',
    what: 'CPU that a file adds',
    most,
    unit: 'time',
    reached: [cpuOf(FILE) - cpuOf(MEMORY)],
    reason: READ,
  }
}
