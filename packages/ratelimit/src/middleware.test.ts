import { rateLimitOf, ratelimit } from '@svc/ratelimit'
import { afterEach, describe, expect, test } from 'vitest'
import { check } from '../../internal/testing/check.ts'
import { clock } from '../../internal/testing/clock.ts'
import { hosts, listen, type RunningHost } from '../../internal/testing/hosts.ts'

let host: RunningHost | undefined
afterEach(async () => host?.close())

describe.each(Object.entries(hosts))('ratelimit on %s', (_name, mount) => {
  test('lets the quota through, then answers 429 with a JSON Error record', async () => {
    const time = clock()
    host = await listen(
      mount({
        middlewares: [ratelimit({ rate: '2/10s', now: time.now })],
        handler: (req, res) => void res.end(String(rateLimitOf(req)?.remaining)),
      }),
    )
    const reset = String(Math.ceil((time.now() + 5000) / 1000))
    const first = { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': reset }
    await check(host.url, {}, { status: 200, body: '1', headers: first })
    await check(host.url, {}, { status: 200, body: '0' })
    const headers = { 'retry-after': '5', 'cache-control': 'no-store', 'x-ratelimit-remaining': '0' }
    const record = { status: 429, error: 'Too Many Requests', path: '/' }
    await check(host.url, {}, { status: 429, headers, body: record })
    time.advance(5000)
    expect((await check(host.url, {}, { status: 200 })).text).toBe('0')
  })
})
