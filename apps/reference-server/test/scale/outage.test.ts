import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres, startRedis } from '../../../../packages/internal/testing/servers.ts'
import { record, type Service, send, startService } from '../service.ts'

const LIMIT = 5
const V1 = 'http://svc.example/ws/customer/v1'
const SOAP = 'application/soap+xml; charset=utf-8'
const AUTHENTICATION = `<Authentication xmlns="${V1}"><Username>ada</Username><Password>ada-demo</Password></Authentication>`
const message = (header: string): string =>
  `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Header>${header}</e:Header><e:Body>` +
  `<GetCustomerRequest xmlns="${V1}"><customerId>1</customerId></GetCustomerRequest></e:Body></e:Envelope>`
const [redis, postgres] = await Promise.all([startRedis(), startPostgres()])

describe.skipIf(!redis || !postgres)('servers that go away (needs redis-server and PostgreSQL)', () => {
  let service: Service
  let isPostgresUp = true
  beforeAll(async () => {
    service = await startService({
      DATABASE_URL: postgres?.url,
      REDIS_URL: redis?.url,
      SVC_RATE_LIMIT_ANONYMOUS: `${LIMIT}/1h`,
      SVC_TRUST_PROXY: '127.0.0.1',
    })
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

  test('7-503 without its database the service says so, and when to retry', async () => {
    isPostgresUp = false
    await postgres?.stop()
    const headers = { 'retry-after': /^[1-9]\d*$/, 'cache-control': 'no-store' }
    const expected = { status: 503, headers, body: record(503, 'SERVICE_UNAVAILABLE', '/employees') }
    for (let sent = 0; sent < 3; sent++) {
      const answer = await service.check({ as: 'ada', path: '/employees' }, expected)
      expect(answer.text).not.toMatch(/ECONN|postgres|terminat|127\.0\.0\.1/i)
    }
    // The first address has used up its requests without credentials.
    const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
    const call = { method: 'POST', path: '/ws/customer', headers: { 'content-type': SOAP, ...forwarded } }
    const fault = { status: 503, headers: { 'retry-after': '5' }, body: /Unavailable/ }
    await service.check({ ...call, as: 'ada', body: message('') }, fault)
    await service.check({ ...call, body: message(AUTHENTICATION) }, fault)
    await service.check({ path: '/health' }, { status: 503, body: { status: 'fail' } })
    await service.check({ path: '/health/live' }, { status: 200 })
    expect((await send(service.running.adminUrl, { path: '/ready' })).status).toBe(503)
  })
})
