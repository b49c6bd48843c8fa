import type { IncomingMessage } from 'node:http'
import { rateLimit as createLimiter } from '@svc/ratelimit'
import {
  type AugmentedRequest,
  type ClientRateLimitInfo,
  type ExpressRateLimitOptions,
  type IncrementResponse,
  ipKeyGenerator,
  type LegacyStore,
  type Options,
  MemoryStore as OurMemoryStore,
  type RateLimitExceededEventHandler,
  type RateLimitInfo,
  rateLimit,
  type Store,
  type ValueDeterminingMiddleware,
} from '@svc/ratelimit/express-rate-limit'
import { fromExpressRateLimit } from '@svc/ratelimit/stores/express-rate-limit'
import express from 'express'
import { MemoryStore, rateLimit as original } from 'express-rate-limit'
import { Redis } from 'ioredis'
import { RedisStore } from 'rate-limit-redis'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { type Answer, check, send } from '../../internal/testing/check.ts'
import { hosts, listen, type RunningHost } from '../../internal/testing/hosts.ts'
import { startRedis } from '../../internal/testing/servers.ts'
import { countInMemory } from './drop-in-counter.ts'

const server = await startRedis()
const redis = server ? new Redis(server.url) : undefined
afterAll(async () => {
  redis?.disconnect()
  await server?.stop()
})

const running: RunningHost[] = []
afterEach(async () => {
  for (const host of running.splice(0)) await host.close()
})

type Make = (options: object) => unknown

async function serve(make: Make, options: object, host = 'express 5'): Promise<string> {
  const one = await listen(
    (hosts[host] as (typeof hosts)[string])({
      middlewares: [make({ validate: false, ...options }) as never],
      handler: (req, res) => {
        const { rateLimit: info } = req as { rateLimit?: RateLimitInfo & { current: number } }
        res.statusCode = Number(req.headers['x-status'] ?? 200)
        res.end(
          info
            ? `${info.limit} ${info.used} ${info.remaining} ${info.current} ${info.key} ${info.resetTime instanceof Date}`
            : 'none',
        )
      },
    }),
  )
  running.push(one)
  return one.url
}

async function sendAll(make: Make, options: { store?: unknown }, count = 3, headers = {}): Promise<Answer[]> {
  // A store that both can count in, with the same windows.
  const store = options.store === 'fixed' && { store: make === original ? new MemoryStore() : new OurMemoryStore() }
  const url = await serve(make, { ...options, ...store })
  const answers: Answer[] = []
  for (let request = 0; request < count; request++) answers.push(await send(url, { headers }))
  return answers
}

const comparable = ({ status, headers, text }: Answer, names: readonly string[]): unknown => ({
  status,
  text,
  type: headers['content-type'],
  ...Object.fromEntries(names.map((name) => [name, headers[name]])),
})

describe('the drop-in responds like express-rate-limit', () => {
  const limits = [
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-policy',
  ]
  test.each<{ what: string; options: ExpressRateLimitOptions; headers?: object; fields?: string[]; count?: number }>([
    { what: 'its defaults', options: {}, count: 7 },
    { what: 'limit', options: { limit: 2, windowMs: 60_000 } },
    { what: 'max', options: { max: 1 } },
    { what: 'a limit of 0', options: { limit: 0 }, fields: ['x-missing'] },
    { what: 'a limit that is a promise', options: { limit: async () => 2 } },
    { what: 'no legacy headers', options: { limit: 2, legacyHeaders: false } },
    { what: 'draft-6', options: { limit: 2, standardHeaders: true } },
    {
      what: 'draft-8',
      options: { limit: 2, standardHeaders: 'draft-8', store: 'fixed' as never },
      fields: ['ratelimit', 'ratelimit-policy', 'date'],
    },
    { what: 'no headers at all', options: { limit: 1, legacyHeaders: false }, fields: ['retry-after'] },
    { what: 'draft-7', options: { limit: 2, standardHeaders: 'draft-7' } },
    { what: 'a message', options: { limit: 1, message: 'slow down' } },
    { what: 'a JSON message', options: { limit: 1, message: { error: 'slow down' } } },
    { what: 'a message function', options: { limit: 1, message: async () => 'computed' } },
    { what: 'a status', options: { limit: 1, statusCode: 503 } },
    { what: 'a handler', options: { limit: 1, handler: (_req, res) => void res.end('handled') } },
    { what: 'a key', options: { limit: 1, keyGenerator: async () => 'mine' } },
    { what: 'skip', options: { limit: 1, skip: async () => true } },
    { what: 'another property', options: { limit: 2, requestPropertyName: 'other' } },
    { what: 'Retry-After', options: { limit: 1, retryAfter: () => 77 }, fields: ['retry-after'] },
  ])('with $what', async ({ options, fields = [], count }) => {
    const [ours, theirs] = await Promise.all([
      sendAll(rateLimit as Make, options, count),
      sendAll(original as Make, options, count),
    ])
    const names = [...limits, ...fields]
    expect(ours.map((answer) => comparable(answer, names))).toEqual(theirs.map((answer) => comparable(answer, names)))
  })

  test.each([
    { options: { skipFailedRequests: true }, status: '500', left: '2' },
    { options: { skipFailedRequests: true }, status: '200', left: '1' },
    { options: { skipSuccessfulRequests: true }, status: '200', left: '2' },
    { options: { skipSuccessfulRequests: true, requestWasSuccessful: () => false }, status: '200', left: '1' },
  ])('counts with $options at status $status', async ({ options, status, left }) => {
    for (const make of [rateLimit, original] as Make[]) {
      const url = await serve(make, { limit: 3, ...options })
      await send(url, { headers: { 'x-status': status } })
      await expect
        .poll(async () => (await send(url, { headers: { 'x-status': status } })).headers['x-ratelimit-remaining'])
        .toBe(left)
    }
  })

  test('a failed request takes only its own hit back', async () => {
    for (const make of [rateLimit, original] as Make[]) {
      const url = await serve(make, { limit: 5, skipFailedRequests: true })
      await send(url)
      await send(url, { headers: { 'x-status': '500' } })
      await expect
        .poll(async () => (await send(url, { headers: { 'x-status': '500' } })).headers['x-ratelimit-remaining'])
        .toBe('3')
    }
  })

  test.each([{ keys: [1, 2, 3] }, { keys: [undefined, undefined] }])('counts the keys $keys', async ({ keys }) => {
    for (const make of [rateLimit, original] as Make[]) {
      let count = 0
      const url = await serve(make, { limit: 1, keyGenerator: () => keys[count++] })
      const statuses: number[] = []
      for (const _ of keys) statuses.push((await send(url)).status)
      expect(statuses).toEqual(keys.map((key, index) => ((keys as unknown[]).indexOf(key) === index ? 200 : 429)))
    }
  })

  test('the drop-in runs on plain node:http, unlike express-rate-limit', async () => {
    const url = await serve(rateLimit as Make, { limit: 1, message: { error: 'slow' } }, 'node:http')
    await check(url, {}, { status: 200, body: '1 1 0 1 127.0.0.1 true' })
    const headers = { 'content-type': 'application/json; charset=utf-8', 'retry-after': '60' }
    await check(url, {}, { status: 429, body: { error: 'slow' }, headers })
  })

  test('the drop-in has the methods of express-rate-limit, which return promises', async () => {
    const limiter = rateLimit({ limit: 2 })
    expect(await limiter.getKey('127.0.0.1')).toBeUndefined()
    const url = await serve(() => limiter, {})
    await send(url)
    expect((await limiter.getKey('127.0.0.1'))?.totalHits).toBe(1)
    await limiter.resetKey('127.0.0.1')
    expect(await limiter.getKey('127.0.0.1')).toBeUndefined()
    expect([limiter.getKey('k'), limiter.resetKey('k')]).toEqual([expect.any(Promise), expect.any(Promise)])
  })

  test('the drop-in has the types of express-rate-limit for Express apps', async () => {
    const handler: RateLimitExceededEventHandler = (req, res, _next, options) =>
      res.status(options.statusCode).send(`${req.method} ${req.path}: ${options.message}`)
    const options: Partial<Options> = {
      limit: 1,
      message: 'slow',
      keyGenerator: (req) => req.ip ?? '',
      skip: (req) => req.path === '/health',
      handler,
    }
    const url = await serve(() => rateLimit(options), {})
    for (const path of ['/health', '/health', '/a']) await check(url, { path }, { status: 200 })
    await check(url, { path: '/a' }, { status: 429, body: 'GET /a: slow' })
  })

  test('the drop-in accepts the types of Express and of node:http', () => {
    rateLimit<express.Request, express.Response>({
      limit: (req) => (req.query['plan'] === 'paid' ? 9 : 1),
      handler: (_req, res, _next, options) => res.status(options.statusCode).send(options.message),
    })
    rateLimit({ keyGenerator: (req: IncomingMessage) => req.socket.remoteAddress ?? '' })
    const count: ValueDeterminingMiddleware<number> = async (req) => (req.get('x-plan') ? 9 : 1)
    const empty: ClientRateLimitInfo & IncrementResponse = { totalHits: 0, resetTime: undefined }
    const store: Store = { increment: () => empty, decrement() {}, resetKey() {}, resetAll() {}, localKeys: true }
    const legacy: LegacyStore = { incr: (_key, done) => done(undefined, 1, undefined), decrement() {}, resetKey() {} }
    for (const each of [store, legacy]) rateLimit({ limit: count, store: each })
    const readUsed = (req: AugmentedRequest): number | undefined => req['rateLimit']?.used
    expect(readUsed({ rateLimit: { used: 3 } } as never)).toBe(3)
  })

  test.each([rateLimit, original] as Make[])('the key is the ip that the app has set: %o', async (make) => {
    const app = express()
    app.use((req, _res, next) => {
      Object.defineProperty(req, 'ip', { value: req.headers['cf-connecting-ip'] })
      next()
    })
    app.use(make({ limit: 1, validate: false }) as never, (_req, res) => void res.end())
    const host = await listen(app)
    running.push(host)
    for (const ip of ['203.0.113.1', '203.0.113.2'])
      for (const status of [200, 429]) await check(host.url, { headers: { 'cf-connecting-ip': ip } }, { status })
  })

  test.each([undefined, Number.NaN, 'many'])('a limit of %s is an error', async (limit) => {
    const url = await serve(rateLimit as Make, { limit: () => limit })
    await check(url, {}, { status: 500, headers: { 'x-ratelimit-limit': undefined } })
  })

  test('the drop-in rejects concurrency, whose leases it cannot return', () => {
    expect(() => rateLimit({ algorithm: 'concurrency' as never })).toThrow(
      'ratelimit: algorithm must be one of gcra, sliding-counter, sliding-log, fixed-window, token-bucket, got "concurr',
    )
  })

  test('the drop-in rejects an invalid store or logger', () => {
    expect(() => rateLimit({ store: {} as never })).toThrow(
      'store must have increment (or incr), decrement and resetKey',
    )
    expect(() => rateLimit({ logger: { error: 'console' } as never })).toThrow('logger must have the methods error and')
  })

  test.each([0, -1, Number.NaN, 1e15])('the drop-in cannot count a window of %s ms', (windowMs) => {
    expect(() => rateLimit({ windowMs })).toThrow('ratelimit: windowMs must be an integer from 1 to 31622400000')
  })

  test('the drop-in names a limit that its algorithm cannot count', () => {
    expect(() => rateLimit({ algorithm: 'sliding-log', limit: 20_000 })).toThrow('limit must be at most 10000 with')
  })

  test.each([2e9, Number.MAX_VALUE, Number.POSITIVE_INFINITY])('the drop-in allows a limit of %s', async (limit) => {
    for (const value of [limit, () => limit]) {
      const url = await serve(rateLimit as Make, { limit: value, windowMs: 1000 / 3 })
      await check(url, {}, { status: 200, headers: { 'x-ratelimit-limit': String(limit) } })
    }
  })

  test('getKey returns the count of the limit that has counted most', async () => {
    const limiter = rateLimit({ limit: ({ headers }) => Number(headers['x-limit']) })
    expect(await limiter.getKey('127.0.0.1')).toBeUndefined()
    const url = await serve(() => limiter, {})
    for (const limit of ['9', '8', '8']) await send(url, { headers: { 'x-limit': limit } })
    expect(await limiter.getKey('127.0.0.1')).toMatchObject({ totalHits: 2, resetTime: expect.any(Date) })
  })

  test.each([
    [{ limt: 5 }, 'unknown option "limt", did you mean "limit"?'],
    [{ standardHeaders: 'draft-9' }, 'standardHeaders must be one of draft-6, draft-7, draft-8, got "draft-9"'],
    [{ ipv6Subnet: 4 }, 'ipv6Subnet must be an integer from 32 to 64 or false, got 4'],
  ])('the drop-in warns about %j, and continues', async (options, message) => {
    const logger = { error: vi.fn(), warn: vi.fn() }
    const url = await serve(rateLimit as Make, { validate: true, logger, limit: 1, ...options })
    expect(logger.error).toHaveBeenCalledWith(expect.objectContaining({ message: expect.stringContaining(message) }))
    await check(url, {}, { status: 200, headers: { 'x-ratelimit-limit': '1', ratelimit: undefined } })
    await check(url, {}, { status: 429 })
  })
})

test.each([
  { ip: '203.0.113.7', subnet: undefined, key: '203.0.113.7' },
  { ip: '2001:db8:1:2ff::1', subnet: undefined, key: '2001:db8:1:200::/56' },
  { ip: '2001:db8:1:2ff::1', subnet: 64, key: '2001:db8:1:2ff::/64' },
  { ip: '2001:db8::1', subnet: false as const, key: '2001:db8::1' },
  { ip: '::ffff:1.2.3.4', subnet: undefined, key: '1.2.3.4' },
  { ip: '::ffff:102:304', subnet: false as const, key: '1.2.3.4' },
  { ip: '::ffff:1.2.3.4', subnet: false as const, key: '1.2.3.4' },
  { ip: '::1.2.3.4', subnet: false as const, key: '1.2.3.4' },
  { ip: '::1', subnet: undefined, key: '::/56' },
  { ip: 'unix', subnet: undefined, key: 'unix' },
])('ipKeyGenerator counts $ip at $subnet by $key', ({ ip, subnet, key }) => {
  expect(ipKeyGenerator(ip, subnet)).toBe(key)
})

describe('a store for express-rate-limit', () => {
  test('counts hits, refunds rejected ones, and reads counts', async () => {
    const store = new MemoryStore()
    const limiter = createLimiter({ rate: '5/m', store: fromExpressRateLimit(store) })
    expect(await limiter.consume('k', 3)).toMatchObject({ allowed: true, remaining: 2 })
    expect(await limiter.consume('k', 3)).toMatchObject({ allowed: false, remaining: 2 })
    expect(await limiter.consume('k', 2)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await limiter.consume('k')).toMatchObject({ allowed: false, remaining: 0 })
    expect(await limiter.peek('k')).toMatchObject({ allowed: false, resetMs: expect.closeTo(60_000, -3) })
    await limiter.reset('k')
    expect(await limiter.peek('k')).toMatchObject({ allowed: true, remaining: 5 })
    expect(await limiter.penalty('k', 2)).toMatchObject({ remaining: 3 })
    expect(await limiter.reward('k')).toMatchObject({ remaining: 4 })
    store.shutdown()
  })

  test('counts in windows, so that a refund returns the whole charge while its window lasts', async () => {
    let time = 1_000_000
    const store = fromExpressRateLimit({
      increment: () => ({ totalHits: ++hits, resetTime: new Date(Date.now() + 150) }),
      decrement: () => void hits--,
      resetKey: () => {},
    })
    let hits = 0
    const limiter = createLimiter({ rate: '10/1s', store, warnings: false, now: () => time })
    const decision = await limiter.consume('k', 8)
    time += 100
    await limiter.refund(decision)
    expect([hits, decision.algorithm]).toEqual([0, 'fixed-window'])
  })

  test('waits for the hits of a penalty, and reports one that fails', async () => {
    const store = new MemoryStore()
    const count = store.increment.bind(store)
    const increment = vi.spyOn(store, 'increment').mockImplementation(async (key) => {
      await new Promise((resolve) => setImmediate(resolve))
      return count(key)
    })
    const limiter = createLimiter({
      rate: '5/m',
      store: fromExpressRateLimit(store),
      onStoreError: 'reject',
      warnings: false,
    })
    expect(await limiter.penalty('k', 2)).toMatchObject({ remaining: 3 })
    increment.mockRejectedValue(new Error('ECONNREFUSED'))
    await expect(limiter.penalty('k')).rejects.toMatchObject({ status: 503, cause: { message: 'ECONNREFUSED' } })
    store.shutdown()
  })

  test('rejects unsupported calls', async () => {
    const options = { onStoreError: 'reject', warnings: false } as const
    const two = createLimiter({
      limits: [{ rate: '5/m' }, { rate: '5/h' }],
      store: fromExpressRateLimit(new MemoryStore()),
      ...options,
    })
    const unsupported = { code: 'ERR_RATELIMIT_UNSUPPORTED' }
    await expect(two.consume('k')).rejects.toMatchObject({
      ...unsupported,
      message: expect.stringContaining('limits must have one entry'),
    })
    const one = createLimiter({ rate: '5/m', store: fromExpressRateLimit(new MemoryStore()), ...options })
    await expect(one.block('k', 1000)).rejects.toMatchObject({
      ...unsupported,
      message: expect.stringContaining('cannot block'),
    })
  })

  test('rejects reading a count from a store that has no get, and reads the reply of a penalty', async () => {
    const store = new MemoryStore()
    Object.defineProperty(store, 'get', { value: undefined })
    const limiter = createLimiter({ rate: '5/m', store: fromExpressRateLimit(store), warnings: false })
    expect(await limiter.consume('k', 3)).toMatchObject({ source: 'store', remaining: 2 })
    await expect(limiter.peek('k')).rejects.toThrow('cannot read the count of a key')
    await expect(limiter.consume('k', 0)).rejects.toMatchObject({ code: 'ERR_RATELIMIT_UNSUPPORTED' })
    expect(await limiter.penalty('k')).toMatchObject({ source: 'store', remaining: 1 })
    await limiter.refund(await limiter.consume('k'))
    expect(await limiter.consume('k')).toMatchObject({ allowed: true, remaining: 0 })
    store.shutdown()
  })

  test('stays in use after unsupported calls', async () => {
    const store = new MemoryStore()
    const limiter = createLimiter({ rate: '5000/m', store: fromExpressRateLimit(store), warnings: false })
    for (let call = 0; call < 6; call++) {
      await expect(limiter.consume('greedy', 1001)).rejects.toThrow('cost must be at most 1000')
      await expect(limiter.block('k', 1000)).rejects.toThrow(TypeError)
    }
    expect(await limiter.consume('k')).toMatchObject({ source: 'store', remaining: 4999 })
    store.shutdown()
  })

  test.skipIf(!redis)(
    'rate-limit-redis works unchanged, and continues the counts of express-rate-limit (needs redis-server)',
    async () => {
      const sendCommand = (...[command = '', ...args]: string[]) => redis?.call(command, ...args) as Promise<string>
      const options = { limit: 3, windowMs: 60_000 }
      const store = () => new RedisStore({ sendCommand, prefix: 'theirs:' })
      const before = await serve(original as Make, { ...options, store: store() })
      await check(before, {}, { status: 200, headers: { 'x-ratelimit-remaining': '2' } })
      const url = await serve(rateLimit as Make, { ...options, store: store() })
      await check(url, {}, { status: 200, body: '3 2 1 2 127.0.0.1 true', headers: { 'x-ratelimit-remaining': '1' } })
      await check(url, {}, { status: 200, headers: { 'x-ratelimit-remaining': '0' } })
      await check(url, {}, { status: 429, body: 'Too many requests, please try again later.' })
    },
  )
})

describe('a store for express-rate-limit in the drop-in', () => {
  // Replies of a store later than the deadline of the limiters of this package.
  class SlowStore extends MemoryStore {
    override async increment(key: string) {
      const info = { ...(await super.increment(key)) }
      await new Promise((resolve) => setTimeout(resolve, 80))
      return info
    }
  }

  test.each([rateLimit, original] as Make[])('may take 80 ms per call: %o', async (make) => {
    const url = await serve(make, { limit: 2, store: new SlowStore() })
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await send(url)).status))
    expect(statuses.sort()).toEqual([200, 200, ...Array(6).fill(429)])
  })

  test('has a configurable timeout', async () => {
    // A reply that has arrived counts, also if the process stood still until then.
    const store = Object.assign(new MemoryStore(), { increment: () => new Promise<never>(() => {}) })
    const options = { limit: 2, store, storeTimeoutMs: 5 }
    await check(await serve(rateLimit as Make, options), {}, { status: 503 })
    await check(
      await serve(rateLimit as Make, { ...options, passOnStoreError: true }),
      {},
      { status: 200, body: 'none' },
    )
  })

  test.each([rateLimit, original] as Make[])(
    'does not count rejected requests with skipFailedRequests: %o',
    async (make) => {
      const store = new MemoryStore()
      const url = await serve(make, { limit: 2, skipFailedRequests: true, store })
      for (let request = 0; request < 5; request++) await send(url, { headers: { 'x-status': '500' } })
      for (let request = 0; request < 2; request++) await check(url, {}, { status: 200 })
      for (let request = 0; request < 3; request++) await check(url, {}, { status: 429 })
      await expect.poll(async () => (await store.get('127.0.0.1'))?.totalHits).toBe(2)
    },
  )

  test.each([rateLimit, original] as Make[])('loses no hit of the next window to a long request: %o', async (make) => {
    const decrement = vi.fn(() => Promise.resolve())
    const store = {
      increment: () => Promise.resolve({ totalHits: 1, resetTime: new Date(Date.now() - 1) }),
      decrement,
      resetKey: () => Promise.resolve(),
    }
    const url = await serve(make, { limit: 2, skipSuccessfulRequests: true, store })
    await check(url, {}, { status: 200 })
    await new Promise((resolve) => setImmediate(resolve))
    expect(decrement).not.toHaveBeenCalled()
  })

  test('may have the callbacks of version 5', async () => {
    let hits = 0
    const store = {
      incr: (_key: string, done: (error: undefined, hits: number, reset: Date) => void) =>
        done(undefined, ++hits, new Date(Date.now() + 60_000)),
      decrement: () => {},
      resetKey: () => void (hits = 0),
    }
    const limiter = rateLimit({ limit: 1, store })
    const url = await serve(() => limiter, {})
    expect([(await send(url)).status, (await send(url)).status]).toEqual([200, 429])
    await limiter.resetKey('127.0.0.1')
    expect((await send(url)).status).toBe(200)
  })

  test('gets all options when the limiter is created, and its errors are reported', () => {
    const init = vi.fn(() => {
      throw new Error('no connection')
    })
    const logger = { error: vi.fn(), warn: vi.fn() }
    const methods = { increment: vi.fn(), decrement: vi.fn(), resetKey: vi.fn() }
    rateLimit({ windowMs: 5000, limit: 7, logger, store: { ...methods, init } })
    expect(init).toHaveBeenCalledWith(expect.objectContaining({ windowMs: 5000, limit: 7, statusCode: 429 }))
    expect(logger.error).toHaveBeenCalledWith(
      expect.objectContaining({ message: 'no connection' }),
      expect.stringContaining('error during store initialization'),
    )
  })
})

test.each([
  { algorithm: 'gcra', ms: 23_999, isRefunded: true },
  { algorithm: 'gcra', ms: 24_000, isRefunded: false },
  { algorithm: 'fixed-window', ms: 59_999, isRefunded: true },
  { algorithm: 'fixed-window', ms: 60_000, isRefunded: false },
  { algorithm: 'sliding-log', ms: 69_999, isRefunded: true },
  { algorithm: 'sliding-log', ms: 70_000, isRefunded: false },
] as const)('a request of the drop-in is refunded unless time has restored it: $algorithm, $ms ms', async (row) => {
  const time = vi.spyOn(Date, 'now').mockReturnValue(1_800_000)
  const counter = countInMemory(60_000, row.algorithm)
  await counter.increment('k', 5)
  time.mockReturnValue(1_810_000)
  const hit = await counter.increment('k', 5)
  time.mockReturnValue(1_800_000 + row.ms)
  while ((await counter.increment('k', 5)).isAllowed);
  await counter.decrement('k', 5, hit)
  expect((await counter.increment('k', 5)).isAllowed).toBe(row.isRefunded)
  time.mockRestore()
})

test('MemoryStore counts in windows that start with the first request, and refunds hits', async () => {
  const time = vi.spyOn(Date, 'now').mockReturnValue(1_000_000)
  const store = new OurMemoryStore()
  store.init({ windowMs: 1000 })
  expect(await store.increment('a')).toEqual({ totalHits: 1, resetTime: new Date(1_001_000) })
  time.mockReturnValue(1_000_900)
  expect(await store.increment('a')).toEqual({ totalHits: 2, resetTime: new Date(1_001_000) })
  expect(await store.increment('b')).toMatchObject({ totalHits: 1 })
  await store.decrement('a')
  expect(await store.get('a')).toMatchObject({ totalHits: 1 })
  time.mockReturnValue(1_001_000)
  expect(await store.get('a')).toBeUndefined()
  expect(await store.increment('a')).toEqual({ totalHits: 1, resetTime: new Date(1_002_000) })
  expect(await store.get('b')).toMatchObject({ totalHits: 1 })
  await store.resetKey('b')
  expect(await store.get('b')).toBeUndefined()
  store.shutdown()
  expect(await store.get('a')).toBeUndefined()
  time.mockRestore()
})
