import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres, startRedis } from '../../../../packages/internal/testing/servers.ts'
import { record, type Service, send, startService } from '../service.ts'

const LIMIT = 5
const [redis, postgres] = await Promise.all([startRedis(), startPostgres()])

describe.skipIf(!redis || !postgres)('servers that go away (needs redis-server and PostgreSQL)', () => {
  let service: Service
  let isPostgresUp = true
  beforeAll(async () => {
    const env = { DATABASE_URL: postgres?.url, REDIS_URL: redis?.url, SVC_RATE_LIMIT_ANONYMOUS: `${LIMIT}/1h` }
    service = await startService(env)
  })
  afterAll(async () => {
    await service.running.stop()
    if (isPostgresUp) await postgres?.stop()
  })

  test('without Redis requests are answered, and limited by each process', async () => {
    await service.check({ path: '/products/1' }, { status: 200 })
    await redis?.stop()
    const statuses: number[] = []
    for (let sent = 0; sent < LIMIT + 3; sent++)
      statuses.push((await service.check({ path: '/products/1' }, {})).status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(LIMIT - 1)
    expect(statuses.at(-1)).toBe(429)
    await service.check({ as: 'ada', path: '/employees/1' }, { status: 200 })
  })

  test('7-503 without its database the service says so, and when it is worth while', async () => {
    isPostgresUp = false
    await postgres?.stop()
    const headers = { 'retry-after': /^[1-9]\d*$/, 'cache-control': 'no-store' }
    const expected = { status: 503, headers, body: record(503, 'SERVICE_UNAVAILABLE', '/employees') }
    for (let sent = 0; sent < 3; sent++) {
      const answer = await service.check({ as: 'ada', path: '/employees' }, expected)
      expect(answer.text).not.toMatch(/ECONN|postgres|terminat|127\.0\.0\.1/i)
    }
    await service.check({ path: '/health' }, { status: 503, body: { status: 'fail' } })
    await service.check({ path: '/health/live' }, { status: 200 })
    expect((await send(service.running.adminUrl, { path: '/ready' })).status).toBe(503)
  })
})
