import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { memoryStore } from '@svc/idempotency'
import { idempotency, idempotencyOf } from '@svc/idempotency/fetch'
import { sqliteStore } from '@svc/idempotency/stores/sqlite'
import { Hono } from 'hono'
import { describe, expect, test, vi } from 'vitest'

const url = 'https://api.example/payments?x=1'
const payment = (
  key: string | undefined,
  body: string | Uint8Array<ArrayBuffer> | null = '{"amount":"10.00"}',
  more: object = {},
) =>
  new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }), ...more },
    body,
  })

function paying() {
  let count = 0
  return vi.fn(async (request: Request) => {
    const body = await request.text()
    const headers = { location: `/payments/${++count}`, 'set-cookie': 'a=1', etag: '"1"' }
    return new Response(`${count} ${body}`, { status: 201, headers })
  })
}

describe('idempotency for Fetch', () => {
  test('runs the handler once, and returns the first response to retries', async () => {
    const keyed = idempotency()
    const handler = paying()
    const first = await keyed(payment('a'), handler)
    expect([first.status, await first.text(), first.headers.get('idempotent-replayed')]).toEqual([
      201,
      '1 {"amount":"10.00"}',
      null,
    ])
    const retry = await keyed(payment('"a"', '{ "amount": "10.00" }'), handler)
    expect([retry.status, await retry.text()]).toEqual([201, '1 {"amount":"10.00"}'])
    expect(Object.fromEntries(retry.headers)).toMatchObject({
      location: '/payments/1',
      etag: '"1"',
      'idempotent-replayed': 'true',
    })
    expect(retry.headers.has('set-cookie')).toBe(false)
    expect(handler).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['without a required key', payment(undefined), 400, 'ERR_IDEMPOTENCY_KEY_MISSING'],
    ['with a malformed key', payment('a b'), 400, 'ERR_IDEMPOTENCY_KEY_INVALID'],
    ['with a body that is too large', payment('b', 'x'.repeat(200)), 413, 'ERR_IDEMPOTENCY_BODY_TOO_LARGE'],
    ['with a session', payment('c', '{}', { cookie: 'sid=1' }), 500, 'ERR_IDEMPOTENCY_USER_UNKNOWN'],
  ])('rejects a request %s', async (_, request, status, code) => {
    const handler = paying()
    const response = await idempotency({ required: true, maxBodyBytes: 100, warnings: false })(request, handler)
    expect([response.status, response.headers.get('cache-control')]).toEqual([status, 'no-store'])
    expect(await response.json()).toMatchObject({ status, code, path: '/payments' })
    expect(handler).not.toHaveBeenCalled()
  })

  test.each([
    [{ user: () => 7 }, 'idempotency: user must return the name of the authenticated user as a string, got 7'],
    [{ fingerprint: () => undefined }, 'idempotency: fingerprint must return a string, got undefined'],
  ])('runs nothing if an option returns something other than a string: %o', async (options, message) => {
    const handler = paying()
    const keyed = idempotency({ ...options, onRefused: 'throw' } as never)
    const error = await keyed(payment('a'), handler).catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ status: 500 })
    expect([(error as Error).message, String((error as Error).cause)]).toContainEqual(expect.stringContaining(message))
    expect(handler).not.toHaveBeenCalled()
  })

  test('rejects a request whose body was read before, and stores nothing', async () => {
    const store = memoryStore()
    const keyed = idempotency({ store })
    const handler = paying()
    const request = payment('a')
    await request.text()
    const response = await keyed(request, handler)
    expect(await response.json()).toMatchObject({ status: 500, code: 'ERR_IDEMPOTENCY_BODY_CONSUMED' })
    expect([handler.mock.calls.length, store.size]).toEqual([0, 0])
    expect((await keyed(payment('a'), handler)).status).toBe(201)
  })

  test('rejects another request with the key, and one in progress', async () => {
    const keyed = idempotency()
    await keyed(payment('a'), paying())
    const other = await keyed(payment('a', '{}'), paying())
    expect(await other.json()).toMatchObject({ status: 422, code: 'ERR_IDEMPOTENCY_KEY_REUSED' })
    let finish = (_response: Response): void => {}
    const first = keyed(payment('b'), () => new Promise<Response>((resolve) => void (finish = resolve)))
    await vi.waitFor(async () => expect((await keyed(payment('b'), paying())).status).toBe(409))
    const waiting = keyed(payment('b', undefined, { prefer: 'wait=10' }), paying())
    finish(new Response('done'))
    expect(await (await first).text()).toBe('done')
    expect((await waiting).headers.get('preference-applied')).toBe('wait')
  })

  test('waits if the option says so, without a preference that it could apply', async () => {
    const keyed = idempotency({ wait: 'always' })
    const [first, second] = await Promise.all([keyed(payment('a'), paying()), keyed(payment('a'), paying())])
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.headers.has('preference-applied')).toBe(false)
  })

  test('stores a fingerprint of the option as a hash', async () => {
    const store = memoryStore()
    await idempotency({ store, fingerprint: () => 'secret' })(payment('a'), paying())
    expect(store.list(1)[0]?.fingerprint).toMatch(/^[\da-f]{64}$/)
  })

  test.each([
    ['an error', new TypeError('secret'), 500, 'INTERNAL_SERVER_ERROR', /could not process/],
    ['null', null, 500, 'INTERNAL_SERVER_ERROR', /could not process/],
    ['a status', Object.assign(new Error('secret'), { status: 409 }), 409, 'CONFLICT', /could not process/],
    [
      'an exposed message',
      Object.assign(new Error('Sold out.'), { status: 422, code: 'SOLD_OUT', expose: true }),
      422,
      'SOLD_OUT',
      /^Sold out\.$/,
    ],
  ])('passes on what the handler throws, and runs no retry again: %s', async (_, error, status, code, message) => {
    const keyed = idempotency()
    const handler = vi.fn(() => Promise.reject(error))
    await expect(keyed(payment('a'), handler)).rejects.toBe(error)
    const retry = await keyed(payment('a'), handler)
    expect([retry.status, retry.headers.get('idempotent-replayed')]).toEqual([status, 'true'])
    expect(await retry.json()).toMatchObject({ status, code, message: expect.stringMatching(message) })
    expect(handler).toHaveBeenCalledTimes(1)
  })

  test('releases the key if the handler throws an error whose status is not stored', async () => {
    const keyed = idempotency({ shouldStore: (status) => (status === 500 ? false : undefined) })
    for (const [key, error] of [
      ['a', Object.assign(new Error('busy'), { status: 503 })],
      ['b', new Error('mine')],
    ] as const) {
      await expect(keyed(payment(key), () => Promise.reject(error))).rejects.toBe(error)
      expect((await keyed(payment(key), paying())).headers.has('idempotent-replayed')).toBe(false)
    }
  })

  test.each([
    ['returns', () => new Response('paid', { status: 201 })],
    ['throws', () => Promise.reject(new Error('mine'))],
  ])('runs no retry if shouldStore fails after a handler that %s', async (_, respond) => {
    const shouldStore = () => {
      throw new Error('hook')
    }
    const keyed = idempotency({ shouldStore, warnings: false })
    const handler = vi.fn<() => Response | Promise<Response>>(respond)
    await keyed(payment('a'), handler).catch(() => {})
    expect((await keyed(payment('a'), handler)).headers.get('idempotent-replayed')).toBe('true')
    expect(handler).toHaveBeenCalledTimes(1)
  })

  test('rolls back, and releases the key, if the handler throws in a transaction', async () => {
    const database = new DatabaseSync(':memory:')
    database.exec('CREATE TABLE payments (id integer)')
    const keyed = idempotency({ store: sqliteStore(database), transaction: true })
    const fail = (): never => {
      database.exec('INSERT INTO payments VALUES (1)')
      throw new Error('mine')
    }
    await expect(keyed(payment('a'), fail)).rejects.toThrow('mine')
    expect(database.prepare('SELECT * FROM payments').all()).toEqual([])
    expect((await keyed(payment('a'), paying())).headers.has('idempotent-replayed')).toBe(false)
  })

  test('leaves facts of other packages on the request of the handler', async () => {
    const fact = Symbol.for('svc.ratelimit')
    const request = Object.assign(payment('a'), { [fact]: { remaining: 7 } })
    const handler = vi.fn((_request: Request) => new Response(null, { status: 201 }))
    await idempotency()(request, handler)
    expect(Reflect.get(handler.mock.calls[0]?.[0] ?? {}, fact)).toEqual({ remaining: 7 })
  })

  test('compares a compressed body after decompression', async () => {
    const keyed = idempotency()
    const handler = paying()
    const compressed = (text: string, level: number) =>
      payment('a', gzipSync(text, { level }), { 'content-encoding': 'gzip' })
    await keyed(compressed('{"amount":"10.00"}', 0), handler)
    for (const retry of [compressed('{ "amount": "10.00" }', 9), payment('a')])
      expect((await keyed(retry, handler)).headers.get('idempotent-replayed')).toBe('true')
    expect((await keyed(compressed('{"amount":"10.01"}', 0), handler)).status).toBe(422)
  })

  test('leaves an empty body to the handler', async () => {
    const keyed = idempotency()
    const handler = paying()
    const first = await keyed(payment('a', ''), handler)
    expect([first.status, await first.text()]).toEqual([201, '1 '])
    expect((await keyed(payment('a', ''), handler)).status).toBe(201)
  })

  test('counts once if a request passes it twice', async () => {
    const keyed = idempotency()
    const handler = paying()
    const response = await keyed(payment('a'), (request) => keyed(request, handler))
    expect([response.status, handler.mock.calls.length]).toEqual([201, 1])
  })

  test('replays a header once, whatever case it is listed in', async () => {
    const keyed = idempotency({ storedHeaders: ['location', 'X-Bill', 'x-bill'] })
    const handler = () => new Response('paid', { status: 201, headers: { location: '/bills/1', 'x-bill': '7' } })
    await keyed(payment('a'), handler)
    const retry = await keyed(payment('a'), handler)
    expect([retry.headers.get('location'), retry.headers.get('x-bill')]).toEqual(['/bills/1', '7'])
  })

  test.each([[[] as string[]], ['all' as const]])(
    'passes on a response that is too large to store, and rejects a retry, storing %j',
    async (storedHeaders) => {
      const keyed = idempotency({ maxResponseBytes: 1000, storedHeaders })
      const body = 'x'.repeat(5000)
      const handler = () => new Response(body, { status: 201, headers: { location: '/big' } })
      expect(await (await keyed(payment('a'), handler)).text()).toBe(body)
      const retry = await keyed(payment('a'), handler)
      expect([retry.status, retry.headers.get('location')]).toEqual([409, '/big'])
    },
  )

  test('applies the decision of the handler, and replays responses without a body', async () => {
    const keyed = idempotency()
    const release = (request: Request) => {
      idempotencyOf(request)?.release()
      return new Response(null, { status: 204 })
    }
    await keyed(payment('a'), release)
    expect((await keyed(payment('a'), release)).headers.has('idempotent-replayed')).toBe(false)
    const empty = vi.fn(() => new Response(null, { status: 204 }))
    await keyed(payment('b'), empty)
    const replay = await keyed(payment('b'), empty)
    expect([replay.status, replay.headers.get('idempotent-replayed'), empty.mock.calls.length]).toEqual([
      204,
      'true',
      1,
    ])
  })

  test('works in Hono', async () => {
    const keyed = idempotency()
    const app = new Hono()
    let count = 0
    app.post(
      '/payments',
      async (context, next) => {
        context.res = await keyed(context.req.raw, async (request) => {
          context.req.raw = request
          await next()
          return context.res
        })
      },
      async (context) => context.json({ id: ++count, ...(await context.req.json()) }, 201),
    )
    const [first, retry] = [await app.request(payment('a')), await app.request(payment('a'))]
    expect(await first.json()).toEqual({ id: 1, amount: '10.00' })
    expect([await retry.json(), retry.headers.get('idempotent-replayed')]).toEqual([{ id: 1, amount: '10.00' }, 'true'])
  })
})
