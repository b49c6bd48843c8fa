import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { QUIET, send } from '../service.ts'
import { everyRoute, INTERNALS, isFailure, type Seen, shown } from './judge.ts'
import { createRandom } from './random.ts'
import { type FuzzRequest, requests } from './requests.ts'
import { ResponseReader } from './response-reader.ts'

const SEED = Number(process.env['SVC_TEST_SEED'] ?? 20_261_122)
const COUNT = 20_000
const WIDTH = 8
const LONGEST_PIPELINE = 8
const DEADLINE_MS = 60_000
// Sends more requests than the shared guard allows on a loaded machine.
const GUARD_MS = 600_000

let server: ChildProcess | undefined
afterAll(() => server?.disconnect())

test(`${COUNT} pipelined requests: one response each in order, no failure, nothing internal`, {
  timeout: GUARD_MS,
}, async () => {
  server = fork(fileURLToPath(new URL('server.fixture.ts', import.meta.url)), {
    execArgv: ['--conditions=@svc/source', '--expose-gc'],
    env: { PATH: process.env['PATH'], ...QUIET } as NodeJS.ProcessEnv,
    silent: true,
  })
  const [{ url }] = (await once(server, 'message')) as [{ url: string }]
  const random = createRandom(SEED)
  const made = requests(SEED, await everyRoute(url))
  const problems: string[] = []
  const statuses = new Map<number, number>()
  let answered = 0
  let closedEarly = 0
  let sent = 0

  const judge = (call: FuzzRequest, seen: Seen): void => {
    statuses.set(seen.status, (statuses.get(seen.status) ?? 0) + 1)
    if (isFailure(call, seen)) problems.push(`${seen.status} ${seen.body.slice(0, 300)}: ${shown(call)}`)
    if (seen.status >= 400 && INTERNALS.test(seen.body)) problems.push(`internals in ${seen.body}: ${shown(call)}`)
    const { correlationId } = seen as Seen & { correlationId?: string }
    if (correlationId !== call.headers['x-correlation-id'])
      problems.push(`the response of ${correlationId} came for ${shown(call)}`)
  }
  const worker = async (): Promise<void> => {
    while (answered < COUNT && problems.length < 20) {
      const batch = Array.from({ length: 1 + random.whole(LONGEST_PIPELINE) }, () => withId(made.next().value, sent++))
      const { responses, isClosed, problem } = await pipeline(url, batch)
      for (const [index, seen] of responses.entries()) judge(batch[index] as FuzzRequest, seen)
      answered += responses.length
      // The server may close after a response that says so; what follows was not handled.
      if (responses.length < batch.length && !isClosed)
        problems.push(`${problem ?? 'no response'} after ${responses.length} of ${batch.map(shown).join('\n')}`)
      if (isClosed && responses.length < batch.length) closedEarly++
    }
  }
  await Promise.all(Array.from({ length: WIDTH }, worker))

  expect(problems, `seed ${SEED}`).toEqual([])
  expect(answered).toBeGreaterThanOrEqual(COUNT)
  // node:http closes behind a response to `Expect: 100-continue` that was sent without 100.
  expect(closedEarly).toBeLessThan(COUNT / 20)
  for (const status of [200, 201, 204, 304, 400, 404, 412, 415, 422])
    expect(statuses.get(status) ?? 0, `responses with ${status}`).toBeGreaterThan(0)
  expect((await send(url, { path: '/health' })).status).toBe(200)
})

function withId(call: FuzzRequest, id: number): FuzzRequest {
  return { ...call, headers: { ...call.headers, 'x-correlation-id': `pipelined-${id}` } }
}

interface Outcome {
  responses: Seen[]
  /** Whether the last response announced the end of the connection. */
  isClosed: boolean
  problem?: string
}

/** Writes all requests at once over a new connection, and reads as many responses. */
function pipeline(url: string, calls: readonly FuzzRequest[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const reader = new ResponseReader(calls.map(({ method }) => method))
    const finish = (problem?: string): void => {
      socket.destroy()
      resolve({ responses: reader.responses, isClosed: reader.isClosed, ...(problem && { problem }) })
    }
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write(calls.map(toBytes).join(''), 'latin1'),
    )
    socket.setTimeout(DEADLINE_MS, () => finish('no response in time'))
    socket.on('error', ({ message }) => finish(message))
    socket.on('close', () => finish('closed'))
    socket.on('data', (chunk) => {
      reader.read(chunk)
      if (reader.isDone) finish()
    })
  })
}

function toBytes({ method, path, headers, body }: FuzzRequest): string {
  const bytes = body === undefined ? '' : Buffer.from(body).toString('latin1')
  const all = { Host: 'localhost', ...headers, ...(body !== undefined && { 'Content-Length': bytes.length }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${bytes}`
}
