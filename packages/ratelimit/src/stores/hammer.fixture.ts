import { type AlgorithmName, type RateLimitStore, rateLimit } from '@svc/ratelimit'
import { postgresStore } from '@svc/ratelimit/stores/postgres'
import { redisStore } from '@svc/ratelimit/stores/redis'
import { Redis } from 'ioredis'
import pg from 'pg'

/** Observations of one process. */
export interface Observations {
  /** Number of allowed requests. */
  allowed: number
  /** Maximum number of concurrent leases. */
  maxLeases: number
  /** Units left before it started. */
  left: number
}

interface Shared {
  store: RateLimitStore
  /** Adds to a number that all processes share, and returns the sum. */
  count(delta: number): Promise<number>
  close(): Promise<unknown>
}

// One of several processes that share a store. They receive the algorithm, and then all consume one
// key concurrently.
const shared = process.argv[2]?.startsWith('redis:') ? inRedis(process.argv[2]) : inPostgres(process.argv[2] ?? '')
process.on('message', async (algorithm: AlgorithmName) => {
  const seen = algorithm === 'concurrency' ? await holdLeases() : await consume(algorithm)
  process.send?.(seen)
})
process.once('disconnect', () => shared.close())
await shared.count(0)
process.send?.('ready')

function limiterFor(rate: '100/300d' | '5/1h', algorithm: AlgorithmName) {
  const guard = { onStoreError: 'reject', storeTimeoutMs: 60_000 } as const
  return rateLimit({ rate, algorithm, store: shared.store, group: 'hammer', ...guard })
}

async function consume(algorithm: AlgorithmName): Promise<Observations> {
  const limiter = limiterFor('100/300d', algorithm)
  const { remaining: left } = await limiter.peek('one key')
  let allowed = 0
  // Fewer than the limit, so that no process can consume all of it.
  for (let round = 0; round < 3; round++) {
    const decisions = await Promise.all(Array.from({ length: 25 }, () => limiter.consume('one key')))
    allowed += decisions.filter((decision) => decision.allowed).length
  }
  return { allowed, maxLeases: 0, left }
}

async function holdLeases(): Promise<Observations> {
  const limiter = limiterFor('5/1h', 'concurrency')
  const seen: Observations = { allowed: 0, maxLeases: 0, left: (await limiter.peek('one key')).remaining }
  const work = async (): Promise<void> => {
    for (let round = 0; round < 15; round++) {
      const lease = await limiter.consume('one key')
      if (!lease.allowed) continue
      seen.allowed++
      seen.maxLeases = Math.max(seen.maxLeases, await shared.count(1))
      await shared.count(-1)
      await limiter.refund(lease)
    }
  }
  await Promise.all(Array.from({ length: 6 }, work))
  return seen
}

function inRedis(url: string): Shared {
  const redis = new Redis(url)
  return {
    store: redisStore(redis, { prefix: 'hammer:', cacheRefusedMs: 0 }),
    count: (delta) => redis.incrby('leases in use', delta),
    close: async () => redis.disconnect(),
  }
}

function inPostgres(url: string): Shared {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  return {
    store: postgresStore(pool),
    async count(delta) {
      const { rows } = await pool.query('UPDATE in_use SET leases = leases + $1 RETURNING leases', [delta])
      return rows[0].leases
    },
    close: () => pool.end(),
  }
}
