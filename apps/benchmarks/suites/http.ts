import type { Effort } from '../harness/measure.ts'
import type { Table } from '../harness/table.ts'
import { compare, type Scenario, type ScenarioGoal } from '../http/compare.ts'
import { get, getAgain, newKey, ONE, PAGE, post } from '../http/requests.ts'
import { BARE, FASTIFY, FULL, HONO, NODE, QUIET, STACK, withTargets } from '../http/targets.ts'

export const title = 'Over HTTP'

const WORK =
  'the server does what the peers leave out: versions, tags and conditions, links by state, deadlines, a correlation id and twenty fields more; and it reads its rows from SQLite, where they have them in memory'
const DISK = 'the key and the employee are made durable in one transaction; the peers keep keys in memory'

const beside = (most: number, least: number): ScenarioGoal[] => [
  { id: 'S1', figure: 'cpu', ours: QUIET, against: BARE, most, reason: WORK },
  { id: 'S2', figure: 'perSecond', ours: QUIET, against: BARE, least, reason: WORK },
]
const under: ScenarioGoal[] = [
  { id: 'S2', figure: 'cpu', ours: FULL, against: STACK, most: 0.4, reason: WORK },
  { id: 'S2', figure: 'cpu', ours: FULL, against: FASTIFY, most: 0.6, reason: WORK },
  { id: 'S2', figure: 'cpu', ours: FULL, against: HONO, most: 0.3, reason: WORK },
]
const compressed: ScenarioGoal[] = [
  { id: 'Z1', figure: 'cpu', ours: FULL, against: STACK, most: 0.25, reason: WORK },
  { id: 'S2', figure: 'perSecond', ours: FULL, against: STACK, least: 3, reason: WORK },
]
const kept: ScenarioGoal = { id: 'I2', figure: 'cpu', ours: FULL, against: STACK, most: 0.25, reason: DISK }
const logged: ScenarioGoal = {
  ...{ id: 'S4', figure: 'extra', ours: FULL, against: QUIET, most: 10_000 },
  reason: 'a line holds what the caller sent, without secrets, and what came of it: building and writing it',
}

const scenarios: Scenario[] = [
  { name: 'GET one', status: 200, request: get(ONE), goals: [...beside(1, 0.95), ...under, logged] },
  { name: 'GET page of 20', status: 200, request: get(PAGE), goals: [...beside(1, 0.9), ...under] },
  { name: 'conditional GET, 304', status: 304, request: getAgain(ONE), goals: [...beside(1, 0.95), ...under] },
  { name: 'GET page of 20, gzip', status: 200, request: get(PAGE, { 'accept-encoding': 'gzip' }), goals: compressed },
  { name: 'GET page of 20, br', status: 200, request: get(PAGE, { 'accept-encoding': 'br' }), goals: compressed },
  { name: 'POST with an Idempotency-Key', status: 201, request: post(newKey), goals: [...beside(1.2, 0.9), kept] },
  { name: 'POST replayed', status: 201, request: post(() => '"the-same-key"'), goals: [kept] },
]

export function tables(effort: Effort): AsyncIterable<Table> {
  return withTargets([NODE, BARE, STACK, FASTIFY, HONO, QUIET, FULL], {}, async function* (targets) {
    for (const scenario of scenarios)
      if (scenario.name.includes(effort.only)) yield await compare(scenario, targets, BARE, effort)
  })
}
