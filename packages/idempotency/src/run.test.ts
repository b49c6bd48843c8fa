import { DatabaseSync } from 'node:sqlite'
import {
  idempotencyEngine,
  type MaybePromise,
  memoryStore,
  type SqlExecutor,
  type TransactionalStore,
} from '@svc/idempotency'
import { postgresStore } from '@svc/idempotency/stores/postgres'
import { sqliteStore } from '@svc/idempotency/stores/sqlite'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { startPostgres } from '../../internal/testing/servers.ts'
import { createPool } from './testing/pool.ts'

const postgresServer = await startPostgres()
const pool = postgresServer && createPool(postgresServer.url)
afterAll(async () => {
  await pool?.end()
  await postgresServer?.stop()
})

const input = { scope: 'ada', key: 'k', fingerprint: 'f' }
const failure = Object.assign(new Error('no money'), { status: 409 })
const serializeError = (error: unknown) => ({ status: 409, headers: [], body: Buffer.from(String(error)) })
const deserialize = ({ status, body }: { status: number; body: Uint8Array }): string => {
  if (status >= 400) throw new Error(`stored: ${Buffer.from(body)}`)
  return String(JSON.parse(Buffer.from(body).toString()))
}

describe('run under a lease', () => {
  test('returns the value of the first run to every later one', async () => {
    const engine = idempotencyEngine()
    const work = vi.fn(() => ({ id: 7 }))
    expect(await engine.run(input, work)).toEqual({ value: { id: 7 }, replayed: false, waited: false })
    expect(await engine.run(input, work)).toEqual({ value: { id: 7 }, replayed: true, waited: false })
    expect(work).toHaveBeenCalledTimes(1)
    expect(() => engine.run({ ...input, fingerprint: 'other' }, work)).toThrow(
      expect.objectContaining({ status: 422, code: 'ERR_IDEMPOTENCY_KEY_REUSED' }),
    )
  })

  test.each([
    [
      'throws',
      () => {
        throw failure
      },
    ],
    ['rejects', () => Promise.reject(failure)],
  ])('releases the key if the work %s, and a retry runs again', async (_, fail) => {
    const engine = idempotencyEngine()
    await expect(async () => engine.run(input, fail)).rejects.toBe(failure)
    expect(await engine.run(input, () => 'second')).toMatchObject({ value: 'second', replayed: false })
  })

  test('stores an error if serializeError says so, and retries fail alike', async () => {
    const engine = idempotencyEngine()
    const work = vi.fn(() => Promise.reject(failure))
    await expect(async () => engine.run(input, work, { serializeError, deserialize })).rejects.toBe(failure)
    await expect(async () => engine.run(input, work, { serializeError, deserialize })).rejects.toThrow(
      'stored: Error: no money',
    )
    expect(work).toHaveBeenCalledTimes(1)
  })

  test('does not store a value that serialize returns undefined for', async () => {
    const engine = idempotencyEngine()
    const work = vi.fn(() => 'value')
    for (let run = 0; run < 2; run++)
      expect(await engine.run(input, work, { serialize: () => undefined })).toMatchObject({ replayed: false })
    expect(work).toHaveBeenCalledTimes(2)
  })

  test('fails, and releases the key, if a value cannot be serialized', async () => {
    const engine = idempotencyEngine()
    await expect(async () => engine.run(input, () => 1n)).rejects.toThrow('BigInt')
    expect(await engine.inspect(input)).toBeUndefined()
  })

  test('returns the value even if the store cannot store it: the work is done', async () => {
    const store = { ...pickMethods(memoryStore()), complete: () => Promise.reject(new Error('down')) }
    const events: string[] = []
    const engine = idempotencyEngine({ store, onEvent: ({ type }) => events.push(type) })
    expect(await engine.run(input, () => 'done')).toMatchObject({ value: 'done' })
    expect(events).toEqual(['run', 'failed'])
  })

  test('rejects a duplicate in progress, or lets it wait', async () => {
    const engine = idempotencyEngine()
    let finish = (_value: string): void => {}
    const first = engine.run(
      input,
      () =>
        new Promise<string>((resolve) => {
          finish = resolve
        }),
    )
    expect(() => engine.run(input, () => 'other')).toThrow(
      expect.objectContaining({ code: 'ERR_IDEMPOTENCY_IN_PROGRESS' }),
    )
    const second = engine.run({ ...input, maxWaitMs: 10_000 }, () => 'other')
    finish('first')
    expect(await first).toMatchObject({ value: 'first', replayed: false })
    expect(await second).toEqual({ value: 'first', replayed: true, waited: true })
  })

  test.each([
    ['reject', { code: 'ERR_IDEMPOTENCY_STORE_DOWN' }, 0],
    ['allow', undefined, 2],
    ['local', undefined, 1],
  ] as const)('with onStoreError: %s while the store fails', async (onStoreError, error, runs) => {
    const store = { ...pickMethods(memoryStore()), acquire: () => Promise.reject(new Error('down')) }
    const engine = idempotencyEngine({ store, onStoreError })
    const work = vi.fn(() => 'value')
    for (let run = 0; run < 2; run++) {
      const result = Promise.resolve(engine.run(input, work))
      await (error
        ? expect(result).rejects.toMatchObject(error)
        : expect(result).resolves.toMatchObject({ value: 'value' }))
    }
    expect(work).toHaveBeenCalledTimes(runs)
  })
})

interface Bank {
  name: string
  store: TransactionalStore
  transaction: <R>(use: (tx: SqlExecutor, executor: SqlExecutor) => MaybePromise<R>) => Promise<R>
  count(): Promise<number>
}

const banks: (() => Promise<Bank>)[] = [openSqlite, ...(pool ? [openPostgres] : [])]

describe.each(banks)('run in a transaction of the caller, %o', (open) => {
  const pay = (tx: SqlExecutor) => tx.query("INSERT INTO payments VALUES ('x')", [])

  test('commits key, value and effects together', async () => {
    const { store, transaction, count } = await open()
    const engine = idempotencyEngine({ store })
    const work = vi.fn(async ({ transaction: tx }: { transaction: SqlExecutor }) => {
      await pay(tx)
      return 'paid'
    })
    expect(await engine.run(input, work, { transaction })).toMatchObject({ value: 'paid', replayed: false })
    expect(await engine.run(input, work, { transaction })).toMatchObject({ value: 'paid', replayed: true })
    expect(await count()).toBe(1)
  })

  test('stores neither effects nor key of work that fails', async () => {
    const { store, transaction, count } = await open()
    const engine = idempotencyEngine({ store })
    const fails = async ({ transaction: tx }: { transaction: SqlExecutor }): Promise<never> => {
      await pay(tx)
      throw failure
    }
    await expect(engine.run(input, fails, { transaction })).rejects.toBe(failure)
    expect([await count(), await engine.inspect(input)]).toEqual([0, undefined])
  })

  test('stores an error without the effects, and concurrent retries fail with it', async () => {
    const { store, transaction, count } = await open()
    const engine = idempotencyEngine({ store, storeTimeoutMs: 60_000 })
    const fails = vi.fn(async ({ transaction: tx }: { transaction: SqlExecutor }): Promise<string> => {
      await pay(tx)
      throw failure
    })
    const run = () => engine.run({ ...input, maxWaitMs: 60_000 }, fails, { transaction, serializeError, deserialize })
    const messages = (await Promise.allSettled(Array.from({ length: 8 }, run))).map((result) =>
      result.status === 'rejected' ? (result.reason as Error).message : result.value,
    )
    expect(messages.sort()).toEqual(['no money', ...Array(7).fill('stored: Error: no money')])
    expect(fails).toHaveBeenCalledTimes(1)
    expect(await count()).toBe(0)
  })

  test.each([true, false])('stores a value whose effects are rolled back, with savepoint: %s', async (savepoint) => {
    const { store, transaction, count } = await open()
    const engine = idempotencyEngine({ store })
    const work = async ({ transaction: tx }: { transaction: SqlExecutor }) => {
      await pay(tx)
      return 'rejected'
    }
    const serialize = (value: string) => ({ status: 422, headers: [], body: Buffer.from(JSON.stringify(value)) })
    const options = { transaction, serialize, savepoint }
    expect(await engine.run(input, work, options)).toMatchObject({ value: 'rejected', replayed: false })
    expect(await engine.run(input, work, options)).toMatchObject({ value: 'rejected', replayed: true })
    expect(await count()).toBe(0)
  })

  test('without a savepoint, stores an error in another transaction, and later retries fail with it', async () => {
    const { store, transaction, count } = await open()
    const engine = idempotencyEngine({ store })
    const fails = vi.fn(async ({ transaction: tx }: { transaction: SqlExecutor }): Promise<string> => {
      await pay(tx)
      throw failure
    })
    const statements: string[] = []
    // The callers of many query builders get another error than the one that ended the transaction.
    const wrapping = async <R>(use: (tx: SqlExecutor, executor: SqlExecutor) => MaybePromise<R>): Promise<R> => {
      try {
        return await transaction<R>((tx) => {
          const noted: SqlExecutor = { query: (text, values) => (statements.push(text), tx.query(text, values)) }
          return use(noted, noted)
        })
      } catch (cause) {
        throw new Error('the transaction failed', { cause })
      }
    }
    const options = { transaction: wrapping, serializeError, deserialize, savepoint: false }
    await expect(engine.run(input, fails, options)).rejects.toBe(failure)
    await expect(engine.run(input, fails, { transaction, deserialize })).rejects.toThrow('stored: Error: no money')
    expect(fails).toHaveBeenCalledTimes(1)
    expect(statements.filter((text) => /savepoint/i.test(text))).toEqual([])
    expect(await count()).toBe(0)
  })

  test('without a savepoint, fails with the response of a retry that was faster', async () => {
    const { store, transaction, count } = await open()
    const engine = idempotencyEngine({ store })
    let opened = 0
    // The retry runs between the two transactions of the first attempt.
    const late = async <R>(use: (tx: SqlExecutor, executor: SqlExecutor) => MaybePromise<R>): Promise<R> => {
      if (++opened === 2) await engine.run(input, ({ transaction: tx }) => pay(tx as SqlExecutor), { transaction })
      return await transaction<R>(use)
    }
    const fails = () => Promise.reject(failure)
    const result = await engine.run(input, fails, { transaction: late, serializeError, savepoint: false })
    expect(result).toMatchObject({ replayed: true })
    expect(await count()).toBe(1)
  })
})

test('a transaction of the caller waits only briefly for a connection that creates the table', async ({ skip }) => {
  if (!postgresServer) return skip('PostgreSQL is not installed')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const busy = createPool(postgresServer.url, 1)
  const client = await busy.connect()
  const engine = idempotencyEngine({ store: postgresStore(busy, { table: 'new_keys' }) })
  const run = () => engine.run(input, () => 7, { transaction: (use) => use(client, client) })
  const first = expect(run).rejects.toMatchObject({ code: 'ERR_IDEMPOTENCY_STORE_DOWN' })
  await vi.advanceTimersByTimeAsync(2000)
  await first
  vi.useRealTimers()
  client.release()
  expect(await run()).toMatchObject({ value: 7 })
  await busy.end()
})

function pickMethods(store: ReturnType<typeof memoryStore>): ReturnType<typeof memoryStore> {
  return {
    size: 0,
    acquire: (id, claim) => store.acquire(id, claim),
    renew: (id, owner, ms) => store.renew(id, owner, ms),
    checkpoint: (id, owner, steps) => store.checkpoint(id, owner, steps),
    complete: (id, owner, response, ttl) => store.complete(id, owner, response, ttl),
    release: (id, owner) => store.release(id, owner),
    inspect: (id) => store.inspect(id),
    list: (limit) => store.list(limit),
    delete: (id) => store.delete(id),
  }
}

function openSqlite(): Promise<Bank> {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE payments (id text)')
  const store = sqliteStore(database)
  const executor: SqlExecutor = { query: (text, values) => database.prepare(text).all(...(values as [])) as [] }
  let turn: Promise<unknown> = Promise.resolve()
  return Promise.resolve({
    name: 'sqlite',
    store,
    transaction(use) {
      const run = async () => {
        database.exec('BEGIN IMMEDIATE')
        try {
          const result = await use(executor, executor)
          database.exec('COMMIT')
          return result
        } catch (error) {
          database.exec('ROLLBACK')
          throw error
        }
      }
      const next = turn.then(run, run)
      turn = next
      return next
    },
    count: () => Promise.resolve(database.prepare('SELECT * FROM payments').all().length),
  })
}

async function openPostgres(): Promise<Bank> {
  if (!pool) throw new Error('no server')
  await pool.query('DROP TABLE IF EXISTS payments, svc_idempotency')
  await pool.query('CREATE TABLE payments (id text)')
  return {
    name: 'postgres',
    store: postgresStore(pool),
    async transaction(use) {
      const client = await pool.connect()
      try {
        await client.query('BEGIN')
        const result = await use(client, client)
        await client.query('COMMIT')
        return result
      } catch (error) {
        await client.query('ROLLBACK')
        throw error
      } finally {
        client.release()
      }
    },
    count: async () => (await pool.query('SELECT * FROM payments')).rows.length,
  }
}
