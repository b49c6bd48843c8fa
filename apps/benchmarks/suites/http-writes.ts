import type { Effort } from '../harness/measure.ts'
import { computeRatio, spread, type Table } from '../harness/table.ts'
import { CONNECTIONS, type Sample, sample } from '../http/compare.ts'
import type { Span } from '../http/load.ts'
import { change, formatInTurn, get, PAGE } from '../http/requests.ts'
import { BARE, FULL, PACKAGES, STACK, type Target, withTargets } from '../http/targets.ts'

export const title = 'Pages behind writes'

interface Costs {
  name: string
  /** Nanoseconds of CPU in each round. */
  writes: number[]
  pages: number[]
}

const ENCODES = 'the page is read and joined again, and the changed item encoded, while bare Express has ready objects'

/**
 * A page of 20 after a PATCH of one of its employees, each time. A server is asked for changes
 * only, and for changes and pages in turn; the difference is what the pages cost. Half of the
 * connections send only changes: a server that commits what arrives together has as much to
 * commit then.
 */
export function tables(effort: Effort): AsyncIterable<Table> {
  return withTargets([BARE, PACKAGES, STACK, FULL], {}, async function* (targets) {
    const ms = Math.max(effort.slice * 20, 200)
    const servers = await Promise.all(targets.map(prepare))
    for (const { warmUp } of servers) await warmUp(effort.warmUp)
    const costs: Costs[] = servers.map(({ name }) => ({ name, writes: [], pages: [] }))
    for (let round = 0; round < effort.rounds; round++) {
      for (const [index, { take }] of servers.entries()) {
        const { write, page } = await take(ms)
        costs[index]?.writes.push(write)
        costs[index]?.pages.push(page)
      }
    }
    yield toTable(costs)
  })
}

async function prepare(target: Target) {
  const write = formatInTurn(await change()(target))
  const read = formatInTurn(await get(PAGE)(target))
  let turn = 0
  const inTurn = (): string => (turn++ % 2 === 0 ? write() : read())
  const take = async (ms: number): Promise<{ write: number; page: number }> => {
    const writes = await sample(target, write, [200], ms / 2, CONNECTIONS / 2)
    const both = await sample(target, inTurn, [200], ms)
    return { write: writes.cpu * 1000, page: (2 * both.cpu - writes.cpu) * 1000 }
  }
  const warmUp = (span: Span): Promise<Sample> => sample(target, inTurn, [200], span)
  return { name: target.name, warmUp, take }
}

function toTable(costs: readonly Costs[]): Table {
  const of = (name: string, what: 'writes' | 'pages'): number[] =>
    costs.find((server) => server.name === name)?.[what] ?? []
  return {
    table: 'GET page of 20 behind a PATCH of one of its items',
    note: 'The other 19 items are cached, the page is not.',
    columns: [
      { name: 'CPU of a page', unit: 'time' },
      { name: `to ${BARE}`, unit: 'times' },
      { name: 'CPU of a PATCH', unit: 'time' },
      { name: `to ${BARE}`, unit: 'times' },
    ],
    rows: costs.map(({ name, writes, pages }) => ({
      name,
      figures: [
        spread(pages).median,
        computeRatio(pages, of(BARE, 'pages')),
        spread(writes).median,
        computeRatio(writes, of(BARE, 'writes')),
      ],
    })),
    goals: [
      {
        id: 'P',
        what: `CPU of a page of ${FULL} to ${BARE}`,
        unit: 'times',
        most: 1.8,
        reason: ENCODES,
        reached: [computeRatio(of(FULL, 'pages'), of(BARE, 'pages'))],
      },
    ],
  }
}
