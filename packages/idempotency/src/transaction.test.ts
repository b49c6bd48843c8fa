import { request } from 'node:http'
import { type IdempotencyOptions, idempotency, idempotencyEngine, idempotencyOf } from '@svc/idempotency'
import { postgresStore } from '@svc/idempotency/stores/postgres'
import type pg from 'pg'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { check, send } from '../../internal/testing/check.ts'
import { startPostgres } from '../../internal/testing/servers.ts'
import { openDatabases } from './testing/databases.ts'
import { createPool } from './testing/pool.ts'
import { type Handler, hostNames, payment, serve, until } from './testing/service.ts'

describe.each(await openDatabases())('one transaction in %s', (name, { store, write, rows, clear, close }) => {
  beforeEach(clear)
  afterAll(close)

  /** Writes a row, then responds with `answer`. */
  const handling = (answer: Handler): { handler: Handler; runs: () => number } => {
    let runs = 0
    const handler: Handler = (req, res) => {
      runs++
      const { transaction, key = '' } = idempotencyOf(req) ?? {}
      write(transaction, key).then(
        () => answer(req, res),
        () => res.writeHead(409).end('taken'),
      )
    }
    return { handler, runs: () => runs }
  }
  const run = (
    handler: Handler,
    use: (url: string) => Promise<void>,
    rest: IdempotencyOptions = {},
    host = 'node:http',
  ) => serve(host, { middlewares: [idempotency({ store, transaction: true, ...rest })], handler }, use)

  test.each(hostNames)('commits row and response together, and replays, on %s', async (host) => {
    const { handler, runs } = handling((_req, res) => void res.writeHead(201, { Location: '/payments/1' }).end('paid'))
    await run(
      handler,
      async (url) => {
        await check(url, payment('a'), { status: 201, body: 'paid', headers: { 'idempotent-replayed': undefined } })
        expect(await rows()).toEqual(['a'])
        const replay = { 'idempotent-replayed': 'true', location: '/payments/1' }
        await check(url, payment('a'), { status: 201, body: 'paid', headers: replay })
        expect(runs()).toBe(1)
      },
      {},
      host,
    )
  })

  test('replays to concurrent retries alike', async () => {
    const { handler, runs } = handling((_req, res) => void res.writeHead(201).end('paid'))
    await run(handler, async (url) => {
      await check(url, payment('a'), { status: 201 })
      const retries = await Promise.all(Array.from({ length: 5 }, () => send(url, payment('a'))))
      expect(retries.map(({ status }) => status)).toEqual(Array(5).fill(201))
      expect(runs()).toBe(1)
    })
  })

  test('is required, unless onStoreError says otherwise: no handler runs while the store fails', async () => {
    const failing = { ...store, open: () => Promise.reject(new Error('down')) }
    const { handler, runs } = handling((_req, res) => void res.end('paid'))
    await run(handler, async (url) => void (await check(url, payment('a'), { status: 503 })), { store: failing })
    expect(runs()).toBe(0)
  })

  test('does not report as stored what the database has rolled back', async ({ skip }) => {
    if (name === 'sqlite') return skip('a statement that fails does not end a transaction of SQLite')
    const handler: Handler = async (req, res) => {
      const { transaction } = idempotencyOf(req) ?? {}
      await write(transaction, 'a')
      // The handler takes the error for unimportant.
      await write(transaction, 'a').catch(() => {})
      res.end('paid')
    }
    await run(handler, async (url) => void (await check(url, payment('a'), { status: 503 })))
    expect(await rows()).toEqual([])
  })

  test('sends nothing of a streamed response before the commit', async () => {
    let seenAtEnd: string[] = []
    const { handler } = handling(async (_req, res) => {
      res.write('pa')
      seenAtEnd = await (name === 'postgres' ? rows() : [])
      res.write('id')
      res.end()
    })
    await run(handler, async (url) => {
      await check(url, payment('a'), { status: 200, body: 'paid' })
      expect(seenAtEnd).toEqual([])
      expect(await rows()).toEqual(['a'])
    })
  })

  test('rolls back after an error, so that a retry runs again', async () => {
    let isBroken = true
    const { handler } = handling((_req, res) => void res.writeHead(isBroken ? 500 : 201).end())
    await run(handler, async (url) => {
      await check(url, payment('a'), { status: 500 })
      expect(await rows()).toEqual([])
      isBroken = false
      await check(url, payment('a'), { status: 201, headers: { 'idempotent-replayed': undefined } })
      expect(await rows()).toEqual(['a'])
    })
  })

  test('stores a rejection of the handler without its writes, even after an error of the database', async () => {
    const { handler } = handling((_req, res) => void res.writeHead(422).end('no'))
    await run(handler, async (url) => {
      await check(url, payment('a'), { status: 422, body: 'no' })
      expect(await rows()).toEqual([])
      await check(url, payment('a'), { status: 422, body: 'no', headers: { 'idempotent-replayed': 'true' } })
    })
    const { handler: create, runs } = handling((_req, res) => void res.writeHead(201).end())
    await run(create, async (url) => {
      await check(url, payment('b'), { status: 201 })
      const asAda = payment('b', { headers: { Authorization: 'Bearer ada' } })
      await check(url, asAda, { status: 409, body: 'taken' })
      await check(url, asAda, { status: 409, body: 'taken', headers: { 'idempotent-replayed': 'true' } })
      expect(runs()).toBe(2)
    })
  })

  test('obeys commit() and release() of the handler', async () => {
    const { handler } = handling((req, res) => {
      const fact = idempotencyOf(req)
      if (fact?.key === 'keep') fact.commit()
      else fact?.release()
      res.writeHead(fact?.key === 'keep' ? 500 : 201).end('x')
    })
    await run(handler, async (url) => {
      await check(url, payment('keep'), { status: 500 })
      await check(url, payment('keep'), { status: 500, headers: { 'idempotent-replayed': 'true' } })
      await check(url, payment('drop'), { status: 201 })
      await check(url, payment('drop'), { status: 201, headers: { 'idempotent-replayed': undefined } })
      expect(await rows()).toEqual(['keep'])
    })
  })

  test.each<[string, Handler]>([
    ['setHeader and end', (_req, res) => res.setHeader('Location', '/payments/1').end('paid')],
    ['writeHead and end', (_req, res) => res.writeHead(201, 'Paid', { Location: '/payments/1' }).end('paid')],
    [
      'flushHeaders, write and end',
      (_req, res) => {
        res.setHeader('Location', '/payments/1')
        res.flushHeaders()
        res.write('pa')
        res.end('id')
      },
    ],
  ])('returns 503 if COMMIT fails after %s', async (_, answer) => {
    const { handler } = handling((req, res) => {
      res.statusCode = 201
      answer(req, res)
    })
    await run(handler, async (url) => {
      const failed = { status: 503, headers: { 'retry-after': '1', location: undefined, 'content-type': /json/ } }
      await check(url, payment('orphan'), failed)
      const { statusText } = await fetch(`${url}/payments`, payment('orphan') as RequestInit)
      expect(statusText).toBe('Service Unavailable')
      expect(await rows()).toEqual([])
      await check(url, payment('a'), { status: 201 })
    })
  })

  test('lets a retry run once COMMIT has failed, however long the database takes to roll back', async ({ skip }) => {
    if (name === 'sqlite') return skip('SQLite rolls back before it returns the error')
    const claim = { fingerprint: 'f', owner: 'o', leaseMs: 1000, ttlMs: 1000, onLeaseExpired: 'retry' } as const
    const [first, retry] = [await store.open(), await store.open()]
    expect(await store.within(first).acquire('a', claim)).toMatchObject({ outcome: 'new' })
    await first.query(
      `DO $$ BEGIN FOR i IN 1..1000 LOOP EXECUTE 'CREATE TABLE ledger' || i || ' (a text)'; END LOOP; END $$`,
      [],
    )
    await write(first.client, 'orphan')
    await expect(async () => first.commit()).rejects.toThrow('foreign key')
    await expect(async () => first.rollback()).rejects.toThrow('the transaction has ended')
    expect(await store.within(retry).acquire('a', claim)).toMatchObject({ outcome: 'new' })
    await retry.rollback()
  })

  test('runs one of 64 concurrent duplicates', async () => {
    const { handler, runs } = handling((_req, res) => void setImmediate(() => res.writeHead(201).end('paid')))
    await run(handler, async (url) => {
      const answers = await Promise.all(Array.from({ length: 64 }, () => send(url, payment('a'))))
      expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
      expect(runs()).toBe(1)
      expect(await rows()).toEqual(['a'])
      const waiting = payment('b', { headers: { Prefer: 'wait=5' } })
      const waited = await Promise.all(Array.from({ length: 64 }, () => send(url, waiting)))
      expect(waited.every(({ status }) => status === 201)).toBe(true)
      expect(runs()).toBe(2)
    })
  })

  test('is abandoned if its handler never responds, and a late response does not count', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const late: (() => void)[] = []
      const { handler, runs } = handling((_req, res) => {
        if (runs() === 1) late.push(() => res.end('late'))
        else res.writeHead(201).end('paid')
      })
      await run(
        handler,
        async (url) => {
          const first = send(url, payment('a'))
          await until(() => late.length === 1)
          await check(url, payment('a'), { status: 409 })
          vi.advanceTimersByTime(70_000)
          await check(url, payment('a'), { status: 201, body: 'paid', headers: { 'idempotent-replayed': undefined } })
          late[0]?.()
          expect(await first).toMatchObject({ status: 409, headers: { 'retry-after': '1' } })
          expect(await rows()).toEqual(['a'])
        },
        { maxRunMs: 60_000 },
      )
    } finally {
      vi.useRealTimers()
    }
  })

  test('is rolled back if its client disconnects during a stream', async () => {
    let isStreaming = false
    let isClosed = false
    let runs = 0
    const { handler } = handling((_req, res) => {
      runs++
      if (runs > 1) return void res.writeHead(201).end('paid')
      res.setHeader('Content-Type', 'text/plain')
      res.write('x')
      isStreaming = true
      res.once('close', () => void (isClosed = true))
    })
    await run(handler, async (url) => {
      vi.useFakeTimers({ toFake: ['setTimeout'] })
      const headers = { 'Idempotency-Key': 'a', 'Content-Type': 'application/json', 'Content-Length': '2' }
      const client = request(`${url}/payments`, { method: 'POST', headers, agent: false })
      client.on('error', () => {}).end('{}')
      await until(() => isStreaming)
      client.destroy()
      await until(() => isClosed)
      vi.advanceTimersByTime(5000)
      vi.useRealTimers()
      const retry = { body: '{}', headers: { Prefer: 'wait=5' } }
      await check(url, payment('a', retry), { status: 201, headers: { 'idempotent-replayed': undefined } })
      expect(await rows()).toEqual(['a'])
    })
  })

  test('has ended for a handler that continues to write after an error response', async ({ skip }) => {
    if (name === 'sqlite') return skip('all that the process writes on its only connection is part of a transaction')
    const ended = 'idempotency: postgresStore: the transaction has ended'
    const clients: pg.PoolClient[] = []
    const handler: Handler = (req, res) => {
      clients.push(idempotencyOf(req)?.transaction as pg.PoolClient)
      res.writeHead(504).end()
    }
    await run(handler, async (url) => void (await check(url, payment('a'), { status: 504 })))
    await expect(write(clients[0], 'a')).rejects.toThrow(ended)
    const inCallback = new Promise((resolve) => clients[0]?.query('DELETE FROM payments', resolve))
    expect(await inCallback).toMatchObject({ message: ended })
    expect(await rows()).toEqual([])
  })

  test('stores a step outside the database despite a rollback, or rejects it', async () => {
    let charges = 0
    let attempts = 0
    const handler: Handler = async (req, res) => {
      attempts++
      const fact = idempotencyOf(req)
      try {
        const charge = await fact?.checkpoint('charged', async () => ({ charge: ++charges }))
        await write(fact?.transaction, 'a')
        res.writeHead(attempts === 1 ? 500 : 201).end(JSON.stringify(charge))
      } catch (error) {
        res.writeHead(501).end(String(error))
      }
    }
    await run(handler, async (url) => {
      if (name === 'sqlite') return void (await check(url, payment('a'), { status: 501, body: /cannot outlive/ }))
      await check(url, payment('a'), { status: 500 })
      await check(url, payment('a'), { status: 201, body: { charge: 1 } })
      expect(await rows()).toEqual(['a'])
    })
  })
})

test('saves the checkpoints of more concurrent transactions than PostgreSQL has connections', async ({ skip }) => {
  const server = await startPostgres()
  if (!server) return skip('PostgreSQL is not installed')
  const pool = createPool(server.url, 3)
  const charges: string[] = []
  const handler: Handler = async (req, res) => {
    const info = idempotencyOf(req)
    const isSaved = await info
      ?.checkpoint('charged', async () => charges.push(info.key))
      .then(
        () => true,
        () => false,
      )
    res.writeHead(isSaved ? 201 : 500).end()
  }
  const keyed = idempotency({ store: postgresStore(pool), transaction: true, storeTimeoutMs: 10_000 })
  await serve('node:http', { middlewares: [keyed], handler }, async (url) => {
    const keys = Array.from({ length: 12 }, (_, key) => `key-${key}`)
    const answers = await Promise.all(keys.map((key) => send(url, payment(key))))
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201))
    expect(charges.sort()).toEqual(keys.sort())
  })
  expect([pool.idleCount, pool.waitingCount]).toEqual([pool.totalCount, 0])
  await pool.end()
  await server.stop()
})

test('leaves the turn of a transaction that could not be opened, or was abandoned, to the next', async () => {
  const client = { query: async () => ({ rows: [] }), release: vi.fn(), on: () => {}, off: () => {} }
  const connect = vi.fn(async () => client)
  const store = postgresStore({ query: client.query, connect, options: { max: 2 } } as never)
  connect.mockRejectedValueOnce(new Error('refused'))
  await expect(store.open()).rejects.toThrow('refused')
  for (const end of ['abandon', 'rollback', 'commit'] as const) {
    const tx = await store.open()
    const next = store.open()
    await new Promise((resolve) => setImmediate(resolve))
    connect.mockClear()
    await tx[end]?.()
    await (await next).rollback()
    expect(connect).toHaveBeenCalledTimes(1)
  }
})

test.each(['BEGIN', 'INSERT', 'COMMIT', 'ROLLBACK'])('closes a connection without a reply to %s', async (statement) => {
  const reply = Promise.withResolvers<void>()
  const client = {
    async query(sql: string) {
      if (sql.startsWith(statement)) await reply.promise
      return { rows: sql.startsWith('INSERT') ? [{ id: 'a' }] : [] }
    },
    release: vi.fn(),
    on: () => {},
    off: () => {},
  }
  const store = postgresStore({ query: client.query, connect: async () => client, options: { max: 2 } } as never)
  const engine = idempotencyEngine({ store, transaction: true, storeTimeoutMs: 20 })
  const serialize = () => (statement === 'ROLLBACK' ? undefined : { status: 201, headers: [], body: Buffer.of() })
  const run = () => engine.run({ scope: '', key: 'k', fingerprint: 'f' }, () => 'paid', { serialize })
  for (const times of [1, 2]) {
    await expect(run()).rejects.toMatchObject({ cause: { message: 'the store did not reply within 20 ms' } })
    expect(client.release.mock.calls, 'the next transaction gets the turn').toEqual(Array(times).fill([true]))
  }
  reply.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  expect(client.release).toHaveBeenCalledTimes(2)
})

test.each([
  ['reuses a connection that has rolled back', undefined, false],
  ['closes a connection that cannot roll back', new Error('gone'), true],
])('%s after a COMMIT that failed', async (_, gone, isClosed) => {
  const errors: Record<string, Error | undefined> = { COMMIT: new Error('foreign key'), ROLLBACK: gone }
  const client = {
    query: (sql: string) => (errors[sql] ? Promise.reject(errors[sql]) : Promise.resolve({ rows: [] })),
    release: vi.fn(),
    on: () => {},
    off: () => {},
  }
  const store = postgresStore({ query: client.query, connect: async () => client } as never)
  const tx = await store.open()
  await expect(async () => tx.commit()).rejects.toThrow('foreign key')
  expect(client.release.mock.calls).toEqual([[isClosed]])
})

test('rejects a store without transactions', () => {
  const nowhere = { query: () => [] }
  expect(() => idempotencyEngine().begin({ scope: '', key: 'k', fingerprint: 'f' }, nowhere)).toThrow(TypeError)
  expect(() => idempotency({ transaction: true })).toThrow(
    'idempotency: transaction needs a store with transactions, such as postgresStore(pool)',
  )
})
