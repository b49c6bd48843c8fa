import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import autocannon from 'autocannon'
import { shoot } from '../http/load.ts'
import type { Ready } from '../http/serve.ts'
import { type Effort, ratioOf, spread } from '../measure.ts'
import type { Table } from '../report.ts'

export const title = 'Over HTTP'

interface Target {
  name: string
  child: ChildProcess
  port: number
  fields: Record<string, string>
}

interface Sample {
  perSecond: number
  cpu: number
}

interface Request {
  method: string
  path: string
  fields: () => Record<string, string>
  body?: string
}

interface Scenario {
  name: string
  /** What must come back; a server that answers otherwise is left out. */
  status: number
  request: (target: Target) => Promise<Request> | Request
  goals: [id: string, figure: keyof Sample, ours: string, against: string, ratio: number][]
}

const NODE = 'node:http'
const BARE = 'Express 5, bare'
const STACK = 'Express 5 and its usual packages'
const FASTIFY = 'Fastify and its plugins'
const HONO = 'Hono and its middlewares'
const FULL = '@svc/reference-server with its log'
const QUIET = '@svc/reference-server without a log'

const SERVERS: Record<string, [file: string, argument?: string]> = {
  [NODE]: ['node-http'],
  [BARE]: ['express-bare'],
  [STACK]: ['express-stack'],
  [FASTIFY]: ['fastify-stack'],
  [HONO]: ['hono-stack'],
  [QUIET]: ['reference', 'silent'],
  [FULL]: ['reference'],
}

const CONNECTIONS = 32
const WARM_UP_MS = 1500
const page = '/employees?page=1&size=20'
const created = JSON.stringify({
  name: 'Grace Hopper',
  department: 'Engineering',
  salary: 5000,
  city: 'Paris',
  managerId: 1,
})
let keys = 0

const get = (path: string, own: Record<string, string> = {}): Scenario['request'] => {
  return ({ fields }) => ({ method: 'GET', path, fields: () => ({ ...fields, ...own }) })
}

/** A conditional request with the tag that this server gave. */
async function conditional({ port, fields }: Target): Promise<Request> {
  const response = await fetch(`http://127.0.0.1:${port}/employees/7`, { headers: fields })
  await response.arrayBuffer()
  const tag = response.headers.get('etag') ?? '"none"'
  return { method: 'GET', path: '/employees/7', fields: () => ({ ...fields, 'if-none-match': tag }) }
}

function post(key: () => string): Scenario['request'] {
  const length = String(Buffer.byteLength(created))
  return ({ fields }) => ({
    ...{ method: 'POST', path: '/employees', body: created },
    fields: () => ({
      ...fields,
      'content-type': 'application/json',
      'content-length': length,
      'idempotency-key': key(),
    }),
  })
}

const beside = (ratio: number): Scenario['goals'][number] => ['S2', 'perSecond', QUIET, BARE, ratio]
const under: Scenario['goals'] = [
  ['S2', 'cpu', FULL, STACK, 0.4],
  ['S2', 'cpu', FULL, FASTIFY, 0.6],
  ['S2', 'cpu', FULL, HONO, 0.3],
]

const scenarios: Scenario[] = [
  {
    ...{ name: 'GET one', status: 200, request: get('/employees/7') },
    goals: [['S1', 'cpu', QUIET, BARE, 1], beside(0.95), ...under],
  },
  {
    name: 'GET page of 20',
    status: 200,
    request: get(page),
    goals: [['S1', 'cpu', QUIET, BARE, 1], beside(0.9), ...under],
  },
  {
    ...{ name: 'conditional GET, 304', status: 304, request: conditional },
    goals: [['S1', 'cpu', QUIET, BARE, 1], beside(0.95), ...under],
  },
  {
    ...{ name: 'GET page of 20, gzip', status: 200, request: get(page, { 'accept-encoding': 'gzip' }) },
    goals: [
      ['Z1', 'cpu', FULL, STACK, 0.25],
      ['S2', 'perSecond', FULL, STACK, 3],
    ],
  },
  {
    ...{ name: 'GET page of 20, br', status: 200, request: get(page, { 'accept-encoding': 'br' }) },
    goals: [
      ['Z1', 'cpu', FULL, STACK, 0.25],
      ['S2', 'perSecond', FULL, STACK, 3],
    ],
  },
  {
    ...{ name: 'POST with an Idempotency-Key', status: 201, request: post(() => `"bench-${process.pid}-${keys++}"`) },
    goals: [['S1', 'cpu', QUIET, BARE, 1.2], beside(0.9), ['I2', 'cpu', FULL, STACK, 0.25]],
  },
  {
    ...{ name: 'POST replayed', status: 201, request: post(() => '"the-same-key"') },
    goals: [['I2', 'cpu', FULL, STACK, 0.25]],
  },
  {
    ...{ name: '401, a token that is none', status: 401 },
    request: get('/employees/7', { authorization: 'Bearer abc.def.ghi' }),
    goals: [['S3', 'cpu', FULL, STACK, 0.5]],
  },
  {
    ...{ name: '404', status: 404, request: get('/employees/999999') },
    goals: [['R2', 'cpu', QUIET, BARE, 1]],
  },
  {
    ...{ name: '406', status: 406, request: get('/employees/7', { accept: 'image/png' }) },
    goals: [['S3', 'cpu', FULL, STACK, 0.5]],
  },
]

export async function* tables({ rounds, slice, only }: Effort): AsyncIterable<Table> {
  const targets = await Promise.all(Object.keys(SERVERS).map(startTarget))
  try {
    const ms = slice * 15
    const wanted = scenarios.filter(({ name }) => name.includes(only))
    for (const scenario of wanted) yield await compare(scenario, targets, Math.ceil(rounds / 4), ms)
    if (only !== '') return
    yield await latencies(targets, rounds < 10 ? 2 : 5)
    yield await sizes(targets)
  } finally {
    for (const { child } of targets) child.disconnect()
  }
}

async function startTarget(name: string): Promise<Target> {
  const [file, ...argument] = SERVERS[name] as [string, string?]
  const child = fork(new URL(`../http/${file}.ts`, import.meta.url), argument as string[], {
    execArgv: ['--no-warnings'],
  })
  const [{ port, token }] = (await once(child, 'message')) as [Ready]
  const fields: Record<string, string> = { accept: 'application/hal+json' }
  if (token) fields['authorization'] = `Bearer ${token}`
  return { name, child, port, fields }
}

async function compare(scenario: Scenario, targets: Target[], rounds: number, ms: number): Promise<Table> {
  const runs: { name: string; run: () => Promise<Sample>; samples: Sample[] }[] = []
  for (const target of targets) {
    const request = await scenario.request(target)
    const run = (time: number): Promise<Sample> => sample(target, request, scenario.status, time)
    try {
      // Warms up, and finds out who gives another answer.
      await run(Math.max(ms, WARM_UP_MS))
      runs.push({ name: target.name, run: () => run(ms), samples: [] })
    } catch (error) {
      if (!(error instanceof UnexpectedAnswer)) throw error
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < runs.length; turn++) {
      const run = runs[(turn + round) % runs.length]
      run?.samples.push(await run.run())
    }
  }
  const of = (name: string, figure: keyof Sample): number[] =>
    runs.find((run) => run.name === name)?.samples.map((sample) => sample[figure]) ?? []
  const baseName = runs.some(({ name }) => name === BARE) ? BARE : STACK
  return {
    table: scenario.name,
    head: ['', 'requests/s', '10 % to 90 %', 'CPU a request', `CPU to ${baseName}`],
    rows: runs.map(({ name }) => {
      const { median, low, high } = spread(of(name, 'perSecond'))
      const cpu = spread(of(name, 'cpu')).median
      const ratio = ratioOf(of(name, 'cpu'), of(baseName, 'cpu'))
      return [name, ...[whole(median), `${whole(low)} to ${whole(high)}`, `${whole(cpu)} µs`, `${ratio.toFixed(2)} ×`]]
    }),
    goals: scenario.goals
      .filter(([, , ours, against]) => of(ours, 'cpu').length > 0 && of(against, 'cpu').length > 0)
      .map(([id, figure, ours, against, ratio]) => {
        const reached = ratioOf(of(ours, figure), of(against, figure))
        const isCost = figure === 'cpu'
        const what = isCost ? `CPU at most ${ratio} × of` : `at least ${ratio} × the requests a second of`
        const met = isCost ? reached <= ratio : reached >= ratio
        return { id, wanted: `${ours}: ${what} ${against}`, reached: `${reached.toFixed(2)} ×`, met }
      }),
  }
}

class UnexpectedAnswer extends Error {}

async function sample(target: Target, request: Request, status: number, ms: number): Promise<Sample> {
  const before = await usage(target.child)
  const { answers, seconds } = await shoot(target.port, CONNECTIONS, ms, () => textOf(request))
  const after = await usage(target.child)
  const right = answers.get(status) ?? 0
  if (answers.size > 1 || right === 0)
    throw new UnexpectedAnswer(`${target.name} answered ${JSON.stringify([...answers])}`)
  return { perSecond: right / seconds, cpu: (after.user + after.system - before.user - before.system) / right }
}

function textOf({ method, path, fields, body = '' }: Request): string {
  let text = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n`
  const all = fields()
  for (const name in all) text += `${name}: ${all[name]}\r\n`
  return `${text}\r\n${body}`
}

async function usage(child: ChildProcess): Promise<NodeJS.CpuUsage & { rss: number }> {
  child.send('cpu')
  const [figures] = (await once(child, 'message')) as [NodeJS.CpuUsage & { rss: number }]
  return figures
}

/** How long a request takes when so many come, whatever the server could do at most. */
async function latencies(targets: Target[], seconds: number): Promise<Table> {
  const RATE = 500
  const rows: string[][] = []
  for (const target of targets) {
    const { latency } = await autocannon({
      ...{ url: `http://127.0.0.1:${target.port}/employees/7`, connections: 8, overallRate: RATE, duration: seconds },
      headers: target.fields,
    })
    const { p50, p90, p99, max } = latency
    rows.push([target.name, ...[p50, p90, p99, max].map((ms) => `${ms} ms`)])
    await setTimeout(100)
  }
  return {
    table: `GET one, latency at ${RATE} requests a second`,
    head: ['', 'half', '90 %', '99 %', 'longest'],
    rows,
    goals: [],
  }
}

async function sizes(targets: Target[]): Promise<Table> {
  const rows: string[][] = []
  for (const { name, child } of targets) rows.push([name, `${((await usage(child)).rss / 2 ** 20).toFixed(0)} MiB`])
  return { table: 'memory of the process after all that', head: ['', 'RSS'], rows, goals: [] }
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}
