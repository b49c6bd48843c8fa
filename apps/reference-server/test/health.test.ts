import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { readiness } from '../src/http/endpoints/health.ts'
import { type Service, startService } from './service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.running.stop())
afterEach(() => void vi.useRealTimers())

test.each([
  ['application/health+json', 'application/health+json'],
  ['application/health+json, application/json;q=0.5', 'application/health+json'],
  ['application/json', 'application/json; charset=utf-8'],
  ['*/*', 'application/json; charset=utf-8'],
])('reports its health to %s as %s', async (accept, type) => {
  for (const path of ['/health', '/health/live', '/health/ready']) {
    const headers = { 'content-type': type, vary: /\bAccept\b/, 'cache-control': 'no-store' }
    const answer = await service.check({ path, headers: { accept } }, { status: 200, headers })
    expect(JSON.parse(answer.text)).toEqual({ status: 'pass' })
  }
})

test('writes nothing else as a health report', async () => {
  await service.check(
    { as: 'eve', path: '/employees/1', headers: { accept: 'application/health+json' } },
    { status: 406 },
  )
})

test('is not ready if the database does not respond in time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { database, state } = service.running
  const ready = readiness({ ...database, ping: () => new Promise(() => {}) }, state)
  await vi.advanceTimersByTimeAsync(3000)
  expect(await ready).toMatchObject({ isReady: false, checks: { 'store:responseTime': [{ status: 'fail' }] } })
})
