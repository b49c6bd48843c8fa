import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { AlgorithmName } from '@svc/ratelimit'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres, startRedis } from '../../../internal/testing/servers.ts'
import type { Observations } from './hammer.fixture.ts'

const redis = await startRedis()
const postgres = await startPostgres()
afterAll(async () => {
  await redis?.stop()
  await postgres?.stop()
})

const WORKER = new URL('./hammer.fixture.ts', import.meta.url)
const STARTING_MS = 240_000

/** Messages of all processes, one of each. */
function messages(children: readonly ChildProcess[]): Promise<unknown[]> {
  return Promise.all(
    children.map(async (child) => {
      const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`a process ended with ${code}`)))
      const [message] = (await Promise.race([once(child, 'message'), ended])) as unknown[]
      return message
    }),
  )
}

describe.each([
  { store: 'Redis', url: redis?.url, processes: 16 },
  { store: 'PostgreSQL', url: postgres?.url, processes: 4 },
])('$processes processes on one $store', ({ store, url, processes }) => {
  let children: ChildProcess[] = []
  beforeAll(async () => {
    if (!url) return
    if (store === 'PostgreSQL') {
      const client = new pg.Client(url)
      await client.connect()
      await client.query('CREATE TABLE in_use AS SELECT 0 AS leases')
      await client.end()
    }
    const execArgv = process.env['SVC_DIST'] ? [] : ['--conditions=@svc/source']
    children = Array.from({ length: processes }, () => fork(WORKER, [url], { execArgv }))
    await messages(children)
  }, STARTING_MS)
  afterAll(async () => {
    const ended = children.map((child) => once(child, 'exit'))
    for (const child of children) child.disconnect()
    await Promise.all(ended)
  }, STARTING_MS)
  const hammer = async (algorithm: AlgorithmName, workers = children): Promise<Observations[]> => {
    const seen = messages(workers)
    for (const child of workers) child.send(algorithm)
    return (await seen) as Observations[]
  }

  test.skipIf(!url).each(['gcra', 'token-bucket', 'fixed-window', 'sliding-counter', 'sliding-log'] as const)(
    'allow exactly the limit: %s (needs its server: Redis or PostgreSQL)',
    async (algorithm) => {
      const counts = (await hammer(algorithm)).map(({ allowed }) => allowed)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(100)
      expect(counts.filter((count) => count > 0).length).toBeGreaterThan(1)
    },
  )

  test.skipIf(!url)(
    'never grant more leases than the limit, and grant returned ones again (needs its server: Redis or PostgreSQL)',
    async () => {
      const seen = await hammer('concurrency')
      const maxLeases = Math.max(...seen.map((one) => one.maxLeases))
      expect(maxLeases).toBeLessThanOrEqual(5)
      expect(maxLeases).toBeGreaterThan(1)
      expect(seen.reduce((sum, { allowed }) => sum + allowed, 0)).toBeGreaterThan(5)
      // All were given back: as many are let in again.
      expect((await hammer('concurrency')).some(({ allowed }) => allowed > 0)).toBe(true)
    },
  )
})
