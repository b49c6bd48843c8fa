import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  type Begun,
  fingerprintOf,
  type IdempotencyEvent,
  type IdempotencyStore,
  idempotency,
  memory,
} from '@svc/idempotency'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clock } from '../../internal/testing/clock.ts'

const input = { scope: 'ada', key: 'k', fingerprint: fingerprintOf({ method: 'POST', target: '/payments' }) }
const paid = { status: 201, fields: [['Location', '/payments/1'] as const], body: Buffer.from('paid') }

function leaseOf(begun: Begun) {
  if (begun.outcome !== 'new') throw new Error(begun.outcome)
  return begun.lease
}

/** A store of which some steps do not answer as they should. */
function broken(steps: Partial<IdempotencyStore>): IdempotencyStore {
  const store = memory()
  const bound = Object.fromEntries(
    (['acquire', 'renew', 'checkpoint', 'complete', 'release', 'inspect', 'list', 'evict'] as const).map((step) => [
      step,
      (store[step] as (...args: unknown[]) => unknown).bind(store),
    ]),
  )
  return { ...(bound as unknown as IdempotencyStore), ...steps }
}

describe('the engine', () => {
  test('answers in the same tick where the store does', () => {
    const engine = idempotency()
    const lease = leaseOf(engine.begin(input) as Begun)
    expect(engine.begin(input)).toMatchObject({ outcome: 'refused', failure: { code: 'ERR_IDEMPOTENCY_IN_PROGRESS' } })
    expect(lease.complete(paid)).toBeUndefined()
    const replay = engine.begin(input) as Begun
    expect(replay).toEqual({
      outcome: 'replay',
      response: { ...paid, fields: [['Location', '/payments/1']] },
      waited: false,
    })
  })

  test('keeps keys in this process alone where no store is given', () => {
    const engines = [idempotency(), idempotency()]
    for (const engine of engines) leaseOf(engine.begin(input) as Begun).complete(paid)
  })

  test('keeps keys of two scopes apart, also where scope and key could be cut elsewhere', () => {
    const engine = idempotency()
    leaseOf(engine.begin({ ...input, scope: 'a', key: 'bc' }) as Begun)
    expect(engine.begin({ ...input, scope: 'ab', key: 'c' })).toMatchObject({ outcome: 'new' })
    expect(engine.begin({ ...input, scope: '', key: 'abc' })).toMatchObject({ outcome: 'new' })
  })

  test('runs again after a release, and tells a late owner that the lease is lost', () => {
    const time = clock()
    const engine = idempotency({ store: memory({ now: time.now }) })
    leaseOf(engine.begin(input) as Begun).release()
    const late = leaseOf(engine.begin(input) as Begun)
    expect(late.generation).toBe(1)
    time.advance(30_000)
    const next = leaseOf(engine.begin(input) as Begun)
    expect(next.generation).toBe(2)
    expect(() => late.complete(paid)).toThrow(
      expect.objectContaining({ code: 'ERR_IDEMPOTENCY_LEASE_LOST', status: 409 }),
    )
    next.complete(paid)
    expect(engine.begin(input)).toMatchObject({ outcome: 'replay' })
  })

  test('goes on from the last checkpoint after a release and after a takeover', async () => {
    const time = clock()
    const engine = idempotency({ store: memory({ now: time.now }) })
    const taken: string[] = []
    const step = (name: string) => () => {
      taken.push(name)
      return { name }
    }
    const first = leaseOf(await engine.begin(input))
    expect(await first.checkpoint('charged', step('charged'))).toEqual({ name: 'charged' })
    first.release()
    const second = leaseOf(await engine.begin(input))
    const both = [second.checkpoint('charged', step('again')), second.checkpoint('mailed', step('mailed'))]
    expect(await Promise.all(both)).toEqual([{ name: 'charged' }, { name: 'mailed' }])
    time.advance(30_000)
    const third = leaseOf(await engine.begin(input))
    expect(third.generation).toBe(3)
    expect(await third.checkpoint('mailed', step('again'))).toEqual({ name: 'mailed' })
    expect(await third.checkpoint('__proto__', step('own'))).toEqual({ name: 'own' })
    await expect(second.checkpoint('late', step('late'))).rejects.toMatchObject({ code: 'ERR_IDEMPOTENCY_LEASE_LOST' })
    expect(taken).toEqual(['charged', 'mailed', 'own', 'late'])
  })

  test('takes a step again that failed', async () => {
    const lease = leaseOf(await idempotency().begin(input))
    await expect(lease.checkpoint('charged', () => Promise.reject(new Error('declined')))).rejects.toThrow('declined')
    expect(await lease.checkpoint('charged', () => 'ok')).toBe('ok')
  })

  test('inspects, lists and evicts keys', async () => {
    const engine = idempotency()
    expect(await engine.inspect(input)).toBeUndefined()
    leaseOf(await engine.begin(input)).complete(paid)
    const status = await engine.inspect(input)
    expect(status).toMatchObject({ state: 'done', generation: 1, fingerprint: input.fingerprint })
    expect(await engine.list()).toEqual([status])
    expect(JSON.stringify(status)).not.toContain('ada')
    expect(await engine.evict(input)).toBe(true)
    expect(await engine.evict(input)).toBe(false)
    expect((await engine.begin(input)).outcome).toBe('new')
  })
})

describe('a store that does not answer', () => {
  const down = { outcome: 'refused', failure: { status: 503, code: 'ERR_IDEMPOTENCY_STORE_DOWN' } }

  test.each([
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
  ])('gives 503 where it %s', async (_, acquire) => {
    expect(await idempotency({ store: broken({ acquire }) }).begin(input)).toMatchObject(down)
  })

  test('gives 503 when the time is over, and the key back when the answer comes too late', async () => {
    vi.useFakeTimers()
    try {
      const store = memory()
      let answer = (): void => {}
      const acquire: IdempotencyStore['acquire'] = (id, claim) =>
        new Promise((resolve) => {
          answer = () => resolve(store.acquire(id, claim))
        })
      const released: string[] = []
      const release = (id: string, owner: string) => released.push(id) > 0 && store.release(id, owner)
      const begun = idempotency({ store: broken({ acquire, release }), storeTimeoutMs: 50 }).begin(input)
      await vi.advanceTimersByTimeAsync(50)
      expect(await begun).toMatchObject(down)
      answer()
      await vi.advanceTimersByTimeAsync(0)
      expect(released).toHaveLength(1)
      expect(store.size).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a lease', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('is renewed while its owner works, and no longer than that', () => {
    const engine = idempotency()
    const lease = leaseOf(engine.begin(input) as Begun)
    for (let minutes = 0; minutes < 4; minutes++) {
      vi.advanceTimersByTime(60_000)
      expect(engine.begin(input)).toMatchObject({ failure: { code: 'ERR_IDEMPOTENCY_IN_PROGRESS' } })
    }
    lease.complete(paid)
    vi.advanceTimersByTime(10_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is not renewed for ever: work that never ends loses its key', () => {
    const engine = idempotency({ maxRunSeconds: 60 })
    leaseOf(engine.begin(input) as Begun)
    vi.advanceTimersByTime(80_000)
    expect(engine.begin(input)).toMatchObject({ outcome: 'refused' })
    vi.advanceTimersByTime(20_000)
    expect(engine.begin(input)).toMatchObject({ outcome: 'new', lease: { generation: 2 } })
  })

  test('survives a store that does not answer for a while', () => {
    let isDown = true
    const store = memory()
    const renew: IdempotencyStore['renew'] = (id, owner, leaseMs) => {
      if (isDown) throw new Error('down')
      return store.renew(id, owner, leaseMs)
    }
    const engine = idempotency({ store: broken({ renew, acquire: (id, claim) => store.acquire(id, claim) }) })
    leaseOf(engine.begin(input) as Begun)
    vi.advanceTimersByTime(10_000)
    isDown = false
    vi.advanceTimersByTime(25_000)
    expect(engine.begin(input)).toMatchObject({ outcome: 'refused' })
  })

  test('of another process is waited for by looking at the store, less often each time', async () => {
    const store = memory()
    const [here, there] = [idempotency({ store }), idempotency({ store })]
    const lease = leaseOf(there.begin(input) as Begun)
    const looks = vi.spyOn(store, 'acquire')
    const waiting = here.begin({ ...input, waitMs: 5000 })
    await vi.advanceTimersByTimeAsync(2000)
    expect(looks.mock.calls.length).toBeGreaterThan(5)
    expect(looks.mock.calls.length).toBeLessThan(20)
    lease.complete(paid)
    await vi.advanceTimersByTimeAsync(250)
    expect(await waiting).toMatchObject({ outcome: 'replay', waited: true })
  })

  test('is waited for no longer than asked, and taken by who waits when it is released', async () => {
    const engine = idempotency()
    const lease = leaseOf(engine.begin(input) as Begun)
    const impatient = engine.begin({ ...input, waitMs: 1000 })
    const patient = engine.begin({ ...input, waitMs: 5000 })
    await vi.advanceTimersByTimeAsync(1000)
    expect(await impatient).toMatchObject({ failure: { code: 'ERR_IDEMPOTENCY_IN_PROGRESS' } })
    lease.release()
    expect(await patient).toMatchObject({ outcome: 'new' })
  })
})

describe('once', () => {
  test('runs a job once, and gives its result to every later call', async () => {
    const engine = idempotency()
    let runs = 0
    const job = () => engine.once('invoice-7', { order: 7 }, () => ({ invoice: ++runs }))
    expect(await job()).toEqual({ invoice: 1 })
    expect(await job()).toEqual({ invoice: 1 })
    await expect(engine.once('invoice-7', { order: 8 }, () => 1)).rejects.toMatchObject({
      code: 'ERR_IDEMPOTENCY_KEY_REUSED',
    })
    expect(await engine.once('invoice-7', { order: 8 }, () => 'other', { scope: 'tenant' })).toBe('other')
    expect(await engine.once('nothing', undefined, () => undefined)).toBeUndefined()
    expect(await engine.once('nothing', undefined, () => 1)).toBeNull()
  })

  test('releases the key of a job that fails, and keeps its steps', async () => {
    const engine = idempotency()
    let charges = 0
    const job = (fails: boolean) =>
      engine.once('k', null, async ({ checkpoint, generation }) => {
        const charge = await checkpoint('charged', () => ++charges)
        if (fails) throw new Error('mail server down')
        return { charge, generation }
      })
    await expect(job(true)).rejects.toThrow('mail server down')
    expect(await job(false)).toEqual({ charge: 1, generation: 2 })
  })

  test('lets parallel calls wait for the first', async () => {
    const engine = idempotency()
    let runs = 0
    const job = () => engine.once('k', null, () => Promise.resolve(++runs), { waitMs: 1000 })
    expect(await Promise.all(Array.from({ length: 64 }, job))).toEqual(Array(64).fill(1))
    const blocked = engine.once('slow', null, () => new Promise((resolve) => setImmediate(resolve)))
    await expect(engine.once('slow', null, () => 1)).rejects.toMatchObject({ code: 'ERR_IDEMPOTENCY_IN_PROGRESS' })
    await blocked
  })
})

test('publishes what happens on a diagnostics channel, without the key', async () => {
  const events: IdempotencyEvent[] = []
  const listen = (event: unknown): void => void events.push(event as IdempotencyEvent)
  subscribe('svc:idempotency', listen)
  const engine = idempotency()
  const secret = { ...input, key: 'secret-key' }
  leaseOf(await engine.begin(secret)).complete(paid)
  await engine.begin(secret)
  await engine.begin({ ...secret, fingerprint: 'other' })
  unsubscribe('svc:idempotency', listen)
  expect(events.map(({ type, code }) => code ?? type)).toEqual(['run', 'replay', 'ERR_IDEMPOTENCY_KEY_REUSED'])
  expect(new Set(events.map(({ id }) => id)).size).toBe(1)
  expect(JSON.stringify(events)).not.toMatch(/secret-key|ada/)
})

test.each([
  [{ ttlSeconds: 0 }, 'idempotency: ttlSeconds must be a positive integer, got 0'],
  [{ leaseMs: '10' }, 'idempotency: leaseMs must be a positive integer, got "10"'],
  [{ orphan: 'ignore' }, 'idempotency: orphan must be one of "retry", "reject", got "ignore"'],
  [{ store: 'redis' }, 'idempotency: store must be a store such as memory() or redis(client), got "redis"'],
  [{ leaseMS: 1 }, 'idempotency: unknown option "leaseMS", did you mean "leaseMs"?'],
])('refuses the options %j', (options, message) => {
  expect(() => idempotency(options as never)).toThrow(new TypeError(message))
})
