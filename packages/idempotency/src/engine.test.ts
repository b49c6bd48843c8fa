import { hash } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  type BeginResult,
  createFingerprint,
  type IdempotencyEvent,
  type IdempotencyStore,
  idempotencyEngine,
  type Lease,
  memoryStore,
} from '@svc/idempotency'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clock } from '../../internal/testing/clock.ts'

const input = { scope: 'ada', key: 'k', fingerprint: createFingerprint({ method: 'POST', target: '/payments' }) }
const paid = { status: 201, headers: [['Location', '/payments/1'] as const], body: Buffer.from('paid') }

function getLease(begun: BeginResult) {
  if (begun.outcome !== 'new') throw new Error(begun.outcome)
  return begun.lease
}

/** A store with some steps that do not reply as they should. */
function broken(steps: Partial<IdempotencyStore>): IdempotencyStore {
  const store = memoryStore()
  const bound = Object.fromEntries(
    (['acquire', 'renew', 'checkpoint', 'complete', 'release', 'inspect', 'list', 'delete'] as const).map((step) => [
      step,
      (store[step] as (...args: unknown[]) => unknown).bind(store),
    ]),
  )
  return { ...(bound as unknown as IdempotencyStore), ...steps }
}

describe('the engine', () => {
  test('returns in the same tick if the store does', () => {
    const engine = idempotencyEngine()
    const lease = getLease(engine.begin(input) as BeginResult)
    expect(engine.begin(input)).toMatchObject({ outcome: 'refused', error: { code: 'ERR_IDEMPOTENCY_IN_PROGRESS' } })
    expect(lease.complete(paid)).toBeUndefined()
    const replay = engine.begin(input) as BeginResult
    expect(replay).toEqual({
      outcome: 'replay',
      response: { ...paid, headers: [['Location', '/payments/1']] },
      waited: false,
    })
  })

  test('stores keys in this process by default', () => {
    const engines = [idempotencyEngine(), idempotencyEngine()]
    for (const engine of engines) getLease(engine.begin(input) as BeginResult).complete(paid)
  })

  test('stores a key under 144 bits of a hash', () => {
    const ids: string[] = []
    const store = memoryStore()
    const acquire: IdempotencyStore['acquire'] = (id, claim) => {
      ids.push(id)
      return store.acquire(id, claim)
    }
    idempotencyEngine({ store: { ...store, acquire } }).begin(input)
    expect(ids).toEqual([hash('sha256', '3\nadak', 'base64').slice(0, 24)])
  })

  test('separates keys of two scopes, even if their concatenations are equal', () => {
    const engine = idempotencyEngine()
    getLease(engine.begin({ ...input, scope: 'a', key: 'bc' }) as BeginResult)
    expect(engine.begin({ ...input, scope: 'ab', key: 'c' })).toMatchObject({ outcome: 'new' })
    expect(engine.begin({ ...input, scope: '', key: 'abc' })).toMatchObject({ outcome: 'new' })
  })

  test('runs again after a release, and rejects a late owner whose lease is lost', () => {
    const time = clock()
    const store = memoryStore({ now: time.now })
    const [engine, there] = [idempotencyEngine({ store }), idempotencyEngine({ store })]
    getLease(engine.begin(input) as BeginResult).release()
    const late = getLease(engine.begin(input) as BeginResult)
    expect(late.attempt).toBe(1)
    time.advance(30_000)
    const next = getLease(there.begin(input) as BeginResult)
    expect(next.attempt).toBe(2)
    expect(() => late.complete(paid)).toThrow(
      expect.objectContaining({ code: 'ERR_IDEMPOTENCY_LEASE_LOST', status: 409 }),
    )
    next.complete(paid)
    expect(engine.begin(input)).toMatchObject({ outcome: 'replay' })
  })

  test('takes no key over from work in this process, unless another process has it', () => {
    const time = clock()
    const store = memoryStore({ now: time.now })
    const [engine, there] = [idempotencyEngine({ store }), idempotencyEngine({ store })]
    const late = getLease(engine.begin(input) as BeginResult)
    time.advance(30_000)
    expect(engine.begin(input)).toMatchObject({ error: { code: 'ERR_IDEMPOTENCY_IN_PROGRESS' } })
    expect(engine.begin({ ...input, fingerprint: 'other' })).toMatchObject({
      error: { code: 'ERR_IDEMPOTENCY_KEY_REUSED' },
    })
    getLease(there.begin(input) as BeginResult).complete(paid)
    expect(engine.begin(input)).toMatchObject({ outcome: 'replay' })
    expect(() => late.complete(paid)).toThrow(expect.objectContaining({ code: 'ERR_IDEMPOTENCY_LEASE_LOST' }))
  })

  test('continues from the last checkpoint after a release and after a takeover', async () => {
    const time = clock()
    const store = memoryStore({ now: time.now })
    const [engine, there] = [idempotencyEngine({ store }), idempotencyEngine({ store })]
    const taken: string[] = []
    const step = (name: string) => () => {
      taken.push(name)
      return { name }
    }
    const first = getLease(await engine.begin(input))
    expect(await first.checkpoint('charged', step('charged'))).toEqual({ name: 'charged' })
    first.release()
    const second = getLease(await engine.begin(input))
    const both = [second.checkpoint('charged', step('again')), second.checkpoint('mailed', step('mailed'))]
    expect(await Promise.all(both)).toEqual([{ name: 'charged' }, { name: 'mailed' }])
    time.advance(30_000)
    const third = getLease(await there.begin(input))
    expect(third.attempt).toBe(3)
    expect(await third.checkpoint('mailed', step('again'))).toEqual({ name: 'mailed' })
    expect(await third.checkpoint('__proto__', step('own'))).toEqual({ name: 'own' })
    await expect(second.checkpoint('late', step('late'))).rejects.toMatchObject({ code: 'ERR_IDEMPOTENCY_LEASE_LOST' })
    expect(taken).toEqual(['charged', 'mailed', 'own', 'late'])
  })

  test('repeats a step that failed', async () => {
    const lease = getLease(await idempotencyEngine().begin(input))
    await expect(lease.checkpoint('charged', () => Promise.reject(new Error('declined')))).rejects.toThrow('declined')
    expect(await lease.checkpoint('charged', () => 'ok')).toBe('ok')
  })

  test('saves a step that could not be saved again, without taking it again', async () => {
    let isDown = true
    const saved: string[] = []
    const store: IdempotencyStore = {
      ...memoryStore(),
      acquire: () => ({ outcome: 'new', attempt: 1, checkpoints: '' }),
      checkpoint(_id, _owner, steps) {
        if (isDown) throw new Error('down')
        saved.push(steps)
        return true
      },
    }
    const lease = getLease(await idempotencyEngine({ store }).begin(input))
    const charge = vi.fn(() => 'charged')
    await expect(lease.checkpoint('charge', charge)).rejects.toThrow('down')
    isDown = false
    expect(await lease.checkpoint('mail', () => 'mailed')).toBe('mailed')
    expect(await lease.checkpoint('charge', charge)).toBe('charged')
    expect(charge).toHaveBeenCalledTimes(1)
    expect(saved.map((steps) => JSON.parse(steps).length)).toEqual([2, 2])
  })

  test('inspects, lists and deletes keys', async () => {
    const engine = idempotencyEngine()
    expect(await engine.inspect(input)).toBeUndefined()
    getLease(await engine.begin(input)).complete(paid)
    const status = await engine.inspect(input)
    expect(status).toMatchObject({ state: 'done', attempt: 1, fingerprint: input.fingerprint })
    expect(await engine.list()).toEqual([status])
    expect(JSON.stringify(status)).not.toContain('ada')
    expect(await engine.delete(input)).toBe(true)
    expect(await engine.delete(input)).toBe(false)
    expect((await engine.begin(input)).outcome).toBe('new')
  })
})

describe('a store that does not reply', () => {
  const down = { outcome: 'refused', error: { status: 503, code: 'ERR_IDEMPOTENCY_STORE_DOWN' } }

  test.each([
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
  ])('returns 503 if it %s', async (_, acquire) => {
    expect(await idempotencyEngine({ store: broken({ acquire }) }).begin(input)).toMatchObject(down)
  })

  test('returns 503 after the timeout, and releases the key if the reply is late', async () => {
    vi.useFakeTimers()
    try {
      const store = memoryStore()
      let answer = (): void => {}
      const acquire: IdempotencyStore['acquire'] = (id, claim) =>
        new Promise((resolve) => {
          answer = () => resolve(store.acquire(id, claim))
        })
      const released: string[] = []
      const release = (id: string, owner: string) => released.push(id) > 0 && store.release(id, owner)
      const begun = idempotencyEngine({ store: broken({ acquire, release }), storeTimeoutMs: 50 }).begin(input)
      await vi.advanceTimersByTimeAsync(51)
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

  test('is renewed while its work is in progress, and no longer', () => {
    const engine = idempotencyEngine()
    const lease = getLease(engine.begin(input) as BeginResult)
    for (let minutes = 0; minutes < 4; minutes++) {
      vi.advanceTimersByTime(60_000)
      expect(engine.begin(input)).toMatchObject({ error: { code: 'ERR_IDEMPOTENCY_IN_PROGRESS' } })
    }
    lease.complete(paid)
    vi.advanceTimersByTime(10_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is renewed once per beat, in whatever order leases begin and end', () => {
    const turns = fc.array(fc.nat(7), { maxLength: 40 })
    const check = fc.property(turns, (keys) => {
      const renewed: string[] = []
      // Every other lease is lost, and leaves the list during the beat.
      const renew = (id: string): boolean => renewed.push(id) % 2 === 0
      const engine = idempotencyEngine({ store: broken({ renew }) })
      const leases = new Map<number, Lease>()
      for (const key of keys) {
        leases.get(key)?.release()
        if (!leases.delete(key)) leases.set(key, getLease(engine.begin({ ...input, key: `${key}` }) as BeginResult))
      }
      vi.advanceTimersByTime(10_000)
      expect(renewed.sort()).toEqual([...leases.values()].map(({ id }) => id).sort())
      vi.clearAllTimers()
    })
    fc.assert(check)
  })

  test('is not renewed indefinitely: work that never ends loses its key', () => {
    const engine = idempotencyEngine({ maxRunMs: 60_000 })
    getLease(engine.begin(input) as BeginResult)
    vi.advanceTimersByTime(80_000)
    expect(engine.begin(input)).toMatchObject({ outcome: 'refused' })
    vi.advanceTimersByTime(20_000)
    expect(engine.begin(input)).toMatchObject({ outcome: 'new', lease: { attempt: 2 } })
  })

  test('survives a store that does not reply for a while', () => {
    let isDown = true
    const store = memoryStore()
    const renew: IdempotencyStore['renew'] = (id, owner, leaseMs) => {
      if (isDown) throw new Error('down')
      return store.renew(id, owner, leaseMs)
    }
    const engine = idempotencyEngine({ store: broken({ renew, acquire: (id, claim) => store.acquire(id, claim) }) })
    getLease(engine.begin(input) as BeginResult)
    vi.advanceTimersByTime(10_000)
    isDown = false
    vi.advanceTimersByTime(25_000)
    expect(engine.begin(input)).toMatchObject({ outcome: 'refused' })
  })

  test('stores a response again that the store failed to store, instead of running again', () => {
    let failures = 2
    const store = memoryStore()
    const complete: IdempotencyStore['complete'] = (...args) => {
      if (failures-- > 0) throw new Error('ECONNRESET')
      return store.complete(...args)
    }
    const acquire: IdempotencyStore['acquire'] = (id, claim) => store.acquire(id, claim)
    const renew: IdempotencyStore['renew'] = (id, owner, leaseMs) => store.renew(id, owner, leaseMs)
    const events: string[] = []
    const onEvent = ({ type }: IdempotencyEvent): void => void events.push(type)
    const engine = idempotencyEngine({ store: broken({ acquire, renew, complete }), onEvent })
    const lease = getLease(engine.begin(input) as BeginResult)
    expect(() => lease.complete(paid)).toThrow('ECONNRESET')
    lease.release()
    vi.advanceTimersByTime(10_000)
    expect(engine.begin(input)).toMatchObject({ error: { code: 'ERR_IDEMPOTENCY_IN_PROGRESS' } })
    vi.advanceTimersByTime(10_000)
    expect(engine.begin(input)).toMatchObject({ outcome: 'replay', response: { status: 201 } })
    vi.advanceTimersByTime(10_000)
    expect(vi.getTimerCount()).toBe(0)
    expect(events).toEqual(['run', 'failed', 'refused', 'stored', 'replay'])
  })

  test('is given up if the store cannot store the response in maxRunMs', () => {
    const complete = vi.fn((): never => {
      throw new Error('too large')
    })
    const engine = idempotencyEngine({ store: broken({ renew: () => true, complete }), maxRunMs: 60_000 })
    const lease = getLease(engine.begin(input) as BeginResult)
    expect(() => lease.complete(paid)).toThrow('too large')
    vi.advanceTimersByTime(80_000)
    expect(complete).toHaveBeenCalledTimes(7)
    expect(engine.begin(input)).toMatchObject({ outcome: 'new', lease: { attempt: 2 } })
  })

  test('of another process is awaited by polling the store, less often each time', async () => {
    const store = memoryStore()
    const [here, there] = [idempotencyEngine({ store }), idempotencyEngine({ store })]
    const lease = getLease(there.begin(input) as BeginResult)
    const looks = vi.spyOn(store, 'acquire')
    const waiting = here.begin({ ...input, maxWaitMs: 5000 })
    await vi.advanceTimersByTimeAsync(2000)
    expect(looks.mock.calls.length).toBeGreaterThan(5)
    expect(looks.mock.calls.length).toBeLessThan(20)
    lease.complete(paid)
    await vi.advanceTimersByTimeAsync(250)
    expect(await waiting).toMatchObject({ outcome: 'replay', waited: true })
  })

  test('is awaited without polling for longer than a timer can run', async () => {
    const store = memoryStore()
    const engine = idempotencyEngine({ store })
    const lease = getLease(engine.begin(input) as BeginResult)
    const looks = vi.spyOn(store, 'acquire')
    const waiting = engine.begin({ ...input, maxWaitMs: Number.POSITIVE_INFINITY })
    await vi.advanceTimersByTimeAsync(1000)
    expect(looks).toHaveBeenCalledTimes(1)
    lease.complete(paid)
    expect(await waiting).toMatchObject({ outcome: 'replay', waited: true })
  })

  test('is awaited for a limited time, and passes to a waiting duplicate when it is released', async () => {
    const engine = idempotencyEngine()
    const lease = getLease(engine.begin(input) as BeginResult)
    const impatient = engine.begin({ ...input, maxWaitMs: 1000 })
    const patient = engine.begin({ ...input, maxWaitMs: 5000 })
    await vi.advanceTimersByTimeAsync(1000)
    expect(await impatient).toMatchObject({ error: { code: 'ERR_IDEMPOTENCY_IN_PROGRESS' } })
    lease.release()
    expect(await patient).toMatchObject({ outcome: 'new' })
  })
})

describe('once', () => {
  test('runs a job once, and returns its result to every later call', async () => {
    const engine = idempotencyEngine()
    let runs = 0
    const job = () => engine.runOnce('invoice-7', { order: 7 }, () => ({ invoice: ++runs }))
    expect(await job()).toEqual({ invoice: 1 })
    expect(await job()).toEqual({ invoice: 1 })
    await expect(engine.runOnce('invoice-7', { order: 8 }, () => 1)).rejects.toMatchObject({
      code: 'ERR_IDEMPOTENCY_KEY_REUSED',
    })
    expect(await engine.runOnce('invoice-7', { order: 8 }, () => 'other', { scope: 'tenant' })).toBe('other')
    expect(await engine.runOnce('nothing', undefined, () => undefined)).toBeUndefined()
    expect(await engine.runOnce('nothing', undefined, () => 1)).toBeNull()
  })

  test('releases the key of a job that fails, and stores its steps', async () => {
    const engine = idempotencyEngine()
    let charges = 0
    const job = (fails: boolean) =>
      engine.runOnce('k', null, async ({ checkpoint, attempt }) => {
        const charge = await checkpoint('charged', () => ++charges)
        if (fails) throw new Error('mail server down')
        return { charge, attempt }
      })
    await expect(job(true)).rejects.toThrow('mail server down')
    expect(await job(false)).toEqual({ charge: 1, attempt: 2 })
  })

  test('lets concurrent calls wait for the first', async () => {
    const engine = idempotencyEngine()
    let runs = 0
    const job = () => engine.runOnce('k', null, () => Promise.resolve(++runs), { maxWaitMs: 1000 })
    expect(await Promise.all(Array.from({ length: 64 }, job))).toEqual(Array(64).fill(1))
    const blocked = engine.runOnce('slow', null, () => new Promise((resolve) => setImmediate(resolve)))
    await expect(engine.runOnce('slow', null, () => 1)).rejects.toMatchObject({ code: 'ERR_IDEMPOTENCY_IN_PROGRESS' })
    await blocked
  })
})

test('publishes events on a diagnostics channel, without the key', async () => {
  const events: IdempotencyEvent[] = []
  const listen = (event: unknown): void => void events.push(event as IdempotencyEvent)
  subscribe('svc:idempotency:event', listen)
  const engine = idempotencyEngine()
  const secret = { ...input, key: 'secret-key' }
  getLease(await engine.begin(secret)).complete(paid)
  await engine.begin(secret)
  await engine.begin({ ...secret, fingerprint: 'other' })
  unsubscribe('svc:idempotency:event', listen)
  expect(events.map(({ type, code }) => code ?? type)).toEqual([
    'run',
    'stored',
    'replay',
    'ERR_IDEMPOTENCY_KEY_REUSED',
  ])
  expect(new Set(events.map(({ id }) => id)).size).toBe(1)
  expect(JSON.stringify(events)).not.toMatch(/secret-key|ada/)
})

test.each([
  [{ ttlSeconds: 0 }, 'idempotency: ttlSeconds must be an integer of 1 or more, got 0'],
  [{ leaseMs: '10' }, 'idempotency: leaseMs must be an integer from 1 to 2147483647, got "10"'],
  [{ leaseMs: 2 ** 33 }, 'idempotency: leaseMs must be an integer from 1 to 2147483647, got 8589934592'],
  [{ storeTimeoutMs: 2 ** 31 }, 'idempotency: storeTimeoutMs must be an integer from 1 to 2147483647, got 2147483648'],
  [{ onLeaseExpired: 'ignore' }, "idempotency: onLeaseExpired must be one of 'retry', 'reject', got \"ignore\""],
  [{ store: 'redis' }, 'idempotency: store must be an IdempotencyStore such as memoryStore(), got "redis"'],
  [{ onStoreError: 'open' }, "idempotency: onStoreError must be one of 'allow', 'reject', 'local', got \"open\""],
  [{ now: 7 }, 'idempotency: now must be a function, got 7'],
  [{ leaseMS: 1 }, 'idempotency: unknown option "leaseMS", did you mean "leaseMs"?'],
])('rejects the options %j', (options, message) => {
  expect(() => idempotencyEngine(options as never)).toThrow(new TypeError(message))
})
