import { versioning } from '@svc/versioning'
import { describe, expect, test } from 'vitest'
import { check } from '../../internal/testing/check.ts'
import { clock } from '../../internal/testing/clock.ts'
import { hosts } from '../../internal/testing/hosts.ts'
import { echo, startOn, successor } from './testing/start.ts'

describe.each(Object.keys(hosts))('the end of a version on %s', (host) => {
  test('returns 410 only during a brownout', async () => {
    const time = clock(Date.UTC(2026, 0, 1))
    const brownouts = [{ from: Date.UTC(2026, 0, 1, 1), until: new Date('2026-01-01T02:00:00Z') }]
    const api = versioning({
      versions: ['1', '2'],
      deprecated: { '1': { since: new Date(0), brownouts } },
      now: time.now,
    })
    const url = await startOn(host, { middlewares: [api], handler: echo })
    time.advance(60 * 60_000 - 1)
    await check(url, {}, { status: 200 })
    time.advance(1)
    await check(url, {}, { status: 410 })
    time.advance(30 * 60_000)
    const message = /^This version is deprecated and temporarily unavailable until Thu, 01 Jan 2026 02:00:00 GMT/
    const { text } = await check(url, {}, { status: 410, headers: { 'retry-after': '1800', link: successor } })
    await check(url, { path: '/v2' }, { status: 200 })
    time.advance(30 * 60_000)
    await check(url, {}, { status: 200 })
    expect(JSON.parse(text).message).toMatch(message)
  })

  test.each([
    [true, 410],
    [false, 200],
    [undefined, 200],
  ])('returns with enforceSunset %j a %i after the sunset', async (enforceSunset, status) => {
    const time = clock(Date.UTC(2026, 0, 1) - 1)
    const api = versioning({
      versions: ['1', '2'],
      deprecated: { '1': { sunset: Date.UTC(2026, 0, 1) } },
      now: time.now,
      ...(enforceSunset !== undefined && { enforceSunset }),
    })
    const url = await startOn(host, { middlewares: [api], handler: echo })
    await check(url, {}, { status: 200, headers: { sunset: 'Thu, 01 Jan 2026 00:00:00 GMT' } })
    time.advance(1)
    await check(url, {}, { status })
    expect.hasAssertions()
  })
})
