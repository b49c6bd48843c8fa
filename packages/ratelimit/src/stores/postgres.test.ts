import { rateLimit } from '@svc/ratelimit'
import { postgresStore } from '@svc/ratelimit/stores/postgres'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { startPostgres } from '../../../internal/testing/servers.ts'
import { openProxy } from './proxy.fixture.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.stop())

test.skipIf(!postgres).each(['repeatable read', 'serializable'])(
  'allows exactly the quota if the default isolation level is %s (needs PostgreSQL)',
  async (level) => {
    if (!postgres) return
    const options = `-c default_transaction_isolation=${level.replace(' ', '\\ ')}`
    const pools = [1, 2].map(() => new pg.Pool({ connectionString: postgres.url, options }))
    // A connection may outlive its pool by a moment, and hears of the end of the server then.
    for (const pool of pools) pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
    const limiters = pools.map((pool) =>
      rateLimit({ rate: '5/h', group: level, store: postgresStore(pool), storeTimeoutMs: 5000, warnings: false }),
    )
    const calls = Array.from({ length: 30 }, (_, call) => limiters[call % 2]?.consume('k'))
    const decisions = await Promise.all(calls)
    expect(decisions.filter((decision) => decision?.allowed)).toHaveLength(5)
    expect(new Set(decisions.map((decision) => decision?.source))).toEqual(new Set(['store']))
    await Promise.all(pools.map((pool) => pool.end()))
  },
)

test.skipIf(!postgres)('survives a connection that breaks during a check (needs PostgreSQL)', async () => {
  if (!postgres) return
  const proxy = await openProxy(postgres.url)
  const [pool, direct] = [new pg.Pool({ connectionString: proxy.url }), new pg.Pool({ connectionString: postgres.url })]
  pool.on('error', () => {})
  // A connection may outlive its pool by a moment, and hears of the end of the server then.
  direct.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  const limiter = rateLimit({ rate: '5/h', store: postgresStore(pool), onStoreError: 'reject', storeTimeoutMs: 5000 })
  expect((await limiter.consume('k')).remaining).toBe(4)

  const blocker = await direct.connect()
  await blocker.query('BEGIN')
  await blocker.query('UPDATE svc_ratelimit SET state = state')
  const waiting = expect(limiter.consume('k')).rejects.toMatchObject({ code: 'ERR_RATELIMIT_STORE_DOWN' })
  const isWaiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
  await vi.waitFor(async () => expect((await blocker.query(isWaiting)).rowCount).toBe(1))
  proxy.breakAll()
  await waiting
  await blocker.query('ROLLBACK')
  blocker.release()

  expect((await limiter.consume('k')).remaining).toBe(3)
  proxy.breakAll()
  await Promise.all([pool.end(), direct.end()])
  proxy.close()
})
