import type { Goal, Row, Table } from '../harness/table.ts'
import { shoot } from './load.ts'
import type { Target } from './targets.ts'

const CONNECTIONS = 32
const COLUMNS: Table['columns'] = [
  { name: 'requests', unit: 'per second' },
  { name: 'RSS before', unit: 'bytes' },
  { name: 'after a half', unit: 'bytes' },
  { name: 'after all', unit: 'bytes' },
  { name: 'all to a half', unit: 'times' },
  { name: 'each of the second half', unit: 'bytes' },
]

/** Measures the memory of a server before, in the middle of, and after many requests. */
export async function soak(target: Target, requests: number, request: () => string): Promise<Row> {
  const rssAfter = async (count: number): Promise<number> => {
    let left = count
    const { answers } = await shoot(target.port, CONNECTIONS, () => (left-- > 0 ? request() : undefined))
    const errors = [...answers.keys()].filter((status) => status >= 300)
    if (errors.length > 0) throw new Error(`${target.name} responded with ${errors}`)
    return (await target.usage()).rss
  }
  const before = await rssAfter(requests / 100)
  const half = await rssAfter(requests / 2)
  const all = await rssAfter(requests / 2)
  return { name: target.name, figures: [requests, before, half, all, all / half, ((all - half) * 2) / requests] }
}

/** Builds the table of some soaks. */
export function soakTable(name: string, rows: Row[], ...goals: Goal[]): Table {
  return { table: name, columns: COLUMNS, rows, goals }
}

/** Returns the RSS of a server after all requests. */
export function rssAfterAll(rows: readonly Row[], name: string): number {
  return rows.find((row) => row.name === name)?.figures[3] ?? 0
}
