import { existsSync } from 'node:fs'
import type { Effort } from '../harness/measure.ts'
import { type Goal, spread, type Table } from '../harness/table.ts'
import { type Program, type StartSample, sampleStart } from '../http/start.ts'

export const title = 'Start'

const MIB = 2 ** 20
const MS = 1e6
const SOURCE = '@svc/reference-server, from source'
const BUILT = '@svc/reference-server, built'

const peer = (name: string, file: string): Program => ({
  name,
  argv: [`apps/benchmarks/http/${file}.ts`],
  path: '/employees/7',
})
/** The server as `npm start` and `npx` run it, with nothing but a free port. */
const server = (name: string, argv: readonly string[], more: Record<string, string> = {}): Program => ({
  name,
  argv,
  path: '/health',
  environment: { SVC_ADMIN_PORT: '0', SVC_LOG_FILE: '/dev/null', ...more },
})

const programs: Program[] = [
  {
    name: 'node:http, plain JavaScript',
    argv: ['--eval', 'http.createServer((_, res) => res.end()).listen(process.env.PORT)'],
  },
  peer('Express 5, bare', 'express-bare'),
  peer('Express 5 and its usual packages', 'express-stack'),
  peer('Fastify and its plugins', 'fastify-stack'),
  // As the script `start` of the repository runs it.
  server(SOURCE, ['--conditions=@svc/source', 'apps/reference-server/src/main.ts'], {
    NODE_COMPILE_CACHE: 'node_modules/.cache/compile-cache',
  }),
  server(BUILT, ['apps/reference-server/dist/main.js']),
  server(`${BUILT}, without the demo`, ['apps/reference-server/dist/main.js'], { SVC_DEMO: 'off' }),
]

const LOADS = 'packages, schemas, pages and languages that are loaded'

/** CPU and memory of a start on a warm disk, until and shortly after the first response. */
export async function* tables({ rounds }: Effort): AsyncIterable<Table> {
  if (!existsSync('/proc/self/stat')) return
  const samples = new Map<string, StartSample[]>(programs.map(({ name }) => [name, []]))
  for (const program of programs) await sampleStart(program)
  for (let round = 0; round < (rounds < 10 ? 2 : 5); round++)
    for (const program of programs) samples.get(program.name)?.push(await sampleStart(program))
  const median = (name: string, figure: keyof StartSample): number =>
    spread((samples.get(name) ?? []).map((sample) => sample[figure])).median
  const goal = (name: string, figure: 'cpu' | 'rss', most: number): Goal =>
    figure === 'cpu'
      ? {
          id: 'P',
          what: `CPU of ${name}`,
          unit: 'time',
          most: most * MS,
          reason: LOADS,
          reached: [median(name, 'cpu') * MS],
        }
      : {
          id: 'P',
          what: `RSS of ${name}`,
          unit: 'bytes',
          most: most * MIB,
          reason: LOADS,
          reached: [median(name, 'rss')],
        }
  yield {
    table: 'until the first response',
    note: 'RSS is read one second after the first response. The peers run from source too: stripping types costs 30 MiB.',
    columns: [
      { name: 'CPU', unit: 'time' },
      { name: 'time', unit: 'time', wall: true },
      { name: 'RSS', unit: 'bytes' },
    ],
    rows: programs.map(({ name }) => ({
      name,
      figures: [median(name, 'cpu') * MS, median(name, 'wall') * MS, median(name, 'rss')],
    })),
    goals: [goal(SOURCE, 'cpu', 1800), goal(BUILT, 'cpu', 1000), goal(SOURCE, 'rss', 175), goal(BUILT, 'rss', 140)],
  }
}
