import { errors, httpError, type LogEntry, notFound } from '@svc/errors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Middleware } from '../../internal/middleware.ts'
import { check } from '../../internal/testing/check.ts'
import { hosts, listen, type RunningHost } from '../../internal/testing/hosts.ts'

const NOW = Date.UTC(2026, 10, 21, 7, 30)

describe.each(Object.keys(hosts))('errors() on %s', (host) => {
  let running: RunningHost
  let thrown: unknown
  const entries: LogEntry[] = []

  beforeAll(async () => {
    const failing: Middleware = (req, _res, next) => (req.url?.startsWith('/fail') ? next(thrown) : next())
    const make = hosts[host]
    if (!make) throw new Error(host)
    running = await listen(
      make({
        middlewares: [failing, notFound()],
        onError: errors({ now: () => NOW, onError: (entry) => void entries.push(entry) }),
      }),
    )
  })
  afterAll(() => running.close())

  test('answers an error with the record', async () => {
    thrown = httpError(404, 'Employee 7 does not exist.', { code: 'EMPLOYEE_NOT_FOUND' })
    const answer = await check(
      running.url,
      { path: '/fail/7?token=abc' },
      {
        status: 404,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          vary: 'Accept',
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        },
      },
    )
    expect(answer.text).toBe(
      '{"timestamp":"2026-11-21T07:30:00.000Z","status":404,"error":"Not Found",' +
        '"message":"Employee 7 does not exist.","path":"/fail/7","code":"EMPLOYEE_NOT_FOUND"}',
    )
  })

  test('answers what nothing else answers with 404', async () => {
    await check(running.url, { path: '/nowhere' }, { status: 404, body: { code: 'ROUTE_NOT_FOUND', path: '/nowhere' } })
  })

  test('has no body on HEAD, and the fields of GET', async () => {
    thrown = httpError(404)
    const get = await check(running.url, { path: '/fail' }, { status: 404 })
    const head = await check(running.url, { path: '/fail', method: 'HEAD' }, { status: 404, body: '' })
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })
})
