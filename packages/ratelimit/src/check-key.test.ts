import type { IncomingMessage } from 'node:http'
import { type CheckResult, memoryStore, rateLimit } from '@svc/ratelimit'
import { describe, expect, test } from 'vitest'
import { clock } from '../../internal/testing/clock.ts'

const headers = ['x-ratelimit', 'draft-11'] as const
const create = (options = {}) => {
  const time = clock()
  const limiter = rateLimit({ name: 'user', rate: '2/10s', headers: [...headers], now: time.now, ...options })
  return { time, limiter }
}

describe('checkKey', () => {
  test('returns the result in the same tick, with the headers of the decision', () => {
    const { limiter } = create()
    expect(limiter.checkKey('ada')).toMatchObject({
      decision: { allowed: true, remaining: 1, key: 'ada' },
      headers: { 'X-RateLimit-Limit': '2', 'X-RateLimit-Remaining': '1', RateLimit: expect.stringContaining('r=1') },
      error: undefined,
    })
  })

  test('counts the same key as consume does', async () => {
    const { limiter } = create()
    await limiter.consume('ada')
    expect(limiter.checkKey('ada')).toMatchObject({ decision: { remaining: 0 } })
    expect(limiter.checkKey('bob', 2)).toMatchObject({ decision: { remaining: 0, cost: 2 } })
  })

  test('rejects what exceeds the limit with 429 and Retry-After, until there is room again', () => {
    const { limiter, time } = create()
    limiter.checkKey('ada', 2)
    expect(limiter.checkKey('ada')).toMatchObject({
      headers: { 'Retry-After': '5', 'X-RateLimit-Remaining': '0' },
      error: { status: 429, code: 'ERR_RATELIMIT_EXCEEDED', headers: { 'Retry-After': '5' } },
    })
    time.advance(5000)
    expect(limiter.checkKey('ada')).toMatchObject({ error: undefined })
  })

  test('returns one error for a rejection, however often it is read', () => {
    const { limiter } = create()
    limiter.checkKey('ada', 2)
    const { error } = limiter.checkKey('ada') as CheckResult
    const rejected = limiter.checkKey('ada') as CheckResult
    expect(error).toBeInstanceOf(Error)
    expect(rejected.error).toBe(rejected.error)
    expect(rejected.error).not.toBe(error)
  })

  test('counts several limits at once', () => {
    const limits = [
      { name: 'burst', rate: '2/s' },
      { name: 'minute', rate: '9/m' },
    ]
    const { limiter } = create({ name: undefined, rate: undefined, limits })
    expect(limiter.checkKey('ada')).toMatchObject({ decision: { limits: [{ remaining: 1 }, { remaining: 8 }] } })
  })

  test('responds with the wait of the limit that rejects for longer than a lease', () => {
    const limits = [
      { name: 'running', rate: '1/30s', algorithm: 'concurrency' },
      { name: 'rate', rate: '1/10s' },
    ]
    const { limiter } = create({ name: undefined, rate: undefined, limits })
    limiter.checkKey('ada')
    expect(limiter.checkKey('ada')).toMatchObject({
      decision: { name: 'rate', retryMs: 10_000 },
      headers: { RateLimit: '"running";r=0, "rate";r=0;t=10', 'Retry-After': '10' },
      error: { message: 'Rate limit of 1 request in 10 seconds exceeded. Try again in 10 seconds.' },
    })
  })

  test('does not count a key that has no limit', () => {
    for (const none of [undefined, null]) {
      const { limiter } = create({ rate: (key: string) => (key === 'root' ? none : '2/10s') })
      expect(limiter.checkKey('root')).toMatchObject({ decision: undefined, headers: {}, error: undefined })
    }
    expect(() => create({ rate: () => '' }).limiter.checkKey('ada')).toThrow("rate must be a string such as '100/15m'")
  })

  test('returns a lease when the response has ended', () => {
    const { limiter } = create({ rate: '1/30s', algorithm: 'concurrency' })
    const first = limiter.checkKey('ada')
    expect(limiter.checkKey('ada')).toMatchObject({ error: { status: 429 } })
    if (!('finish' in first)) throw new Error('must not wait')
    first.finish()
    expect(limiter.checkKey('ada')).toMatchObject({ error: undefined })
  })

  test('charges the actual cost once, without leases or finalCost', () => {
    const { limiter } = create({ rate: '10/10s' })
    const checked = limiter.checkKey('ada', 4) as CheckResult
    checked.finish(1)
    checked.finish(9)
    expect(limiter.checkKey('ada', 0)).toMatchObject({ decision: { remaining: 9 } })
    const costlier = limiter.checkKey('ada') as CheckResult
    costlier.finish(3)
    expect(limiter.checkKey('ada', 0)).toMatchObject({ decision: { remaining: 6 } })
  })

  test('refunds a charge once, by the handler or by the actual cost', async () => {
    const { limiter } = create({ rate: '10/10s' })
    limiter.checkKey('ada', 4)
    const byHandler = limiter.checkKey('ada') as CheckResult
    if (byHandler.decision) await limiter.refund(byHandler.decision)
    byHandler.finish(0)
    expect(limiter.checkKey('ada', 0)).toMatchObject({ decision: { remaining: 6 } })
    const byCost = limiter.checkKey('ada') as CheckResult
    byCost.finish(0)
    await expect(limiter.refund(byCost.decision as never)).rejects.toThrow('was refunded before')
    expect(limiter.checkKey('ada', 0)).toMatchObject({ decision: { remaining: 6 } })
  })

  test('responds by onStoreError if the store fails, and never with headers of its own counts', async () => {
    const broken = () => Promise.reject(new Error('away'))
    const store = { ...memoryStore(), consume: broken }
    const rejecting = create({ store, onStoreError: 'reject' }).limiter
    expect(await rejecting.checkKey('ada')).toMatchObject({ error: { status: 503 }, headers: { 'Retry-After': '1' } })
    const local = create({ store, group: 'local' }).limiter
    expect(await local.checkKey('ada')).toMatchObject({ error: undefined, headers: {} })
    const reporting = create({ store, group: 'report', onStoreError: 'reject', reportOnly: true }).limiter
    expect(await reporting.checkKey('ada')).toMatchObject({ error: undefined })
  })

  test.each([
    ['a key that is not a string', 7 as never, 1],
    ['half a unit', 'ada', 0.5],
  ])('throws a TypeError for %s', (_title, key, cost) => {
    expect(() => create().limiter.checkKey(key, cost)).toThrow(TypeError)
  })
})

describe('check', () => {
  const broken = { ...memoryStore(), consume: () => Promise.reject(new Error('away')) }
  test.each([
    ['a skipped request', { skip: () => true }, undefined],
    ['an allowed address', { allowList: ['192.0.2.1'] }, undefined],
    ['a denied address', { denyList: ['192.0.2.1'] }, 403],
    ['a store that fails', { store: broken, group: 'broken', onStoreError: 'reject' }, 503],
  ])('returns the headers of the limiter before for %s', async (_what, options, status) => {
    const req = { headers: {}, socket: { remoteAddress: '192.0.2.1' } } as IncomingMessage
    create().limiter.check(req)
    const { decision, error, headers } = await create(options).limiter.check(req)
    expect(decision).toBeUndefined()
    expect(error?.status).toBe(status)
    expect(headers).toMatchObject({ 'X-RateLimit-Remaining': '1' })
  })
})
