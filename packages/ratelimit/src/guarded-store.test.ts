import { createServer, type Socket } from 'node:net'
import { memoryStore, type RateLimitStore, ratelimit } from '@svc/ratelimit'
import { redisStore } from '@svc/ratelimit/stores/redis'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { check, send } from '../../internal/testing/check.ts'
import { clock } from '../../internal/testing/clock.ts'
import { hosts, listen } from '../../internal/testing/hosts.ts'
import { freePort, startRedis } from '../../internal/testing/servers.ts'
import { circuitBreaker } from './breaker.ts'

const warned: { code: string; message: string }[] = []
vi.spyOn(process, 'emitWarning').mockImplementation(((message: string, { code }: { code: string }) => {
  warned.push({ code, message })
}) as never)

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  warned.length = 0
})

describe('circuitBreaker', () => {
  test('opens after five failures in ten seconds', () => {
    const breaker = circuitBreaker()
    for (const now of [0, 2000, 4000, 6000]) breaker.fail(now)
    expect(breaker.allows(6000)).toBe(true)
    breaker.fail(10_001)
    expect(breaker.allows(10_001)).toBe(true)
    breaker.fail(10_002)
    expect(breaker.allows(10_002)).toBe(false)
  })

  test('lets one through after its pause, and doubles the pause up to 30 s while that fails', () => {
    const breaker = circuitBreaker()
    let now = 0
    for (let failure = 0; failure < 5; failure++) breaker.fail(now)
    for (const pause of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      expect(breaker.allows(now + pause - 1)).toBe(false)
      now += pause
      expect([breaker.allows(now), breaker.allows(now)]).toEqual([true, false])
      breaker.fail(now)
    }
    breaker.succeed()
    expect([breaker.allows(now), breaker.allows(now)]).toEqual([true, true])
  })
})

/** A store that fails in a way, until it is told not to. */
function trouble(kind: 'throws' | 'rejects' | 'hangs' | 'misanswers') {
  const store = memoryStore()
  let broken = true
  let calls = 0
  const consume: RateLimitStore['consume'] = (charges) => {
    calls++
    if (!broken) return store.consume(charges)
    if (kind === 'misanswers') return Promise.resolve([])
    if (kind === 'throws') throw new Error('ECONNREFUSED')
    return kind === 'rejects' ? Promise.reject(new Error('ECONNREFUSED')) : new Promise<never>(() => {})
  }
  return { store: { ...store, consume }, calls: () => calls, mend: () => void (broken = false) }
}

describe.each(['throws', 'rejects', 'hangs', 'misanswers'] as const)('a store that %s', (kind) => {
  const serve = async (options: object): Promise<string> => {
    const limiter = ratelimit({ rate: '4/m', storeTimeoutMs: 20, ...options })
    const host = await listen(
      (hosts['node:http'] as (typeof hosts)[string])({
        middlewares: [limiter],
        handler: (_req, res) => void res.end('on'),
      }),
    )
    closing.push(host.close)
    return host.url
  }
  const statuses = async (url: string, count: number): Promise<number[]> => {
    const all: number[] = []
    for (let time = 0; time < count; time++) all.push((await send(url)).status)
    return all
  }

  test('local: this process counts its part alone, and writes no fields', async () => {
    const url = await serve({ store: trouble(kind).store, instances: 2 })
    await check(url, {}, { status: 200, body: 'on', headers: { 'x-ratelimit-limit': undefined } })
    await check(url, {}, { status: 200 })
    await check(url, {}, { status: 429, headers: { 'retry-after': '30', 'x-ratelimit-limit': undefined } })
  })

  test('local: a lease is given back to this process when its response has ended', async () => {
    const url = await serve({ rate: '1/1h', algorithm: 'concurrency', store: trouble(kind).store })
    await check(url, {}, { status: 200 })
    await expect.poll(async () => (await send(url)).status).toBe(200)
    await expect.poll(async () => (await send(url)).status).toBe(200)
  })

  test('local: what was taken in this process is given back there', async () => {
    const limiter = ratelimit({ rate: '4/1h', store: trouble(kind).store, storeTimeoutMs: 20, instances: 2 })
    const decision = await limiter.consume('k', 2)
    expect(decision).toMatchObject({ source: 'local', remaining: 0 })
    await limiter.refund(decision)
    expect(await limiter.peek('k')).toMatchObject({ source: 'local', remaining: 2 })
  })

  test('is spoken of once a minute when it comes and goes', async () => {
    const time = clock()
    const { store } = trouble(kind)
    const fine = memoryStore()
    let turn = 0
    const consume: RateLimitStore['consume'] = (charges) => (turn++ % 2 ? fine : store).consume(charges)
    const limiter = ratelimit({ rate: '100/m', store: { ...store, consume }, storeTimeoutMs: 20, now: time.now })
    for (let call = 0; call < 8; call++) await limiter.consume('k')
    expect(warned.map(({ code }) => code)).toEqual(['WRN_RATELIMIT_STORE_DOWN', 'WRN_RATELIMIT_STORE_UP'])
    time.advance(60_000)
    await limiter.consume('k')
    expect(warned).toHaveLength(3)
  })

  test('open: nothing is limited', async () => {
    expect(await statuses(await serve({ store: trouble(kind).store, onStoreError: 'open' }), 8)).toEqual(
      Array(8).fill(200),
    )
  })

  test('closed: everything gets 503 with Retry-After', async () => {
    const url = await serve({ store: trouble(kind).store, onStoreError: 'closed' })
    const headers = { 'retry-after': '1', 'cache-control': 'no-store' }
    const body = { status: 503, message: 'The rate limit cannot be checked at the moment.' }
    for (let time = 0; time < 7; time++) await check(url, {}, { status: 503, headers, body })
  })

  test('is asked again after its pause, also when the system clock was set back', async () => {
    const { store, calls } = trouble(kind)
    const limiter = ratelimit({ rate: '100/m', store, storeTimeoutMs: 20 })
    for (let call = 0; call < 6; call++) await limiter.consume('k')
    expect(calls()).toBe(5)
    const [date, steady] = [Date.now(), performance.now()]
    const clocks = [
      vi.spyOn(Date, 'now').mockReturnValue(date - 3_600_000),
      vi.spyOn(performance, 'now').mockReturnValue(steady + 1100),
    ]
    await limiter.consume('k')
    for (const mocked of clocks) mocked.mockRestore()
    expect(calls()).toBe(6)
  })

  test('closed for some requests: the others go on', async () => {
    const onStoreError = (req: { url?: string }) => (req.url === '/payments' ? 'closed' : 'open')
    const url = await serve({ store: trouble(kind).store, onStoreError })
    await check(url, { path: '/payments' }, { status: 503, headers: { 'retry-after': '1' } })
    await check(url, { path: '/news' }, { status: 200 })
  })

  test('is left alone after five failures, and says so in one line when it goes and when it is back', async () => {
    const time = clock()
    const { store, calls, mend } = trouble(kind)
    const limiter = ratelimit({ rate: '100/m', store, storeTimeoutMs: 20, now: time.now })
    for (let call = 0; call < 9; call++) expect((await limiter.consume('k')).source).toBe('local')
    expect(calls()).toBe(5)
    mend()
    time.advance(999)
    expect((await limiter.consume('k')).source).toBe('local')
    time.advance(1)
    expect(await limiter.consume('k')).toMatchObject({ source: 'store', remaining: 99 })
    const reasons = { hangs: 'no answer after 20 ms', misanswers: 'no outcome for each charge' }
    const reason = reasons[kind as 'hangs'] ?? 'ECONNREFUSED'
    expect(warned).toEqual([
      {
        code: 'WRN_RATELIMIT_STORE_DOWN',
        message: `[svc:ratelimit] The store fails: ${reason}. Until it is back, counting in this process alone.`,
      },
      { code: 'WRN_RATELIMIT_STORE_UP', message: '[svc:ratelimit] The store is back after 1 s.' },
    ])
  })

  test('is not spoken of where its warnings are switched off', async () => {
    await ratelimit({ rate: '1/m', store: trouble(kind).store, storeTimeoutMs: 20, warnings: false }).consume('k')
    const warnings = { WRN_RATELIMIT_STORE_DOWN: false }
    await ratelimit({ rate: '1/m', store: trouble(kind).store, storeTimeoutMs: 20, warnings }).consume('k')
    expect(warned).toEqual([])
  })
})

/** The longest that any of so many requests takes. */
async function slowest(limiter: ReturnType<typeof ratelimit>, count = 30): Promise<number> {
  const times: number[] = []
  for (let request = 0; request < count; request++) {
    const start = performance.now()
    await limiter.consume('k')
    times.push(performance.now() - start)
  }
  return Math.max(...times)
}

async function mute(): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `redis://127.0.0.1:${(server.address() as { port: number }).port}`
}

const clients = {
  ioredis: (url: string) => {
    const client = new Redis(url, { retryStrategy: () => 200 })
    client.on('error', () => {})
    closing.push(() => client.disconnect())
    return client
  },
  'node-redis': (url: string) => {
    const client = createClient({ url })
    client.on('error', () => {})
    void client.connect().catch(() => {})
    closing.push(() => client.destroy())
    return client
  },
}

// Far below the seconds that a client itself waits, far above the hiccups of a busy machine.
const A_WHILE = 2000

describe.each(Object.entries(clients))('no request waits longer than the time limit with %s', (_name, connect) => {
  test('and a Redis that accepts and never answers', async () => {
    const limiter = ratelimit({ rate: '100/m', store: redisStore(connect(await mute())) })
    expect(await slowest(limiter)).toBeLessThan(A_WHILE)
    expect(warned.map(({ code }) => code)).toEqual(['WRN_RATELIMIT_STORE_DOWN'])
  })

  test('and a Redis that is not there', async () => {
    const limiter = ratelimit({ rate: '100/m', store: redisStore(connect(`redis://127.0.0.1:${await freePort()}`)) })
    expect(await slowest(limiter)).toBeLessThan(A_WHILE)
  })

  test('and a Redis that stands still for a while, which is used again when it goes on', async () => {
    const server = await startRedis()
    if (!server) return
    closing.push(server.stop)
    const control = new Redis(server.url)
    closing.push(() => control.disconnect())
    const limiter = ratelimit({ rate: '1000/m', store: redisStore(connect(server.url)) })
    await expect.poll(async () => (await limiter.consume('k')).source).toBe('store')
    await control.call('CLIENT', 'PAUSE', '1500', 'ALL')
    expect(await slowest(limiter)).toBeLessThan(A_WHILE)
    expect((await limiter.consume('k')).source).toBe('local')
    await expect.poll(async () => (await limiter.consume('k')).source, { timeout: 5000 }).toBe('store')
    expect(warned.map(({ code }) => code)).toEqual(['WRN_RATELIMIT_STORE_DOWN', 'WRN_RATELIMIT_STORE_UP'])
  })

  test('and a Redis that is killed while requests come', async () => {
    const server = await startRedis()
    if (!server) return
    const limiter = ratelimit({ rate: '1000/m', store: redisStore(connect(server.url)) })
    await expect.poll(async () => (await limiter.consume('k')).source).toBe('store')
    await server.stop()
    expect(await slowest(limiter)).toBeLessThan(A_WHILE)
    expect((await limiter.consume('k')).source).toBe('local')
    const later = ratelimit({ rate: '1/m', store: redisStore(connect(server.url)), onStoreError: 'closed' })
    await expect(later.consume('k')).rejects.toMatchObject({ status: 503 })
  })
})
