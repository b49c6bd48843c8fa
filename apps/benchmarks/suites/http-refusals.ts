import type { Effort } from '../harness/measure.ts'
import type { Table } from '../harness/table.ts'
import { compare, type Scenario, type ScenarioGoal } from '../http/compare.ts'
import { get, MISSING, ONE, post } from '../http/requests.ts'
import { BARE, ERRORS, FASTIFY, FULL, HONO, QUIET, STACK, withTargets } from '../http/targets.ts'

export const title = 'Rejections over HTTP'

const FIELDS =
  'each error response has all headers of security, versions and correlation, and a record in the language of the client'

const toErrors: ScenarioGoal = { id: 'R2', figure: 'cpu', ours: QUIET, against: ERRORS, most: 1, reason: FIELDS }
const toBare = (most: number): ScenarioGoal => ({
  id: 'P',
  figure: 'cpu',
  ours: FULL,
  against: BARE,
  most,
  reason: FIELDS,
})
const toStack = (most: number): ScenarioGoal => ({
  id: 'S3',
  figure: 'cpu',
  ours: FULL,
  against: STACK,
  most,
  reason: FIELDS,
})

const scenarios: Scenario[] = [
  {
    name: '401, a token that is none',
    status: 401,
    goals: [toBare(1.3), toStack(0.5)],
    request: get(ONE, { authorization: 'Bearer abc.def.ghi' }),
  },
  { name: '404', status: 404, request: get(MISSING), goals: [toBare(1.3), toErrors] },
  {
    name: '406',
    status: 406,
    request: get(ONE, { accept: 'image/png' }),
    goals: [toBare(1.3), toErrors, toStack(0.5)],
  },
  {
    name: '422, a manager that is none',
    status: 422,
    request: post(undefined, { managerId: 999_999 }),
    goals: [toErrors],
  },
]

const tooMany: Scenario = {
  name: '429',
  status: 429,
  statusOf: { [BARE]: 200 },
  note: 'Compared with bare Express 5, which has no limit and returns 200.',
  request: async (target) => {
    const request = await get(ONE, { authorization: undefined })(target)
    // What the limit lets through.
    for (let attempt = 0; attempt < 2; attempt++)
      await fetch(`http://127.0.0.1:${target.port}${ONE}`, { headers: request.fields(0) })
    return request
  },
  goals: [toStack(0.6), toBare(1.2)],
}

export async function* tables(effort: Effort): AsyncIterable<Table> {
  yield* withTargets([BARE, ERRORS, STACK, FASTIFY, HONO, QUIET, FULL], {}, async function* (targets) {
    for (const scenario of scenarios)
      if (scenario.name.includes(effort.only)) yield await compare(scenario, targets, BARE, effort)
  })
  yield* withTargets([BARE, STACK, FASTIFY, HONO, FULL], { limit: 1 }, async function* (targets) {
    if (tooMany.name.includes(effort.only)) yield await compare(tooMany, targets, BARE, effort)
  })
}
