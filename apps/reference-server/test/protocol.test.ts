import { describe, expect, test } from 'vitest'
import { record, send, serviceFor } from './service.ts'

const service = serviceFor()

const _grace = { name: 'Grace Hopper', department: 'Engineering', salary: 5000 }

describe('fields of every answer', () => {
  test.each([
    ['/employees/1', 200],
    ['/nothing', 404],
  ])('sets security fields and correlation on %s', async (path, status) => {
    const headers = { 'x-correlation-id': 'abc-1', origin: 'https://a.example' }
    const expected = {
      'x-correlation-id': 'abc-1',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': /default-src 'none'/,
      'referrer-policy': 'no-referrer',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': '*',
      'x-powered-by': undefined,
      server: undefined,
    }
    await service.check({ as: 'ada', path, headers }, { status, headers: expected })
    const made = await service.check({ as: 'ada', path, headers: { 'x-correlation-id': 'a b' } }, { status })
    expect(made.headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('answers preflights with what the path can do', async () => {
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'DELETE' }
    const answer = await service.check({ method: 'OPTIONS', path: '/employees', headers }, { status: 204 })
    expect(answer.headers['access-control-allow-methods']).toBe('GET,QUERY,POST,HEAD')
    expect(answer.headers['access-control-allow-headers']).toContain('Idempotency-Key')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  })
})

describe('maintenance and health', () => {
  test('answers 503 while in maintenance, and tells its health all the same', async () => {
    const { adminUrl } = service.running
    await send(adminUrl, { method: 'PUT', path: '/maintenance' })
    const expected = { status: 503, headers: { 'retry-after': '60' }, body: record(503, 'SERVICE_UNAVAILABLE') }
    await service.check({ as: 'ada', path: '/employees' }, expected)
    await service.check({ path: '/health' }, { status: 200, body: { status: 'pass' } })
    await send(adminUrl, { method: 'DELETE', path: '/maintenance' })
    await service.check({ as: 'ada', path: '/employees' }, { status: 200 })
  })

  test('tells details of its health to those who may know', async () => {
    const answer = await service.check({ as: 'ada', path: '/health' }, { status: 200 })
    expect(JSON.parse(answer.text).checks['store:responseTime'][0]).toMatchObject({ status: 'pass' })
  })

  test('tells operators about itself', async () => {
    const { adminUrl } = service.running
    expect((await send(adminUrl, { path: '/live' })).status).toBe(200)
    expect((await send(adminUrl, { path: '/ready' })).status).toBe(200)
    const metrics = await send(adminUrl, { path: '/metrics' })
    expect(metrics.text).toMatch(/svc_request_seconds_count\{method="GET",route="\/employees",status="200"\} \d+/)
    expect((await send(adminUrl, { path: '/other' })).status).toBe(404)
  })
})
