import { type RateLimitOptions, rateLimit, rateLimitOf } from '@svc/ratelimit'
import { afterEach, describe, expect, test } from 'vitest'
import { check } from '../../internal/testing/check.ts'
import { clock } from '../../internal/testing/clock.ts'
import { hostsWithHttp2 as hosts, listen, type Pipeline, type RunningHost } from '../../internal/testing/hosts.ts'

let host: RunningHost | undefined
afterEach(async () => host?.close())

const time = clock()

describe.each(Object.entries(hosts))('two limiters on %s', (_name, mount) => {
  const serve = async (options: RateLimitOptions[]): Promise<string> => {
    const middlewares = options.map((one) => rateLimit({ now: time.now, ...one }))
    host = await listen(
      mount({ middlewares, handler: (req, res) => void res.end(String(rateLimitOf(req)?.remaining)) }),
    )
    return host.url
  }

  test('join their list headers, and send the tighter limit in the others', async () => {
    const url = await serve([
      { name: 'address', rate: '3/m', headers: ['x-ratelimit', 'draft-11'] },
      { name: 'subject', rate: '9/m', headers: ['x-ratelimit', 'draft-11'] },
    ])
    const headers = { 'x-ratelimit-limit': '3', ratelimit: '"address";r=2;t=20, "subject";r=8;t=7' }
    await check(url, {}, { status: 200, body: '2', headers })
  })

  test('each refund their own charge of a request, once', async () => {
    const limiters = [
      rateLimit({ name: 'address', rate: '3/m', now: time.now }),
      rateLimit({ name: 'running', rate: '2/30s', algorithm: 'concurrency', now: time.now }),
      rateLimit({ name: 'subject', rate: '9/m', cost: 4, now: time.now }),
    ]
    const left = (): Promise<number[]> =>
      Promise.all(limiters.map(async (limiter) => (await limiter.peek('127.0.0.1')).remaining))
    const seen: unknown[] = []
    const handler: Pipeline['handler'] = async (req, res) => {
      const decision = rateLimitOf(req)
      seen.push(await left())
      if (decision) for (const limiter of limiters) await limiter.refund(decision)
      seen.push(await left())
      const again = limiters.map((limiter) => decision && limiter.refund(decision))
      seen.push((await Promise.allSettled(again)).map(({ status }) => status))
      res.end()
    }
    host = await listen(mount({ middlewares: limiters, handler }))
    await check(host.url, {}, { status: 200 })
    expect(seen).toEqual([
      [2, 1, 5],
      [3, 2, 9],
      ['rejected', 'rejected', 'rejected'],
    ])
  })

  test.each(['before', 'after'])('one in reportOnly mode hides nothing of the other, %s it', async (where) => {
    const paper = { name: 'paper', rate: '1/h', reportOnly: true } as const
    const real = { name: 'real', rate: '2/m' } as const
    const url = await serve(where === 'before' ? [paper, real] : [real, paper])
    const headers = { 'x-ratelimit-limit': '2' }
    await check(url, {}, { status: 200, body: '1', headers: { ...headers, 'x-ratelimit-remaining': '1' } })
    await check(url, {}, { status: 200, body: '0', headers: { ...headers, 'x-ratelimit-remaining': '0' } })
    await check(url, {}, { status: 429, headers: { ...headers, 'retry-after': '30' } })
  })
})
