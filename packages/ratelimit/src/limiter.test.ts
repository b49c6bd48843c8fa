import { memoryStore, rateLimit } from '@svc/ratelimit'
import { describe, expect, test } from 'vitest'
import { clock } from '../../internal/testing/clock.ts'

const make = (more = {}) => {
  const time = clock()
  return { time, limiter: rateLimit({ rate: '5/10s', now: time.now, ...more }) }
}

describe('the methods of a limiter', () => {
  test('consume charges units and returns what is left', async () => {
    const { limiter, time } = make()
    expect(await limiter.consume('k', 4)).toMatchObject({ allowed: true, remaining: 1, limit: 5, key: 'k', cost: 4 })
    expect(await limiter.consume('k', 2)).toMatchObject({ allowed: false, remaining: 1, retryMs: 2000, resetMs: 8000 })
    time.advance(2000)
    expect(await limiter.consume('k', 2)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await limiter.consume('other')).toMatchObject({ allowed: true, remaining: 4 })
  })

  test('peek charges nothing', async () => {
    const { limiter } = make()
    await limiter.consume('k', 4)
    expect(await limiter.peek('k')).toMatchObject({ allowed: true, remaining: 1 })
    await limiter.consume('k')
    expect(await limiter.peek('k')).toMatchObject({ allowed: false, remaining: 0 })
    expect(await limiter.peek('new')).toMatchObject({ allowed: true, remaining: 5, resetMs: 0 })
  })

  test.each(['gcra', 'sliding-counter', 'sliding-log', 'fixed-window', 'token-bucket', 'concurrency'] as const)(
    'peek of an exhausted key returns when one unit is available: %s',
    async (algorithm) => {
      const { limiter, time } = make({ algorithm })
      await limiter.consume('k', 5)
      time.advance(700)
      const peeked = await limiter.peek('k')
      const consumed = await limiter.consume('k')
      expect(peeked).toEqual({ ...consumed, cost: 0 })
      expect(peeked).toMatchObject({ allowed: false, limits: [{ allowed: false }] })
      expect(limiter.headersFor(peeked)).toEqual(limiter.headersFor(consumed))
      await limiter.refund(peeked)
      expect((await limiter.peek('k')).remaining).toBe(0)
    },
  )

  test('refund refunds units of a key, or the charge of a decision once', async () => {
    const { limiter } = make()
    const decision = await limiter.consume('k', 4)
    await limiter.refund('k', 1)
    expect((await limiter.peek('k')).remaining).toBe(2)
    await limiter.refund(decision, 2)
    expect((await limiter.peek('k')).remaining).toBe(4)
    await expect(limiter.refund(decision)).rejects.toThrow('was refunded before')
    await limiter.refund('k', 99)
    expect((await limiter.peek('k')).remaining).toBe(5)
    const rejected = await limiter.consume('k', 5).then(() => limiter.consume('k'))
    await limiter.refund(rejected)
    expect((await limiter.peek('k')).remaining).toBe(0)
  })

  test('refund of a decision returns its lease only', async () => {
    const { limiter } = make({ rate: '2/30s', algorithm: 'concurrency' })
    const first = await limiter.consume('k')
    await limiter.consume('k')
    expect((await limiter.consume('k')).allowed).toBe(false)
    await limiter.refund(first)
    expect(await limiter.consume('k')).toMatchObject({ allowed: true, remaining: 0 })
  })

  test('penalty and reward change what is left within its bounds', async () => {
    const { limiter } = make()
    expect(await limiter.penalty('k', 3)).toMatchObject({ remaining: 2 })
    expect(await limiter.penalty('k', 9)).toMatchObject({ remaining: 0 })
    expect(await limiter.reward('k', 2)).toMatchObject({ remaining: 2 })
    expect(await limiter.reward('k', 9)).toMatchObject({ remaining: 5 })
  })

  test.each([Number.NaN, -1, 0, 0.5, Number.POSITIVE_INFINITY])('no method accepts %s units', async (units) => {
    const { limiter } = make()
    const decision = await limiter.consume('k', 4)
    const error = 'ratelimit: units must be an integer of 1 or more'
    await expect(limiter.refund('k', units)).rejects.toThrow(error)
    await expect(limiter.refund(decision, units)).rejects.toThrow(error)
    await expect(limiter.penalty('k', units)).rejects.toThrow(error)
    await expect(limiter.reward('k', units)).rejects.toThrow(error)
    await limiter.refund(decision)
    expect((await limiter.peek('k')).remaining).toBe(5)
  })

  test('block rejects a key for a while, and reset ends the block', async () => {
    const { limiter, time } = make()
    await limiter.block('k', 60_000)
    time.advance(59_999)
    expect(await limiter.consume('k')).toMatchObject({ allowed: false, retryMs: 1 })
    expect(await limiter.reward('k')).toMatchObject({ allowed: false })
    time.advance(1)
    expect(await limiter.consume('k')).toMatchObject({ allowed: true, remaining: 4 })
    await limiter.block('k', 60_000)
    await limiter.reset('k')
    expect(await limiter.consume('k')).toMatchObject({ allowed: true, remaining: 4 })
  })

  test('the methods count all limits, or the named one', async () => {
    const limits = [
      { name: 'burst', rate: '2/s' },
      { name: 'minute', rate: '9/m' },
    ]
    const { limiter } = make({ rate: undefined, limits })
    expect((await limiter.consume('k')).limits.map(({ remaining }) => remaining)).toEqual([1, 8])
    await limiter.consume('k', 4, 'minute')
    expect((await limiter.peek('k')).limits.map(({ remaining }) => remaining)).toEqual([1, 4])
    await expect(limiter.consume('k', 1, 'hour')).rejects.toThrow('limit must be the name of a limit, got "hour"')
  })

  test('fixed windows end at a different time for each key, the same one in every process', async () => {
    const store = memoryStore({ now: () => 1_800_000_000_000 })
    const fixed = { rate: '5/1h', algorithm: 'fixed-window', store, group: 'fixed' } as const
    const readEnds = (options: object): Promise<number[]> => {
      const limiter = rateLimit({ ...fixed, ...options })
      return Promise.all(Array.from({ length: 360 }, async (_, at) => (await limiter.consume(`10.0.0.${at}`)).resetMs))
    }
    const ends = await readEnds({})
    expect(await readEnds({})).toEqual(ends)
    const tenths = Array.from({ length: 10 }, (_, at) => ends.filter((ms) => Math.ceil(ms / 360_000) === at + 1).length)
    // 36 in each on average, deviation 5.7.
    for (const keys of tenths) expect(Math.abs(keys - 36)).toBeLessThan(5 * 5.7)
    expect(new Set(await readEnds({ windowStart: 'epoch', group: 'epoch' }))).toEqual(new Set([3_600_000]))
  })

  test.each([
    ['a key that is no string', 7 as never, 1],
    ['a negative cost', 'k', -1],
    ['half a unit', 'k', 0.5],
  ])('the methods reject %s', async (_what, key, cost) => {
    await expect(make().limiter.consume(key, cost)).rejects.toThrow(TypeError)
  })

  test('the decisions of a limiter that only reports say so', async () => {
    const { limiter } = make({ rate: '1/10s', reportOnly: true })
    const decisions = [
      await limiter.consume('k'),
      await limiter.consume('k'),
      await limiter.peek('k'),
      await limiter.penalty('k'),
      await limiter.reward('k'),
    ]
    expect(decisions.map(({ reportOnly }) => reportOnly)).toEqual(Array(5).fill(true))
    expect(limiter.headersFor(decisions[1] as never)).toEqual({})
  })

  test('long keys are stored as a digest and stay separate', async () => {
    const { limiter } = make()
    const long = 'x'.repeat(100_000)
    expect((await limiter.consume(`${long}a`)).key).toHaveLength(22)
    expect((await limiter.consume(`${long}a`)).remaining).toBe(3)
    expect((await limiter.consume(`${long}b`)).remaining).toBe(4)
  })

  test('close closes the store of the limiter, not one that was passed in', async () => {
    let closed = 0
    const store = { ...memoryStore(), close: () => void closed++ }
    await make({ store }).limiter.close()
    await make().limiter.close()
    expect(closed).toBe(0)
  })
})
