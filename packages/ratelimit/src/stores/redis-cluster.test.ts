import { randomUUID } from 'node:crypto'
import { rateLimit } from '@svc/ratelimit'
import { type RedisClient, type RedisSend, redisStore } from '@svc/ratelimit/stores/redis'
import { storeCases } from '@svc/ratelimit/testing'
import { GlideClusterClient, Logger } from '@valkey/valkey-glide'
import { Cluster } from 'ioredis'
import { createCluster } from 'redis'
import { afterAll, describe, expect, test } from 'vitest'
import { startCluster } from './cluster.fixture.ts'

Logger.init('off')
const cluster = await startCluster()
const closing: (() => unknown)[] = [() => cluster?.stop()]
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const clients: Record<string, RedisClient> = {}
if (cluster) {
  const [ioredis, nodeRedis, glide] = [
    new Cluster([...cluster.nodes]),
    createCluster({ rootNodes: cluster.nodes.map(({ port }) => ({ url: `redis://127.0.0.1:${port}` })) }),
    await GlideClusterClient.createClient({ addresses: [...cluster.nodes] }),
  ]
  await nodeRedis.connect()
  closing.push(
    () => ioredis.disconnect(),
    () => nodeRedis.destroy(),
    () => glide.close(),
  )
  clients['ioredis'] = ioredis
  // As the README says it.
  clients['node-redis'] = (args) => nodeRedis.sendCommand(args[3], false, [...args])
  clients['valkey-glide'] = glide
}

describe.skipIf(!cluster).each(Object.entries(clients))(
  'a cluster of three nodes, with %s (needs redis-server)',
  (name, client) => {
    for (const { name: title, run } of storeCases((now) =>
      redisStore(client, { now, cluster: true, prefix: `${randomUUID()}:` }),
    ))
      test(title, run)

    test('counts each of many clients exactly, on any node', async () => {
      const store = redisStore(client, { cluster: true, prefix: `many-${name}:`, cacheRefusedMs: 0 })
      const limits = [
        { name: 'client', rate: '2/1h' },
        { name: 'site', rate: '9/1h', by: 'global' },
      ] as const
      const [alone, mixed] = [
        rateLimit({ rate: '3/1h', store, onStoreError: 'reject', storeTimeoutMs: 30_000 }),
        rateLimit({ limits, group: 'mixed', store, onStoreError: 'reject', storeTimeoutMs: 30_000 }),
      ]
      const ask = async (limiter: typeof alone, times: number): Promise<number> => {
        const decisions = await Promise.all(
          Array.from({ length: times * 60 }, (_, at) => limiter.consume(`k${at % 60}`)),
        )
        return decisions.filter(({ allowed }) => allowed).length
      }
      expect(await Promise.all([ask(alone, 5), ask(mixed, 3)])).toEqual([180, 120])
    })
  },
)

test.skipIf(!cluster)(
  'rejects keys of several nodes without `cluster`, and charges none of them (needs redis-server)',
  async () => {
    const send = clients['node-redis'] as RedisSend
    const limiter = rateLimit({ rate: '3/1h', store: redisStore(send), onStoreError: 'reject', warnings: false })
    const answers = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => limiter.consume(`k${at}`)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill('rejected'))
  },
)
