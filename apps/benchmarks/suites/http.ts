import type { Effort } from '../harness/measure.ts'
import type { Table } from '../harness/table.ts'
import { compare, type Scenario, type ScenarioGoal } from '../http/compare.ts'
import { FEW, get, getAgain, newKey, PAGES, post } from '../http/requests.ts'
import { BARE, FASTIFY, FULL, HONO, NODE, PACKAGES, QUIET, SQLITE, STACK, withTargets } from '../http/targets.ts'

export const title = 'Over HTTP'

const WORK =
  'the server does what the peers omit: versions, ETags and conditions, links by state, deadlines, a correlation id and twenty headers more; and it checks SQLite, while they read a Map'
const DISK = 'the key and the employee are made durable in one transaction; the peers store keys in memory'
const STORED = 'bare Express stores nothing; the key and the employee are made durable in one transaction'
const ALL = 'all six packages are mounted, each as an own middleware that sets its headers before the response'

/** The price of the whole service: CPU of the server with its log to that of bare Express. */
const price = (most: number, reason = WORK): ScenarioGoal => ({
  id: 'P',
  figure: 'cpu',
  ours: FULL,
  against: BARE,
  most,
  reason,
})
/** The price of the six packages in an ordinary app. */
const packages = (most: number): ScenarioGoal => ({
  id: 'P',
  figure: 'cpu',
  ours: PACKAGES,
  against: BARE,
  most,
  reason: ALL,
})
const toBare = (most: number, least: number): ScenarioGoal[] => [
  { id: 'S1', figure: 'cpu', ours: QUIET, against: BARE, most, reason: WORK },
  { id: 'S2', figure: 'perSecond', ours: QUIET, against: BARE, least, reason: WORK },
]
const under: ScenarioGoal[] = [
  { id: 'S2', figure: 'cpu', ours: FULL, against: STACK, most: 0.35, reason: WORK },
  { id: 'S2', figure: 'cpu', ours: FULL, against: FASTIFY, most: 0.45, reason: WORK },
  { id: 'S2', figure: 'cpu', ours: FULL, against: HONO, most: 0.3, reason: WORK },
]
const compressed: ScenarioGoal[] = [
  { id: 'Z1', figure: 'cpu', ours: FULL, against: STACK, most: 0.2, reason: WORK },
  { id: 'S2', figure: 'perSecond', ours: FULL, against: STACK, least: 3, reason: WORK },
]
const durable: ScenarioGoal = { id: 'I2', figure: 'cpu', ours: FULL, against: STACK, most: 0.25, reason: DISK }
const logged: ScenarioGoal = {
  id: 'S4',
  figure: 'extra',
  ours: FULL,
  against: QUIET,
  most: 10_000,
  reason: 'a line contains what the client sent, without secrets, and the result: building and writing it',
}

const ITEMS = 'Ten employees in turn: their encoded items are cached.'
const PAGE_NOTE = 'Three pages in turn, no writes: their encoded pages are cached.'

interface HttpScenario extends Scenario {
  /** The server with node:sqlite has the statements for it. */
  hasStatements?: true
}

const scenarios: HttpScenario[] = [
  {
    name: 'GET one of few',
    note: ITEMS,
    status: 200,
    request: get(FEW),
    goals: [price(1.15), packages(1.4), ...toBare(1, 0.95), ...under, logged],
  },
  {
    name: 'GET page of 20, unchanged',
    note: PAGE_NOTE,
    status: 200,
    request: get(PAGES),
    goals: [price(1), ...toBare(1, 0.9), ...under],
  },
  {
    name: '304 of one',
    note: ITEMS,
    status: 304,
    request: getAgain(FEW),
    goals: [price(1.15), packages(1.2), ...toBare(1, 0.95), ...under],
  },
  { name: '304 of a page', note: PAGE_NOTE, status: 304, request: getAgain(PAGES), goals: [] },
  {
    name: 'GET page of 20, gzip',
    note: PAGE_NOTE,
    status: 200,
    goals: compressed,
    request: get(PAGES, { 'accept-encoding': 'gzip' }),
  },
  {
    name: 'GET page of 20, br',
    note: PAGE_NOTE,
    status: 200,
    goals: compressed,
    request: get(PAGES, { 'accept-encoding': 'br' }),
  },
  {
    name: 'POST with an Idempotency-Key',
    note: 'Durable (a file, synchronous = full) in the reference server, in the usual stack, and with node:sqlite, which runs the statements of the reference server and nothing else; in memory elsewhere.',
    status: 201,
    hasStatements: true,
    request: post(newKey),
    goals: [price(2.2, STORED), ...toBare(1.2, 0.9), durable],
  },
  { name: 'POST replayed', status: 201, request: post(() => '"the-same-key"'), goals: [durable] },
]

export function tables(effort: Effort): AsyncIterable<Table> {
  return withTargets([NODE, BARE, SQLITE, PACKAGES, STACK, FASTIFY, HONO, QUIET, FULL], {}, async function* (targets) {
    const withoutStatements = targets.filter(({ name }) => name !== SQLITE)
    for (const scenario of scenarios)
      if (scenario.name.includes(effort.only))
        yield await compare(scenario, scenario.hasStatements ? targets : withoutStatements, BARE, effort)
  })
}
