import { DatabaseSync } from 'node:sqlite'
import { memoryStore } from '@svc/idempotency'
import { postgresStore } from '@svc/idempotency/stores/postgres'
import { type RedisSend, redisStore } from '@svc/idempotency/stores/redis'
import { sqliteStore } from '@svc/idempotency/stores/sqlite'
import { storeCases } from '@svc/idempotency/testing'
import { GlideClient, Logger } from '@valkey/valkey-glide'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { startPostgres, startRedis } from '../../../internal/testing/servers.ts'
import { createPool } from '../testing/pool.ts'

const redisServer = await startRedis()
const postgresServer = await startPostgres()
let serial = 0
Logger.init('off')

describe('memory', () => {
  for (const { name, run } of storeCases((now) => memoryStore({ now }))) test(name, run)
})

describe('sqlite', () => {
  const cases = storeCases((now) => sqliteStore(new DatabaseSync(':memory:'), { now }))
  for (const { name, run } of cases) test(name, run)
})

const glide =
  redisServer &&
  (await GlideClient.createClient({ addresses: [{ host: '127.0.0.1', port: Number(new URL(redisServer.url).port) }] }))

describe.skipIf(!redisServer)('redis (needs redis-server)', () => {
  const url = redisServer?.url ?? ''
  const ioredis = new Redis(url, { lazyConnect: true })
  const nodeRedis = createClient({ url })
  beforeAll(async () => void (await Promise.all([ioredis.connect(), nodeRedis.connect()])))
  afterAll(async () => {
    await Promise.all([ioredis.quit(), nodeRedis.close()])
    glide?.close()
    await redisServer?.stop()
  })
  const send: RedisSend = ([command = '', ...rest]) => ioredis.call(command, ...rest)
  const clients = {
    ioredis,
    'node-redis': nodeRedis,
    ...(glide && { 'valkey-glide': glide }),
    'a function that sends a command': send,
  }
  describe.each(Object.entries(clients))('by %s', (_, client) => {
    const cases = storeCases((now) => redisStore(client, { now, prefix: `*[${++serial}]:` }))
    for (const { name, run } of cases) test(name, run)
  })
})

describe.skipIf(!postgresServer)('postgres (needs PostgreSQL)', () => {
  const pool = createPool(postgresServer?.url)
  afterAll(async () => {
    await pool.end()
    await postgresServer?.stop()
  })
  const cases = storeCases((now) => postgresStore(pool, { now, table: `keys_${++serial}` }))
  for (const { name, run } of cases) test(name, run)
})
