import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { emptyDatabase, QUIET, send } from '../service.ts'
import { everyRoute, INTERNALS, isFailure, type Seen, shown } from './judge.ts'
import { type FuzzRequest, requests } from './requests.ts'

const SEED = Number(process.env['SVC_TEST_SEED'] ?? 20_261_121)
const DEADLINE_MS = 60_000
// Sends more requests than the shared guard allows on a loaded machine.
const GUARD_MS = 600_000
const WIDTH = 12
const WARM = 5000
const MAX_GROWTH = 24 * 1024 * 1024

interface Memory {
  heapUsed: number
  rss: number
}

const servers: ChildProcess[] = []
afterAll(() => {
  for (const server of servers) server.disconnect()
})

const postgres = await emptyDatabase()
const runs: [string, number, Record<string, string> | undefined][] = [
  ['SQLite', 20_000, {}],
  ['PostgreSQL (needs PostgreSQL)', 4000, postgres === undefined ? undefined : { DATABASE_URL: postgres }],
]

describe.each(runs)('random requests over every route on %s', (_name, count, database) => {
  test.skipIf(!database)(
    `${count} of them: no failure, no hang, no leak, nothing internal`,
    { timeout: GUARD_MS },
    async () => {
      const server = fork(fileURLToPath(new URL('server.fixture.ts', import.meta.url)), {
        execArgv: ['--conditions=@svc/source', '--expose-gc'],
        env: { PATH: process.env['PATH'], ...QUIET, ...database } as NodeJS.ProcessEnv,
        silent: true,
      })
      servers.push(server)
      const [{ url }] = (await once(server, 'message')) as [{ url: string }]
      const routes = await everyRoute(url)
      const made = requests(SEED, routes)
      const agent = new Agent({ keepAlive: true, maxSockets: WIDTH })
      const statuses = new Map<number, number>()
      const reached = new Set<string>()
      const problems: string[] = []
      const judge = (call: FuzzRequest, seen: Seen | Error): void => {
        if (seen instanceof Error) return void problems.push(`${seen.message}: ${shown(call)}`)
        statuses.set(seen.status, (statuses.get(seen.status) ?? 0) + 1)
        if (seen.status < 300) reached.add(`${call.method} ${call.route}`)
        if (isFailure(call, seen)) problems.push(`${seen.status} ${seen.body.slice(0, 300)}: ${shown(call)}`)
        if (seen.status >= 400 && INTERNALS.test(seen.body)) problems.push(`internals in ${seen.body}: ${shown(call)}`)
      }
      const run = async (until: number): Promise<void> => {
        let sent = 0
        const worker = async (): Promise<void> => {
          while (sent++ < until && problems.length < 20) {
            const { value: call } = made.next()
            judge(call, await exchange(url, call, agent))
          }
        }
        await Promise.all(Array.from({ length: WIDTH }, worker))
      }
      const warm = Math.min(WARM, count / 4)
      await run(warm)
      const before = await memoryOf(server)
      await run(count - warm)
      const after = await memoryOf(server)
      agent.destroy()

      expect(problems, `seed ${SEED}`).toEqual([])
      expect([...statuses.values()].reduce((all, some) => all + some, 0)).toBe(count)
      process.stderr.write(`${JSON.stringify({ before, after, statuses: [...statuses] })}\n`)
      expect(after.heapUsed - before.heapUsed).toBeLessThan(MAX_GROWTH)
      // The requests are worth something only if they get past the first checks.
      for (const status of [200, 201, 204, 304, 400, 401, 403, 404, 405, 406, 409, 412, 415, 422])
        expect(statuses.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0)
      const good = [200, 201, 202, 204].reduce((all, status) => all + (statuses.get(status) ?? 0), 0)
      expect(good).toBeGreaterThan(count / 5)
      const unreached = routes.filter(({ path, methods }) =>
        methods.every((method) => !reached.has(`${method} ${path}`)),
      )
      expect(unreached.map(({ path }) => path).filter((path) => !MAY_BE_EMPTY.test(path))).toEqual([])
      expect((await send(url, { path: '/health' })).status).toBe(200)
    },
  )
})

/** Routes whose resources need not exist in such a run. */
const MAY_BE_EMPTY =
  /operations|soap-events\/|notifications\/|assets|tracking|invoice|\/\{\w+\}\/\w+\/\{\w+\}$|^\/users\/me$/

function exchange(url: string, { method, path, headers, body }: FuzzRequest, agent: Agent): Promise<Seen | Error> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const req = request(url, { method, path, headers: { ...headers, ...length }, agent }, (res) => {
      let text = ''
      res.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      res.on('error', resolve).on('end', () => {
        clearTimeout(timer)
        resolve({ status: res.statusCode ?? 0, type: res.headers['content-type'] ?? '', body: text })
      })
    })
    const timer = setTimeout(() => req.destroy(new Error('no answer in time')), DEADLINE_MS)
    req.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      resolve(error)
    })
    req.end(body)
  })
}

async function memoryOf(server: ChildProcess): Promise<Memory> {
  server.send('memory')
  const [memory] = (await once(server, 'message')) as [Memory]
  return memory
}
