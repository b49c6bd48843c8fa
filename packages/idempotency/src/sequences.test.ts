import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type IdempotencyEvent, idempotencyOf } from '@svc/idempotency'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import type { Middleware, ServerResponse } from '../../internal/middleware.ts'
import { check, send } from '../../internal/testing/check.ts'
import type { Clock } from '../../internal/testing/clock.ts'
import { openPlaces } from './testing/places.ts'
import { counting, type Handler, payment, refusing, until } from './testing/service.ts'

const REPLAYED = { 'idempotent-replayed': 'true' }
const FRESH = { 'idempotent-replayed': undefined }
const { places, missing, close } = await openPlaces()

afterAll(close)
afterEach(() => void vi.useRealTimers())
test.skip.each(missing)('with keys in %s (needs its server: Redis or PostgreSQL)', () => {})

// The numbers are those of the sequences that the package promises to get right.
describe.each(places)('with keys in %s', (_, { run, transaction }) => {
  test('1 rejects a request without a key if one is required', async () => {
    const { handler, runs } = counting()
    const docsUrl = 'https://api.example/rels/idempotency'
    await run({ handler, options: { required: true, docsUrl } }, async (url) => {
      await check(
        url,
        { method: 'POST', path: '/payments', body: '{}' },
        {
          status: 400,
          headers: { link: `<${docsUrl}>; rel="describedby"`, 'content-type': /json/ },
        },
      )
      expect(runs()).toBe(0)
    })
  })

  test('2, 3, 4, 24 runs once, and replays status, Location and body, for any notation of key and body', async () => {
    const { handler, runs } = counting()
    await run({ handler }, async (url) => {
      const created = { status: 201, body: '{"id":1}' }
      const location = { location: '/payments/1', 'content-type': 'application/json' }
      await check(url, payment('"A"'), { ...created, headers: { ...FRESH, ...location } })
      const replay = { ...created, headers: { ...REPLAYED, ...location } }
      await check(url, payment('"A"'), replay)
      await check(url, payment('A'), replay)
      await check(url, payment('A', { body: '{ "amount" : "10.00", "orderId" : 7.0 }' }), replay)
      expect(runs()).toBe(1)
    })
  })

  test('5, 6 returns 422 for another body, and on another route', async () => {
    const { handler, runs } = counting()
    await run({ handler }, async (url) => {
      await check(url, payment('A'), { status: 201 })
      await check(url, payment('A', { body: '{"orderId":7,"amount":"10.0"}' }), { status: 422 })
      await check(url, payment('A', { path: '/transfers' }), { status: 422 })
      await check(url, payment('A', { path: '/payments?dry=1' }), { status: 422 })
      expect(runs()).toBe(1)
    })
  })

  test('7 treats the same key of another user as another key', async () => {
    const { handler } = counting()
    await run({ handler }, async (url) => {
      const by = (token: string) => payment('A', { headers: { Authorization: `Bearer ${token}` } })
      await check(url, by('ada'), { status: 201, body: '{"id":1}' })
      await check(url, by('bob'), { status: 201, body: '{"id":2}', headers: FRESH })
      await check(url, by('ada'), { status: 201, body: '{"id":1}', headers: REPLAYED })
    })
  })

  test('8 runs one of 64 concurrent requests, and returns 409 to the others', async () => {
    const pending: ServerResponse[] = []
    const handler: Handler = (_req, res) => void pending.push(res)
    await run({ handler }, async (url) => {
      let answered = 0
      const answers = Array.from({ length: 64 }, () => send(url, payment('B')).finally(() => answered++))
      await until(() => answered >= 63)
      for (const res of pending) res.writeHead(201).end('done')
      const statuses = (await Promise.all(answers)).map(({ status, headers }) => `${status} ${headers['retry-after']}`)
      expect(statuses.sort()).toEqual(['201 undefined', ...Array(63).fill('409 1')])
      expect(pending).toHaveLength(1)
    })
  })

  test('9 returns the same response to 64 concurrent requests that wait', async () => {
    let pending: ServerResponse | undefined
    let waiting = 0
    const count = (event: unknown): void => void ((event as IdempotencyEvent).type === 'refused' && waiting++)
    const handler: Handler = (_req, res) => void (pending = res)
    await run({ handler }, async (url) => {
      const patient = payment('C', { headers: { Prefer: 'respond-async, wait=15' } })
      const answers = [send(url, patient)]
      await until(() => pending !== undefined)
      subscribe('svc:idempotency:event', count)
      while (answers.length < 64) answers.push(send(url, patient))
      await until(() => waiting >= 63)
      unsubscribe('svc:idempotency:event', count)
      pending?.writeHead(201, { Location: '/payments/1' }).end('done')
      const results = await Promise.all(answers)
      expect(results.every(({ status, text }) => status === 201 && text === 'done')).toBe(true)
      const replayed = results.filter(({ headers }) => headers['idempotent-replayed'] === 'true')
      expect(replayed).toHaveLength(63)
      expect(replayed.every(({ headers }) => headers['preference-applied'] === 'wait')).toBe(true)
    })
  })

  test.each([
    // In a transaction nothing is left of it.
    [transaction ? '10 runs again after a failure of the work' : '10 replays a failure of the work', 500, !transaction],
    ['11 runs again after "not now"', 503, false],
    ['11 runs again after "too many"', 429, false],
    ['12 runs again after a refused body', 400, false],
    ['13 replays a conflict that the handler found', 409, true],
    ['13 replays a broken rule', 422, true],
  ] as const)('%s: %i', async (_, status, isReplayed) => {
    let runs = 0
    const handler: Handler = (_req, res) => {
      runs++
      res.statusCode = status
      res.end(`run ${runs}`)
    }
    await run({ handler }, async (url) => {
      await check(url, payment('A'), { status, body: 'run 1' })
      await check(url, payment('A'), {
        status,
        body: isReplayed ? 'run 1' : 'run 2',
        headers: isReplayed ? REPLAYED : FRESH,
      })
    })
  })

  test('12 accepts a corrected body with the same key after 400', async () => {
    const { handler } = counting()
    const validate: Middleware = refusing(400, (req) => req.headers['content-length'] === '2')
    await run({ handler, after: [validate] }, async (url) => {
      await check(url, payment('A', { body: '{}' }), { status: 400 })
      await check(url, payment('A'), { status: 201, headers: FRESH })
    })
  })

  /** The first attempt runs for too long: its lease runs out, or its transaction is abandoned. */
  const silence = (time: Clock): void => {
    vi.advanceTimersByTime(700_000)
    if (!transaction) time.advance(30_000)
  }

  test('14 runs nothing again while its process is working, even if the clock jumps', async () => {
    let pending: ServerResponse | undefined
    let runs = 0
    const handler: Handler = (_req, res) => void (runs++, (pending = res))
    await run({ handler }, async (url, time) => {
      const first = send(url, payment('A'))
      await until(() => pending !== undefined)
      time.advance(60_000)
      await check(url, payment('A'), { status: 409, headers: { 'retry-after': '1' } })
      // A transaction of the store is not asked.
      await check(url, payment('A', { body: '{}' }), { status: transaction ? 409 : 422 })
      pending?.writeHead(201).end('paid')
      expect(await first).toMatchObject({ status: 201, text: 'paid' })
      await check(url, payment('A'), { status: 201, body: 'paid', headers: REPLAYED })
      expect(runs).toBe(1)
    })
  })

  test('14, 15 takes over after the lease has expired, and rejects the late response', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const pending: ServerResponse[] = []
    const generations: unknown[] = []
    const handler: Handler = (req, res) => {
      generations.push(idempotencyOf(req)?.attempt)
      pending.push(res)
    }
    await run({ handler }, async (url, time) => {
      const first = send(url, payment('A'))
      await until(() => pending.length === 1)
      await check(url, payment('A'), { status: 409, headers: { 'retry-after': '1' } })
      silence(time)
      const second = send(url, payment('A', { headers: { Prefer: 'wait=15' } }))
      await until(() => pending.length === 2)
      pending[1]?.writeHead(201).end('second')
      expect(await second).toMatchObject({ status: 201, text: 'second' })
      pending[0]?.end('first')
      expect(await first).toMatchObject({ status: 409, headers: { 'retry-after': '1' } })
      await check(url, payment('A'), { status: 201, body: 'second', headers: REPLAYED })
      expect(generations).toEqual(transaction ? [1, 1] : [1, 2])
    })
  })

  test('14 reports an unknown outcome if onLeaseExpired is reject', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const pending: ServerResponse[] = []
    const handler: Handler = (_req, res) => void (pending.push(res) > 1 && res.end('second'))
    await run({ handler, options: { onLeaseExpired: 'reject' } }, async (url, time) => {
      send(url, payment('A')).catch(() => {})
      await until(() => pending.length === 1)
      silence(time)
      const unknown = { status: 409, headers: { 'retry-after': undefined }, body: /took effect/ }
      const retry = payment('A', { headers: { Prefer: 'wait=15' } })
      await check(url, retry, transaction ? { status: 200, body: 'second', headers: FRESH } : unknown)
    })
  })

  test('16 runs again 24 hours after the response', async () => {
    const { handler } = counting()
    await run({ handler }, async (url, time) => {
      await check(url, payment('A'), { body: '{"id":1}' })
      time.advance(86_399_999)
      await check(url, payment('A'), { body: '{"id":1}', headers: REPLAYED })
      time.advance(1)
      await check(url, payment('A'), { body: '{"id":2}', headers: FRESH })
    })
  })
})
