import { request } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import {
  type IdempotentOptions,
  idempotency,
  idempotencyOf,
  idempotent,
  type TransactionalStore,
} from '@svc/idempotency'
import { postgres } from '@svc/idempotency/stores/postgres'
import { sqlite } from '@svc/idempotency/stores/sqlite'
import type pg from 'pg'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { check, send } from '../../internal/testing/check.ts'
import { startPostgres } from '../../internal/testing/servers.ts'
import { poolOf } from './testing/pool.ts'
import { type Handler, hostNames, payment, serve, until } from './testing/service.ts'

interface Database {
  store: TransactionalStore
  /** Writes in the transaction of the request. */
  write(client: unknown, key: string): Promise<unknown>
  /** What another connection sees. */
  rows(): Promise<string[]>
  clear(): Promise<unknown>
  close(): Promise<unknown>
}

// `payments.key` must be unique, and `owner` must exist: the latter is checked at COMMIT.
const TABLES = `CREATE TABLE owners (id integer PRIMARY KEY);
  CREATE TABLE payments (key text UNIQUE, owner integer REFERENCES owners DEFERRABLE INITIALLY DEFERRED)`

async function onPostgres(): Promise<Database | undefined> {
  const server = await startPostgres()
  if (!server) return undefined
  const pool = poolOf(server.url)
  const store = postgres(pool)
  await Promise.all([pool.query(TABLES), store.setup()])
  return {
    store,
    write: (client, key) =>
      (client as pg.PoolClient).query('INSERT INTO payments VALUES ($1, $2)', [key, key === 'orphan' ? 1 : null]),
    rows: async () => (await pool.query<{ key: string }>('SELECT key FROM payments')).rows.map(({ key }) => key),
    clear: () => pool.query('TRUNCATE payments, svc_idempotency'),
    close: async () => {
      await pool.end()
      await server.stop()
    },
  }
}

function onSqlite(): Database {
  const database = new DatabaseSync(':memory:')
  database.exec(`PRAGMA foreign_keys = ON; ${TABLES}`)
  return {
    store: sqlite(database),
    write: async (client, key) =>
      (client as DatabaseSync).prepare('INSERT INTO payments VALUES (?, ?)').run(key, key === 'orphan' ? 1 : null),
    rows: async () =>
      database
        .prepare('SELECT key FROM payments')
        .all()
        .map(({ key }) => String(key)),
    clear: async () => database.exec('DELETE FROM payments; DELETE FROM svc_idempotency'),
    close: async () => database.close(),
  }
}

const databases = { sqlite: onSqlite(), postgres: await onPostgres() }
const present = Object.entries(databases).flatMap(([name, database]) => (database ? [[name, database] as const] : []))

describe.each(present)('one transaction in %s', (name, { store, write, rows, clear, close }) => {
  beforeEach(clear)
  afterAll(close)

  /** Writes a row, then answers as `answer` says. */
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
    rest: IdempotentOptions = {},
    host = 'node:http',
  ) => serve(host, { middlewares: [idempotent({ store, transaction: true, ...rest })], handler }, use)

  test.each(hostNames)('commits row and answer together, and replays, on %s', async (host) => {
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

  test('sends nothing of a streamed answer before it is committed', async () => {
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

  test('rolls back after a failure, so that a retry runs again', async () => {
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

  test('keeps a refusal of the handler without what was written, also after an error of the database', async () => {
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

  test('does what the handler says: commit() and release()', async () => {
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

  test('answers 503, and not 201, where COMMIT fails', async () => {
    const { handler } = handling((_req, res) => {
      res.statusCode = 201
      res.setHeader('Location', '/payments/1')
      res.end('paid')
    })
    await run(handler, async (url) => {
      const failed = { status: 503, headers: { 'retry-after': '1', location: undefined, 'content-type': /json/ } }
      await check(url, payment('orphan'), failed)
      expect(await rows()).toEqual([])
      await check(url, payment('a'), { status: 201 })
    })
  })

  test('cuts the connection where COMMIT fails after the handler wrote the head itself', async () => {
    const { handler } = handling((_req, res) => void res.writeHead(201).end('paid'))
    await run(handler, async (url) => {
      await expect(send(url, payment('orphan'))).rejects.toThrow(/socket hang up|ECONNRESET/)
    })
  })

  test('runs one of 64 parallel duplicates', async () => {
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

  test('is given up when its handler never answers, and a late answer does not count', async () => {
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
        { maxRunSeconds: 60 },
      )
    } finally {
      vi.useRealTimers()
    }
  })

  test('is rolled back where its client went away in the middle of a stream', async () => {
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

  test('joins a transaction of the caller, who commits', async () => {
    const engine = idempotency({ store })
    const input = { scope: 's', key: 'k', fingerprint: 'f' }
    const response = { status: 201, fields: [], body: Buffer.from('paid') }
    const beats = vi.spyOn(globalThis, 'setInterval')
    const rolledBack = await store.open()
    const lost = await engine.begin(input, rolledBack)
    expect(lost.outcome).toBe('new')
    if (lost.outcome === 'new') await lost.lease.complete(response)
    await rolledBack.rollback()
    expect(beats, 'nothing is kept alive that the caller may have forgotten').not.toHaveBeenCalled()
    beats.mockRestore()

    const tx = await store.open()
    // What a query builder gives: rows alone.
    const begun = await engine.begin(input, { query: (text, values) => rowsOf(tx.query(text, values)) })
    if (begun.outcome !== 'new') throw new Error(begun.outcome)
    await write(tx.client, 'k')
    await begun.lease.complete(response)
    await tx.commit()
    expect(await rows()).toEqual(['k'])
    const replay = await engine.begin(input)
    expect(replay).toMatchObject({ outcome: 'replay', response: { status: 201, fields: [] } })
  })

  test('keeps a refusal after the caller rolled back', async () => {
    const engine = idempotency({ store })
    const input = { scope: 's', key: 'k', fingerprint: 'f' }
    const tx = await store.open()
    const begun = await engine.begin(input, tx)
    if (begun.outcome !== 'new') throw new Error(begun.outcome)
    await write(tx.client, 'k')
    await tx.rollback()
    await begun.lease.complete({ status: 422, fields: [], body: Buffer.from('no') }, { effects: 'undo' })
    expect(await engine.begin(input)).toMatchObject({ outcome: 'replay', response: { status: 422 } })
    expect(await rows()).toEqual([])
  })

  test('refuses a duplicate of work in another transaction, and fences off who was overtaken', async ({ skip }) => {
    if (name === 'sqlite') return skip('a connection of SQLite has one transaction')
    const engine = idempotency({ store })
    const input = { scope: 's', key: 'k', fingerprint: 'f' }
    const [one, other] = [await store.open(), await store.open()]
    const first = await engine.begin(input, one)
    expect(await engine.begin(input, other)).toMatchObject({ failure: { code: 'ERR_IDEMPOTENCY_IN_PROGRESS' } })
    // An attempt with a lease sees no transaction: the one that ends first is the one that counts.
    const leased = await engine.begin(input)
    if (first.outcome !== 'new' || leased.outcome !== 'new') throw new Error('both begin')
    await leased.lease.complete({ status: 200, fields: [], body: Buffer.from('leased') })
    await expect(async () =>
      first.lease.complete({ status: 200, fields: [], body: Buffer.from('tx') }),
    ).rejects.toThrow(expect.objectContaining({ code: 'ERR_IDEMPOTENCY_LEASE_LOST' }))
    await Promise.all([one.rollback(), other.rollback()])
    expect(await engine.begin(input)).toMatchObject({ outcome: 'replay' })
  })

  test('keeps a step outside of the database through a rollback, or refuses to take one', async () => {
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

async function rowsOf(result: ReturnType<Awaited<ReturnType<TransactionalStore['open']>>['query']>) {
  const found = await result
  return 'rows' in found ? found.rows : found
}

test('refuses a store without transactions', () => {
  const nowhere = { query: () => [] }
  expect(() => idempotency().begin({ scope: '', key: 'k', fingerprint: 'f' }, nowhere)).toThrow(TypeError)
  expect(() => idempotent({ transaction: true })).toThrow(
    'idempotency: transaction needs a store with transactions, such as postgres(pool) or sqlite(database)',
  )
})
