import { memoryStore, type RateLimitStore, rateLimit } from '@svc/ratelimit'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { check, send } from '../../internal/testing/check.ts'
import { clock } from '../../internal/testing/clock.ts'
import { hosts, listen } from '../../internal/testing/hosts.ts'
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

  test('does not extend its pause for calls that were in flight when it opened', () => {
    const breaker = circuitBreaker()
    for (let failure = 0; failure < 500; failure++) breaker.fail(0)
    expect([breaker.allows(999), breaker.allows(1000)]).toEqual([false, true])
  })

  test('tests one call after its pause, and doubles the pause up to 30 s while that fails', () => {
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

/** A store that fails in one way until it is switched to work. */
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
    const limiter = rateLimit({ rate: '4/m', storeTimeoutMs: 20, ...options })
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

  test("local: counts this process's share, and sends no headers", async () => {
    const url = await serve({ store: trouble(kind).store, instances: 2 })
    await check(url, {}, { status: 200, body: 'on', headers: { 'x-ratelimit-limit': undefined } })
    await check(url, {}, { status: 200 })
    await check(url, {}, { status: 429, headers: { 'retry-after': '30', 'x-ratelimit-limit': undefined } })
  })

  test('local: returns a lease in this process when its response has ended', async () => {
    const url = await serve({ rate: '1/1h', algorithm: 'concurrency', store: trouble(kind).store })
    await check(url, {}, { status: 200 })
    await expect.poll(async () => (await send(url)).status).toBe(200)
    await expect.poll(async () => (await send(url)).status).toBe(200)
  })

  test('local: refunds in this process what it charged there', async () => {
    const limiter = rateLimit({ rate: '4/1h', store: trouble(kind).store, storeTimeoutMs: 20, instances: 2 })
    const decision = await limiter.consume('k', 2)
    expect(decision).toMatchObject({ source: 'local', remaining: 0 })
    await limiter.refund(decision)
    expect(await limiter.peek('k')).toMatchObject({ source: 'local', remaining: 2 })
  })

  test('is reported once a minute if it fails again and again', async () => {
    const time = clock()
    const { store } = trouble(kind)
    const fine = memoryStore()
    let turn = 0
    const consume: RateLimitStore['consume'] = (charges) => (turn++ % 2 ? fine : store).consume(charges)
    const limiter = rateLimit({ rate: '100/m', store: { ...store, consume }, storeTimeoutMs: 20, now: time.now })
    for (let call = 0; call < 8; call++) await limiter.consume('k')
    expect(warned.map(({ code }) => code)).toEqual(['WRN_RATELIMIT_STORE_DOWN', 'WRN_RATELIMIT_STORE_RECOVERED'])
    time.advance(60_000)
    await limiter.consume('k')
    expect(warned).toHaveLength(3)
  })

  test('allow: no request is limited', async () => {
    expect(await statuses(await serve({ store: trouble(kind).store, onStoreError: 'allow' }), 8)).toEqual(
      Array(8).fill(200),
    )
  })

  test('reject: every request gets 503 with Retry-After', async () => {
    const url = await serve({ store: trouble(kind).store, onStoreError: 'reject' })
    const headers = { 'retry-after': '1', 'cache-control': 'no-store' }
    const body = { status: 503, message: 'The rate limit cannot be checked at the moment. Try again later.' }
    for (let time = 0; time < 7; time++) await check(url, {}, { status: 503, headers, body })
  })

  test('is called again after its pause, even if the system clock was set back', async () => {
    const { store, calls } = trouble(kind)
    const limiter = rateLimit({ rate: '100/m', store, storeTimeoutMs: 20 })
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

  test('reject for some requests: the others continue', async () => {
    const onStoreError = (req: { url?: string }) => (req.url === '/payments' ? 'reject' : 'allow')
    const url = await serve({ store: trouble(kind).store, onStoreError })
    await check(url, { path: '/payments' }, { status: 503, headers: { 'retry-after': '1' } })
    await check(url, { path: '/news' }, { status: 200 })
  })

  test('is not called after five failures, with one warning when it fails and one when it recovers', async () => {
    const time = clock()
    const { store, calls, mend } = trouble(kind)
    const limiter = rateLimit({ rate: '100/m', store, storeTimeoutMs: 20, now: time.now })
    for (let call = 0; call < 9; call++) expect((await limiter.consume('k')).source).toBe('local')
    expect(calls()).toBe(5)
    mend()
    time.advance(999)
    expect((await limiter.consume('k')).source).toBe('local')
    time.advance(1)
    expect(await limiter.consume('k')).toMatchObject({ source: 'store', remaining: 99 })
    const reasons = {
      hangs: 'no reply after 20 ms',
      misanswers: 'ratelimit: the store must return one result for each charge',
    }
    const reason = reasons[kind as 'hangs'] ?? 'ECONNREFUSED'
    expect(warned).toEqual([
      {
        code: 'WRN_RATELIMIT_STORE_DOWN',
        message: `[svc:ratelimit] The store fails: ${reason}. Until it recovers, this process counts on its own.`,
      },
      { code: 'WRN_RATELIMIT_STORE_RECOVERED', message: '[svc:ratelimit] The store has recovered after 1 s.' },
    ])
  })

  test('is not reported if its warnings are switched off', async () => {
    await rateLimit({ rate: '1/m', store: trouble(kind).store, storeTimeoutMs: 20, warnings: false }).consume('k')
    const warnings = { WRN_RATELIMIT_STORE_DOWN: false }
    await rateLimit({ rate: '1/m', store: trouble(kind).store, storeTimeoutMs: 20, warnings }).consume('k')
    expect(warned).toEqual([])
  })
})
