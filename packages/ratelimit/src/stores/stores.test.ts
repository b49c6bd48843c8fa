import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { memoryStore } from '@svc/ratelimit'
import { postgresStore } from '@svc/ratelimit/stores/postgres'
import { redisStore } from '@svc/ratelimit/stores/redis'
import { sqliteStore } from '@svc/ratelimit/stores/sqlite'
import { type OpenStore, storeCases } from '@svc/ratelimit/testing'
import { Redis } from 'ioredis'
import pg from 'pg'
import { createClient } from 'redis'
import { afterAll, describe, test } from 'vitest'
import { startPostgres, startRedis } from '../../../internal/testing/servers.ts'

const redis = await startRedis()
const postgres = await startPostgres()
const closing: (() => unknown)[] = [() => redis?.stop(), () => postgres?.stop()]
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const opens: Record<string, OpenStore> = {
  memory: (now) => memoryStore({ now }),
  sqlite: (now) => sqliteStore(new DatabaseSync(':memory:'), { now }),
}
if (redis) {
  const ioredis = new Redis(redis.url)
  const nodeRedis = await createClient({ url: redis.url }).connect()
  closing.push(
    () => ioredis.disconnect(),
    () => nodeRedis.destroy(),
  )
  opens['redis by ioredis'] = (now) => redisStore(ioredis, { now })
  opens['redis by node-redis'] = (now) => redisStore(nodeRedis, { now, prefix: `${randomUUID()}:` })
  opens['redis as a cluster'] = (now) =>
    redisStore((args) => ioredis.call(...(args as [string])), { now, cluster: true })
}
if (postgres) {
  const pool = new pg.Pool({ connectionString: postgres.url })
  closing.push(() => pool.end())
  opens['postgres'] = (now) => postgresStore(pool, { now })
}

describe.each(Object.entries(opens))('the store %s', (_name, open) => {
  for (const { name, run } of storeCases(open)) test(name, run)
})

if (!redis) test.skip('redis: there is no redis-server', () => {})
if (!postgres) test.skip('postgres: there is no postgres', () => {})
