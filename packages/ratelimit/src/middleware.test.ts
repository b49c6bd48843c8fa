import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  clientIp,
  memoryStore,
  type RateLimitEvent,
  type RateLimitOptions,
  type RateLimitStore,
  rateLimit,
  rateLimitOf,
} from '@svc/ratelimit'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { check, send } from '../../internal/testing/check.ts'
import { clock } from '../../internal/testing/clock.ts'
import { hostsWithHttp2 as hosts, listen, type Pipeline, type RunningHost } from '../../internal/testing/hosts.ts'

let host: RunningHost | undefined
afterEach(async () => host?.close())

const time = clock()

describe.each(Object.entries(hosts))('ratelimit on %s', (_name, mount) => {
  const serve = async (
    options: RateLimitOptions | RateLimitOptions[],
    more: Partial<Pipeline> = {},
  ): Promise<string> => {
    const middlewares = [options].flat().map((one) => rateLimit({ now: time.now, ...one }))
    const handler: Pipeline['handler'] = (req, res) => void res.end(String(rateLimitOf(req)?.remaining))
    host = await listen(mount({ middlewares, handler, ...more }))
    return host.url
  }
  const statuses = async (url: string, count: number, headers = {}): Promise<number[]> => {
    const all: number[] = []
    for (let time = 0; time < count; time++) all.push((await send(url, { headers })).status)
    return all
  }

  test('allows the quota, then responds with 429 and a JSON error record', async () => {
    const url = await serve({ rate: '2/10s' })
    const reset = String(Math.ceil((time.now() + 5000) / 1000))
    const first = { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': reset }
    await check(url, {}, { status: 200, body: '1', headers: { ...first, 'retry-after': undefined } })
    await check(url, {}, { status: 200, body: '0' })
    const headers = { 'retry-after': '5', 'cache-control': 'no-store', 'x-ratelimit-remaining': '0' }
    const message = 'Rate limit of 2 requests in 10 seconds exceeded. Try again in 5 seconds.'
    await check(
      url,
      { path: '/a?b=c' },
      { status: 429, headers, body: { status: 429, error: 'Too Many Requests', message, path: '/a' } },
    )
    time.advance(4999)
    await check(url, {}, { status: 429, headers: { 'retry-after': '1' } })
    time.advance(1)
    await check(url, {}, { status: 200, body: '0' })
  })

  test('takes the request and response of the app in its functions', async () => {
    interface AppRequest extends IncomingMessage {
      user?: { id: string }
    }
    interface AppResponse extends ServerResponse {
      locals: { cost: number } | undefined
    }
    const limiter = rateLimit({
      rate: '5/m',
      by: (req) => req.headers['x-api-key']?.toString() ?? clientIp(req),
      user: (req: AppRequest) => req.user?.id,
      finalCost: (_req, res: AppResponse) => res.locals?.cost ?? 1,
      now: time.now,
    })
    host = await listen(mount({ middlewares: [limiter], handler: (req, res) => void res.end(rateLimitOf(req)?.key) }))
    await check(host.url, { headers: { 'x-api-key': 'ada' } }, { status: 200, body: 'ada' })
    await check(host.url, {}, { status: 200, body: '127.0.0.1' })
  })

  test('passes a rejection to next on request, with its code and headers', async () => {
    const onError: Pipeline['onError'] = (error, _req, res) => {
      const { code, headers } = error as { code: string; headers: Record<string, string> }
      res.statusCode = 418
      res.end(`${code} ${headers['Retry-After']} ${headers['X-RateLimit-Limit']}`)
    }
    const url = await serve({ rate: '1/m', onRefused: 'next' }, { onError })
    await check(url, {}, { status: 200 })
    await check(url, {}, { status: 418, body: 'ERR_RATELIMIT_EXCEEDED 60 1' })
  })

  test('charges several limits or none, and reports the one that is closest to rejecting', async () => {
    const limits = [
      { name: 'burst', rate: '2/s' },
      { name: 'minute', rate: '3/m' },
    ] as const
    const url = await serve({ limits, headers: ['x-ratelimit', 'draft-11'] })
    await check(url, {}, { headers: { 'x-ratelimit-limit': '2', ratelimit: '"burst";r=1;t=1, "minute";r=2;t=20' } })
    await check(url, {}, { status: 200 })
    await check(url, {}, { status: 429, headers: { 'x-ratelimit-limit': '2' } })
    time.advance(500)
    await check(url, {}, { status: 200, headers: { 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '0' } })
    time.advance(500)
    const rejected = {
      ratelimit: '"burst";r=1;t=1, "minute";r=0;t=19',
      'ratelimit-policy': '"burst";q=2;w=1, "minute";q=3;w=60',
    }
    await check(url, {}, { status: 429, headers: rejected })
  })

  test('counts by the user, and otherwise by the address', async () => {
    const user = (req: IncomingMessage): Promise<string | undefined> | string | undefined => {
      const name = req.headers['x-name']
      return name === 'ada' ? Promise.resolve('ada') : typeof name === 'string' ? name : undefined
    }
    const url = await serve({ rate: '1/m', user })
    expect(await statuses(url, 2, { 'x-name': 'ada' })).toEqual([200, 429])
    expect(await statuses(url, 2, { 'x-name': '127.0.0.1' })).toEqual([200, 429])
    expect(await statuses(url, 2, { 'x-name': '__proto__' })).toEqual([200, 429])
    expect(await statuses(url, 2)).toEqual([200, 429])
  })

  test('counts by the address if the user is null, and passes an error for any other value to next', async () => {
    const user = (req: IncomingMessage) =>
      (req.headers['x-user'] ? JSON.parse(String(req.headers['x-user'])) : null) as never
    const onError: Pipeline['onError'] = (error, _req, res) => void res.end((error as Error).message)
    const handler: Pipeline['handler'] = (req, res) => void res.end(rateLimitOf(req)?.key)
    const url = await serve({ rate: '9/m', user }, { handler, onError })
    await check(url, {}, { body: '127.0.0.1' })
    await check(url, { headers: { 'x-user': '"ada"' } }, { body: 'user:ada' })
    await check(url, { headers: { 'x-user': '7' } }, { body: 'user:7' })
    await check(
      url,
      { headers: { 'x-user': '{"id":7}' } },
      { body: 'ratelimit: user must return a string or undefined, got an object' },
    )
  })

  test('gives each key its own rate, and none to a key without one', async () => {
    const plans: Record<string, '1/m' | '2/m'> = { free: '1/m', paid: '2/m' }
    const url = await serve({ rate: async (key) => plans[key], by: (req) => req.headers['x-plan'] as string })
    expect(await statuses(url, 2, { 'x-plan': 'free' })).toEqual([200, 429])
    expect(await statuses(url, 3, { 'x-plan': 'paid' })).toEqual([200, 200, 429])
    await check(url, { headers: { 'x-plan': 'own' } }, { status: 200, headers: { 'x-ratelimit-limit': undefined } })
    await check(url, {}, { status: 200, headers: { 'x-ratelimit-limit': undefined } })
  })

  test('charges the cost of a request, at most the whole quota, and nothing for 0', async () => {
    const url = await serve({ rate: '5/m', cost: (req) => Number(req.headers['x-cost']) })
    await check(url, { headers: { 'x-cost': '0' } }, { body: '5' })
    await check(url, { headers: { 'x-cost': '3' } }, { body: '2' })
    await check(url, { headers: { 'x-cost': '3' } }, { status: 429, headers: { 'x-ratelimit-remaining': '2' } })
    time.advance(36_000)
    await check(url, { headers: { 'x-cost': '99' } }, { status: 200, body: '0' })
  })

  test.each([-1, 1.5, Number.NaN])('passes an error for a cost of %d to next', async (cost) => {
    const onError: Pipeline['onError'] = (error, _req, res) => void res.end((error as Error).message)
    const url = await serve({ rate: '5/m', cost: () => cost }, { onError })
    await check(url, {}, { body: `ratelimit: cost must be a non-negative integer, got ${cost}` })
  })

  test.each([
    { where: 'by', throws: 'now' },
    { where: 'by', throws: 'later' },
    { where: 'cost', throws: 'later' },
    { where: 'skip', throws: 'now' },
    { where: 'user', throws: 'later' },
  ])('passes an error of $where that throws $throws to next', async ({ where, throws }) => {
    const onError: Pipeline['onError'] = (error, _req, res) => void res.end((error as Error).message)
    const fail = (): never | Promise<never> => {
      if (throws === 'later') return Promise.reject(new Error('mine'))
      throw new Error('mine')
    }
    const url = await serve({ rate: '5/m', [where]: fail }, { onError })
    await check(url, {}, { body: 'mine' })
  })

  test('charges the final cost when the response has ended', async () => {
    const store = memoryStore({ now: time.now })
    let settled = (): void => {}
    const adjust: RateLimitStore['adjust'] = (charges) => {
      const outcomes = store.adjust(charges)
      settled()
      return outcomes
    }
    const handler: Pipeline['handler'] = (req, res) => {
      res.statusCode = Number(req.headers['x-status'])
      res.end(String(rateLimitOf(req)?.remaining))
    }
    const finalCost: RateLimitOptions['finalCost'] = (_req, res) => (res.statusCode < 400 ? 4 : 0)
    const url = await serve({ rate: '9/m', store: { ...store, adjust }, finalCost }, { handler })
    for (const [status, remaining] of [
      [500, '8'],
      [200, '8'],
      [500, '4'],
      [200, '4'],
    ] as const) {
      const done = new Promise<void>((resolve) => {
        settled = resolve
      })
      await check(url, { headers: { 'x-status': String(status) } }, { status, body: remaining })
      await done
    }
  })

  test('returns a lease when the response has ended', async () => {
    const open: (() => void)[] = []
    let free = (): void => {}
    const store = memoryStore({ now: time.now })
    const adjust: RateLimitStore['adjust'] = (charges) => {
      const outcomes = store.adjust(charges)
      free()
      return outcomes
    }
    const handler: Pipeline['handler'] = (req, res) => void open.push(() => res.end(req.url))
    const limit = { rate: '1/30s', algorithm: 'concurrency' } as const
    const url = await serve({ ...limit, store: { ...store, adjust }, headers: 'draft-11' }, { handler })
    const first = send(url, { path: '/first' })
    await expect.poll(() => open.length).toBe(1)
    const headers = { 'retry-after': '1', ratelimit: '"default";r=0' }
    await check(url, {}, { status: 429, headers })
    const freed = new Promise<void>((resolve) => {
      free = resolve
    })
    open.pop()?.()
    expect((await first).text).toBe('/first')
    await freed
    const second = send(url, { path: '/second' })
    await expect.poll(() => open.length).toBe(1)
    open.pop()?.()
    expect((await second).status).toBe(200)
  })

  test.each(['now', 'later'])('reports what onDecision throws %s, and continues', async (when) => {
    const warned: unknown[] = []
    const onWarning = vi.spyOn(process, 'emitWarning').mockImplementation((_message, options) => {
      warned.push((options as { code?: string }).code)
    })
    delete (globalThis as Record<symbol, unknown>)[Symbol.for('svc.warned')]
    const onDecision = (): Promise<never> => {
      if (when === 'later') return Promise.reject(new Error('metrics'))
      throw new Error('metrics')
    }
    const url = await serve({ rate: '2/m', onDecision: onDecision as () => void })
    await check(url, {}, { status: 200, headers: { 'x-ratelimit-remaining': '1' } })
    await check(url, {}, { status: 200 })
    expect(warned).toEqual(['WRN_RATELIMIT_HOOK_FAILED'])
    onWarning.mockRestore()
  })

  test('skips, allows and denies', async () => {
    const url = await serve({
      rate: '1/m',
      trustProxy: 1,
      allowList: ['192.0.2.0/24'],
      denyList: ['198.51.100.7'],
      skip: (req) => req.headers['x-skip'] !== undefined,
    })
    expect(await statuses(url, 2, { 'x-forwarded-for': '192.0.2.9' })).toEqual([200, 200])
    expect(await statuses(url, 2, { 'x-skip': '1' })).toEqual([200, 200])
    expect(await statuses(url, 2, { 'x-forwarded-for': '203.0.113.7' })).toEqual([200, 429])
    const body = { status: 403, message: 'Requests from this client are not accepted.' }
    await check(url, { headers: { 'x-forwarded-for': '1.1.1.1, 198.51.100.7' } }, { status: 403, body })
  })

  test('rejects nothing in reportOnly mode', async () => {
    const seen: (string | boolean)[] = []
    const url = await serve({
      rate: '1/m',
      reportOnly: true,
      onDecision: ({ allowed, reportOnly }) => seen.push(allowed, reportOnly),
      denyList: ['192.0.2.1'],
      trustProxy: 1,
    })
    await check(url, {}, { status: 200, headers: { 'x-ratelimit-limit': undefined } })
    await check(url, {}, { status: 200, headers: { 'retry-after': undefined } })
    expect(seen).toEqual([true, true, false, true])
    await check(url, { headers: { 'x-forwarded-for': '192.0.2.1' } }, { status: 200 })
  })

  test('counts a preflight, and sends no headers with its response', async () => {
    const url = await serve({ rate: '2/m' })
    const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'PUT' } }
    await check(url, preflight, { status: 200, headers: { 'x-ratelimit-limit': undefined } })
    await check(url, { method: 'OPTIONS' }, { status: 200, headers: { 'x-ratelimit-remaining': '0' } })
  })

  test('publishes each decision to a diagnostics channel', async () => {
    const messages: RateLimitEvent[] = []
    const listener = (message: unknown): void => void messages.push(message as RateLimitEvent)
    subscribe('svc:ratelimit:decision', listener)
    try {
      await check(await serve({ rate: '1/m' }), {}, { status: 200 })
    } finally {
      unsubscribe('svc:ratelimit:decision', listener)
    }
    expect(messages).toHaveLength(1)
    expect(messages[0]?.decision).toMatchObject({
      allowed: true,
      remaining: 0,
      key: '127.0.0.1',
      source: 'store',
      cost: 1,
    })
  })

  test('shares counters between limiters with the same store and group only', async () => {
    const store = memoryStore({ now: time.now })
    const url = await serve([
      { rate: '4/m', store, group: 'api' },
      { rate: '4/m', store, group: 'api' },
      { rate: '4/m', store, group: 'other' },
    ])
    await check(url, {}, { status: 200, body: '2' })
    await check(url, {}, { status: 200, body: '0' })
    await check(url, {}, { status: 429 })
  })

  test('adds jitter to Retry-After, never a negative one', async () => {
    const url = await serve({ rate: '1/10s', retryJitterSeconds: 5 })
    await check(url, {}, { status: 200 })
    for (let time = 0; time < 20; time++) {
      const { headers } = await check(url, {}, { status: 429 })
      expect(Number(headers['retry-after'])).toSatisfy((seconds: number) => seconds >= 10 && seconds <= 15)
    }
  })
})

test('allows exactly the limit within 100 ms, even across the edge of a window', async () => {
  const own = clock(Date.UTC(2026, 10, 21) + 950)
  const limiter = rateLimit({ rate: '10/1s', now: own.now })
  let allowed = 0
  for (let step = 0; step < 100; step++) {
    if ((await limiter.consume('k')).allowed) allowed++
    if (step % 2) own.advance(1)
  }
  expect(allowed).toBe(10)
})
