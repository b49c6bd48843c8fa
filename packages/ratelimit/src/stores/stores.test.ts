import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { memoryStore, type RateLimitStore, rateLimit } from '@svc/ratelimit'
import { postgresStore } from '@svc/ratelimit/stores/postgres'
import { redisStore } from '@svc/ratelimit/stores/redis'
import { sqliteStore } from '@svc/ratelimit/stores/sqlite'
import { type OpenStore, storeCases } from '@svc/ratelimit/testing'
import { GlideClient, Logger } from '@valkey/valkey-glide'
import { array, assert, asyncProperty, integer, option, record, tuple } from 'fast-check'
import { Redis } from 'ioredis'
import pg from 'pg'
import { createClient } from 'redis'
import { afterAll, describe, expect, test } from 'vitest'
import { clock } from '../../../internal/testing/clock.ts'
import { startPostgres, startRedis } from '../../../internal/testing/servers.ts'
import { ALGORITHM_NAMES, definePolicy } from '../policy.ts'
import { traces } from '../traces.fixture.ts'

type OpenTable = (now: () => number) => { store: RateLimitStore; count: () => unknown }

// It would write a line for each script that the server does not have.
Logger.init('off')
const redis = await startRedis()
const postgres = await startPostgres()
const closing: (() => unknown)[] = [() => redis?.stop(), () => postgres?.stop()]
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const tables: Record<string, OpenTable> = {
  sqlite(now) {
    const database = new DatabaseSync(':memory:')
    return {
      store: sqliteStore(database, { now }),
      count: () => database.prepare('SELECT count(*) AS rows FROM svc_ratelimit').get()?.['rows'],
    }
  },
}
const opens: Record<string, OpenStore> = {
  memory: (now) => memoryStore({ now }),
  sqlite: (now) => sqliteStore(new DatabaseSync(':memory:'), { now }),
}
if (redis) {
  const ioredis = new Redis(redis.url)
  const nodeRedis = await createClient({ url: redis.url }).connect()
  const glide = await GlideClient.createClient({
    addresses: [{ host: '127.0.0.1', port: Number(new URL(redis.url).port) }],
  })
  closing.push(
    () => ioredis.disconnect(),
    () => nodeRedis.destroy(),
    () => glide.close(),
  )
  opens['redis by ioredis'] = (now) => redisStore(ioredis, { now })
  opens['redis by node-redis'] = (now) => redisStore(nodeRedis, { now, prefix: `${randomUUID()}:` })
  opens['redis by valkey-glide'] = async (now) => {
    // Each store meets a server that does not have its script.
    await ioredis.call('SCRIPT', 'FLUSH')
    return redisStore(glide, { now, prefix: `${randomUUID()}:` })
  }
  opens['redis as a cluster'] = (now) =>
    redisStore((args) => ioredis.call(...(args as [string])), { now, cluster: true })
}
if (postgres) {
  const pool = new pg.Pool({ connectionString: postgres.url })
  // A connection may outlive its pool by a moment, and hears of the end of the server then.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  closing.push(() => pool.end())
  opens['postgres'] = (now) => postgresStore(pool, { now })
  tables['postgres'] = (now) => ({
    store: postgresStore(pool, { now, table: 'swept' }),
    count: async () => (await pool.query('SELECT count(*)::integer AS rows FROM swept')).rows[0].rows,
  })
}

const rate = record({ limit: integer({ min: 1, max: 12 }), windowMs: integer({ min: 1, max: 9000 }) })
const bursts = option(integer({ min: 1, max: 20 }), { nil: undefined })
// Below a minute in all: then no store forgets what a clock that was set back could ask for again.
const step = tuple(integer({ min: -3000, max: 1400 }), integer({ min: -3, max: 14 }), integer({ min: 0, max: 5 }))

describe.each(Object.entries(opens))('the store %s', (name, open) => {
  for (const { name, run } of storeCases(open)) test(name, run)

  test.each(ALGORITHM_NAMES)('decides like the memory store, for any trace: %s', async (algorithm) => {
    await assert(
      asyncProperty(rate, bursts, array(step, { maxLength: 40 }), async (numbers, given, steps) => {
        const time = clock()
        const burst = algorithm === 'gcra' || algorithm === 'token-bucket' ? given : undefined
        const policy = definePolicy({ name: 'x', group: randomUUID(), rate: numbers, burst, algorithm })
        const memory = memoryStore({ now: time.now })
        const store = await open(time.now)
        for (const [ms, cost, id] of steps) {
          time.advance(ms)
          const action = cost < 0 || id === 0 ? 'adjust' : 'consume'
          const charges = [{ policy, key: `k${id % 2}`, cost, slot: '', id }]
          expect(await store[action](charges)).toEqual(await memory[action](charges))
        }
      }),
      { numRuns: name === 'postgres' ? 10 : 40 },
    )
  })

  test.each(traces)('follows the trace $trace', async ({ rows, policyIn }) => {
    // A multiple of every window, since windows are aligned to the epoch.
    const start = 1_800_000_000_000
    let time = start
    const store = await open(() => time)
    const policy = policyIn(randomUUID())
    for (const [now, cost, allowed, remaining, resetMs, retryMs] of rows) {
      time = start + now
      const outcomes = await store.consume([{ policy, key: 'k', cost, slot: 'k' }])
      expect(outcomes, `at ${now} ms, ${cost} units`).toEqual([{ allowed, remaining, resetMs, retryMs }])
    }
    expect(time).toBeGreaterThan(start)
  })
})

test.each(Object.entries(tables))('%s deletes expired rows as fast as new keys arrive', async (_name, open) => {
  const time = clock()
  const { store, count } = open(time.now)
  const policies = Array.from({ length: 6 }, (_, index) =>
    definePolicy({ name: `${index}`, group: 'g', rate: '10/s', burst: undefined, algorithm: 'gcra' }),
  )
  for (let turn = 0; turn < 20; turn++) {
    time.advance(1000)
    const calls = Array.from({ length: 200 }, (_, index) =>
      store.consume(policies.map((policy) => ({ policy, key: `${turn} ${index}`, cost: 1, slot: '' }))),
    )
    await Promise.all(calls)
  }
  // Those of the last second, and fewer expired ones than were written since the last sweep.
  expect(await count()).toBeLessThan(1200 + 1200)
})

test('two connections to one SQLite file share their counters, and a restart keeps them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-ratelimit-'))
  const open = () => {
    const database = new DatabaseSync(join(folder, 'limits.db'), { timeout: 50 })
    return { database, limiter: rateLimit({ rate: '3/1h', store: sqliteStore(database), onStoreError: 'reject' }) }
  }
  const [one, other] = [open(), open()]
  expect((await one.limiter.consume('k')).remaining).toBe(2)
  expect((await other.limiter.consume('k')).remaining).toBe(1)
  one.database.close()
  other.database.close()
  const again = open()
  expect((await again.limiter.consume('k')).remaining).toBe(0)
  again.database.close()
  rmSync(folder, { recursive: true })
})

test.each(['', 'a b', 'a;DROP TABLE x', '"a"', 'x'.repeat(64), 'ä'])('SQL stores reject the table %j', (table) => {
  expect(() => sqliteStore(new DatabaseSync(':memory:'), { table })).toThrow(
    'table must be a name such as svc_ratelimit',
  )
})

test.each<[string, () => unknown, string]>([
  [
    'memory',
    () => memoryStore({ maxKey: 5 } as object),
    'ratelimit: memoryStore: unknown option "maxKey", did you mean "maxKeys"?',
  ],
  ['sqlite', () => sqliteStore(new DatabaseSync(':memory:'), { tabel: 'x' } as object), 'did you mean "table"?'],
  [
    'postgres',
    () => postgresStore({ connect: () => Promise.reject() }, { tabel: 'x' } as object),
    'did you mean "table"?',
  ],
  ['redis', () => redisStore({} as never), 'ratelimit: redisStore: client must be one of node-redis'],
  ['redis', () => redisStore(async () => [], { prefixx: 'x' } as object), 'did you mean "prefix"?'],
  [
    'redis',
    () => redisStore(async () => [], { cacheRefusedMs: -1 }),
    'ratelimit: redisStore: cacheRefusedMs must be an integer of 0 or more, got -1',
  ],
])('the store %s rejects an invalid option', (_name, make, message) => {
  expect(make).toThrow(message)
})

if (!redis) test.skip('redis (needs redis-server)', () => {})
if (!postgres) test.skip('postgres (needs PostgreSQL)', () => {})
