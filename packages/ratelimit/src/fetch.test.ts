import { rateLimit, rateLimitOf } from '@svc/ratelimit/fetch'
import { Hono } from 'hono'
import { describe, expect, test, vi } from 'vitest'
import { copyFacts } from '../../internal/fetch-middleware.ts'
import { clock } from '../../internal/testing/clock.ts'

const url = 'https://api.example/orders?x=1'
const ok = () => new Response('ok')
const time = clock()

test('adds the headers to responses, and rejects with 429 and a JSON error record', async () => {
  const limit = rateLimit({ rate: '1/m', ip: () => '203.0.113.7', now: time.now })
  const first = await limit(new Request(url), ok)
  expect([first.status, await first.text(), first.headers.get('x-ratelimit-remaining')]).toEqual([200, 'ok', '0'])
  const next = vi.fn(ok)
  const second = await limit(new Request(url), next)
  expect(next).not.toHaveBeenCalled()
  expect(second.status).toBe(429)
  expect(Object.fromEntries(second.headers)).toMatchObject({
    'retry-after': '60',
    'x-ratelimit-limit': '1',
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  })
  expect(await second.json()).toMatchObject({ status: 429, code: 'ERR_RATELIMIT_EXCEEDED', path: '/orders' })
  expect((await limit.peek('203.0.113.7')).remaining).toBe(0)
})

test('counts by the address behind trusted proxies or by a key, and sets the decision', async () => {
  const by = rateLimit({ rate: '2/m', by: (request) => request.headers.get('x-api-key') ?? undefined, now: time.now })
  const request = new Request(url, { headers: { 'x-api-key': 'ada' } })
  await by(request, (counted) => {
    expect(rateLimitOf(counted)).toMatchObject({ key: 'ada', remaining: 1 })
    return new Response()
  })
  expect((await by(new Request(url), ok)).headers.has('x-ratelimit-limit')).toBe(false)
  const proxied = rateLimit({ rate: '1/m', ip: () => '10.0.0.1', trustProxy: ['10.0.0.0/8'], now: time.now })
  const from = (address: string) => new Request(url, { headers: { 'x-forwarded-for': `1.1.1.1, ${address}` } })
  expect((await proxied(from('192.0.2.1'), ok)).status).toBe(200)
  expect((await proxied(from('192.0.2.1'), ok)).status).toBe(429)
  expect((await proxied(from('192.0.2.2'), ok)).status).toBe(200)
})

test('sends the headers of all limiters, those of the tighter one where there is one only', async () => {
  const shared = { by: 'global', ip: () => '::1', headers: ['x-ratelimit', 'draft-11'], now: time.now } as const
  const outer = rateLimit({ name: 'ip', rate: '1000/m', ...shared })
  const inner = rateLimit({ name: 'user', rate: '1/m', ...shared })
  // As idempotency() of @svc/idempotency copies a request with a body.
  const handle = () => outer(new Request(url), (request) => inner(copyFacts(request, request.clone()), ok))
  for (const [status, states] of [
    [200, '"ip";r=999;t=1, "user";r=0;t=60'],
    [429, '"ip";r=998;t=1, "user";r=0;t=60'],
  ] as const) {
    const { status: actual, headers } = await handle()
    expect([actual, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([status, '1', '0'])
    expect(headers.get('ratelimit')).toBe(states)
  }
})

test('charges the final cost when the body has ended', async () => {
  const finalCost = (_request: Request, response: Response) => (response.status < 400 ? 3 : 0)
  const limit = rateLimit({ rate: '9/m', by: 'global', ip: () => '::1', finalCost, now: time.now })
  const response = await limit(new Request(url), ok)
  expect((await limit.peek('global')).remaining).toBe(8)
  expect(await response.text()).toBe('ok')
  expect((await limit.peek('global')).remaining).toBe(6)
  await limit(new Request(url), () => new Response(null, { status: 500 }))
  expect((await limit.peek('global')).remaining).toBe(6)
})

test.each(['now', 'later'])('keeps the original cost, with a warning, if finalCost throws %s', async (when) => {
  const onWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const finalCost = (): Promise<never> => {
    if (when === 'later') return Promise.reject(new Error('metering is down'))
    throw new Error('metering is down')
  }
  const limit = rateLimit({ rate: '9/m', by: 'global', ip: () => '::1', finalCost, now: time.now })
  const response = await limit(new Request(url), () => new Response('paid', { status: 201 }))
  expect([response.status, await response.text()]).toEqual([201, 'paid'])
  expect((await limit.peek('global')).remaining).toBe(8)
  const code = 'WRN_RATELIMIT_FINAL_COST_FAILED'
  expect(onWarning.mock.calls).toEqual([[expect.stringContaining('metering is down'), { type: 'SvcWarning', code }]])
  onWarning.mockRestore()
})

test.each<[string, Response | undefined]>([
  ['an upgrade to WebSocket', Object.defineProperty(new Response(), 'status', { value: 101 })],
  ['a network error', Response.error()],
  ['no response, as Bun allows after an upgrade', undefined],
])('returns %s as it is', async (_what, response) => {
  for (const algorithm of ['gcra', 'concurrency'] as const) {
    const limit = rateLimit({ rate: '1/m', algorithm, by: 'global', ip: () => '::1', now: time.now })
    expect(await limit(new Request(url), () => response as Response)).toBe(response)
    if (algorithm === 'concurrency') expect((await limit.peek('global')).remaining).toBe(1)
  }
})

describe('a lease', () => {
  const serve = () => {
    const limit = rateLimit({ rate: '1/30s', algorithm: 'concurrency', by: 'global', ip: () => '::1', now: time.now })
    const left = async (): Promise<number> => (await limit.peek('global')).remaining
    return { limit, left }
  }
  const stream = (end: 'close' | 'error') => {
    const chunks = ['a', 'b'].map((text) => new TextEncoder().encode(text))
    const cancel = vi.fn()
    const pull = (controller: ReadableStreamDefaultController): void => {
      const chunk = chunks.shift()
      if (chunk) controller.enqueue(chunk)
      else if (end === 'close') controller.close()
      else controller.error(new Error('mine'))
    }
    return {
      cancel,
      handler: () => new Response(new ReadableStream({ pull, cancel }), { status: 201, statusText: 'New' }),
    }
  }

  test('is returned when the body has ended', async () => {
    const { limit, left } = serve()
    const response = await limit(new Request(url), stream('close').handler)
    expect([response.status, response.statusText, await left()]).toEqual([201, 'New', 0])
    expect((await limit(new Request(url), ok)).status).toBe(429)
    expect([await response.text(), await left()]).toEqual(['ab', 1])
  })

  test('is returned when the body fails', async () => {
    const { limit, left } = serve()
    const response = await limit(new Request(url), stream('error').handler)
    expect(await left()).toBe(0)
    await expect(response.text()).rejects.toThrow('mine')
    expect(await left()).toBe(1)
  })

  test('is returned when the client disconnects', async () => {
    const { limit, left } = serve()
    const { handler, cancel } = stream('close')
    const reader = (await limit(new Request(url), handler)).body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('a')
    expect(await left()).toBe(0)
    await reader?.cancel('gone')
    expect(cancel).toHaveBeenCalledWith('gone')
    expect(await left()).toBe(1)
  })

  test.each([
    ['the response has no body', 'GET', () => new Response(null, { status: 204 })],
    ['the body is not sent', 'HEAD', ok],
  ])('is returned at once if %s', async (_what, method, handler) => {
    const { limit, left } = serve()
    await limit(new Request(url, { method }), handler)
    expect(await left()).toBe(1)
  })

  test('is returned if the handler throws', async () => {
    const { limit } = serve()
    for (let call = 0; call < 2; call++)
      await expect(limit(new Request(url), () => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
  })
})

test.each([
  ['throw', undefined],
  [(error: { code: string }) => new Response(error.code, { status: 418 }), 'ERR_RATELIMIT_DENIED'],
] as const)('rejects as onRefused says', async (onRefused, text) => {
  const limit = rateLimit({
    rate: '1/m',
    ip: () => '192.0.2.1',
    denyList: ['192.0.2.1'],
    onRefused: onRefused as 'throw',
  })
  const response = Promise.resolve(limit(new Request(url), ok))
  if (text) expect(await (await response).text()).toBe(text)
  else await expect(response).rejects.toMatchObject({ status: 403, code: 'ERR_RATELIMIT_DENIED' })
})

test('works in Hono', async () => {
  const limit = rateLimit({ rate: '1/m', by: 'global', ip: () => '::1', now: time.now })
  const app = new Hono()
  app.use(async (context, next) => {
    context.res = await limit(context.req.raw, async () => {
      await next()
      return context.res
    })
  })
  app.get('/', (context) => context.text('hono'))
  const [first, second] = [await app.request('/'), await app.request('/')]
  expect([first.status, await first.text(), first.headers.get('x-ratelimit-remaining')]).toEqual([200, 'hono', '0'])
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '60'])
})

test('rejects invalid options', () => {
  expect(() => rateLimit({ rate: '1/m', ip: 'x' as never })).toThrow('ratelimit: ip must be a function, got "x"')
  expect(() => rateLimit({ limt: 1 } as never)).toThrow('ratelimit: unknown option "limt"')
})
