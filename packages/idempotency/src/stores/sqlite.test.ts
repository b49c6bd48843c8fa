import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { idempotencyEngine, type MaybePromise, type SqlExecutor } from '@svc/idempotency'
import { createTableStatements, type SqliteDatabase, sqliteStore } from '@svc/idempotency/stores/sqlite'
import { describe, expect, test, vi } from 'vitest'

const START = Date.UTC(2030, 0, 1)
const TTL_MS = 60_000
const INPUT = { scope: 's', key: 'k', fingerprint: 'f' }

function open() {
  const database = new DatabaseSync(':memory:')
  const clock = { time: START }
  const store = sqliteStore(database, { now: () => clock.time })
  const engine = idempotencyEngine({ store, ttlSeconds: TTL_MS / 1000, leaseMs: 5000 })
  const queries: string[] = []
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const executor: SqlExecutor = {
    query(text, values) {
      queries.push(text)
      const statement = prepared.get(text) ?? database.prepare(text)
      prepared.set(text, statement)
      return statement.all(...(values as never[])) as Record<string, unknown>[]
    },
  }
  const transaction = <R>(use: (tx: DatabaseSync, executor: SqlExecutor) => MaybePromise<R>): MaybePromise<R> => {
    database.exec('BEGIN IMMEDIATE')
    const result = use(database, executor)
    database.exec('COMMIT')
    return result
  }
  const count = (): number => Number(database.prepare('SELECT count(*) AS n FROM svc_idempotency').get()?.['n'])
  return { database, clock, store, engine, queries, executor, transaction, count }
}

describe('a transaction of the caller on a synchronous connection', () => {
  test('runs the work in the same tick, with two statements for the key', () => {
    const { engine, transaction, queries } = open()
    const run = () => engine.run(INPUT, () => 'paid', { transaction })
    expect(run()).toEqual({ value: 'paid', replayed: false, waited: false })
    expect(queries.map((text) => text.split(' ', 1)[0])).toEqual(['SELECT', 'INSERT'])
    expect(run()).toEqual({ value: 'paid', replayed: true, waited: false })
    expect(queries).toHaveLength(3)
  })

  test('throws the error of the work in the same tick', () => {
    const { engine, transaction } = open()
    const fail = (): never => {
      throw new Error('no money')
    }
    expect(() => engine.run(INPUT, fail, { transaction })).toThrow('no money')
  })

  test('overwrites a key that has expired', () => {
    const { engine, transaction, clock, count } = open()
    const pay = (value: string) => engine.run(INPUT, () => value, { transaction })
    pay('first')
    clock.time += TTL_MS
    expect(pay('second')).toEqual({ value: 'second', replayed: false, waited: false })
    expect(pay('third')).toEqual({ value: 'second', replayed: true, waited: false })
    expect(count()).toBe(1)
  })

  test('overwrites a key that has expired, also by an executor that returns promises', async () => {
    const { database, executor, engine, clock } = open()
    const later: SqlExecutor = { query: async (text, values) => executor.query(text, values) }
    const transaction = async <R>(use: (tx: DatabaseSync, executor: SqlExecutor) => MaybePromise<R>): Promise<R> => {
      database.exec('BEGIN IMMEDIATE')
      const result = await use(database, later)
      database.exec('COMMIT')
      return result
    }
    const pay = (value: string) => engine.run(INPUT, () => value, { transaction })
    await pay('first')
    clock.time += TTL_MS
    expect(await pay('second')).toEqual({ value: 'second', replayed: false, waited: false })
    expect(await pay('third')).toEqual({ value: 'second', replayed: true, waited: false })
  })

  test('stores one of two attempts in the same transaction', () => {
    const { store, executor } = open()
    const steps = store.within(executor)
    const claim = { fingerprint: 'f', owner: '', leaseMs: 5000, ttlMs: TTL_MS, onLeaseExpired: 'retry' } as const
    expect(steps.complete('id', claim, 1, 'first')).toBe(true)
    expect(steps.complete('id', claim, 1, 'second')).toBe(false)
  })

  test('passes on an error that ended the transaction, and tries nothing after it', () => {
    const { database, engine, count, executor } = open()
    const full: SqlExecutor = {
      query(text, values) {
        if (!text.startsWith('INSERT') || !database.isTransaction) return executor.query(text, values)
        database.exec('ROLLBACK')
        throw new Error('database or disk is full')
      },
    }
    const transaction = <R>(use: (tx: DatabaseSync, executor: SqlExecutor) => R): R => {
      database.exec('BEGIN IMMEDIATE')
      return use(database, full)
    }
    expect(() => engine.run(INPUT, () => 'paid', { transaction })).toThrow('database or disk is full')
    expect(count()).toBe(0)
  })
})

describe('a transaction of the store', () => {
  const openPayments = () => {
    const database = new DatabaseSync(':memory:')
    database.exec(`CREATE TABLE payments (id integer PRIMARY KEY);
      INSERT INTO payments VALUES (1);
      CREATE TRIGGER raise BEFORE INSERT ON payments WHEN NEW.id < 0 BEGIN SELECT RAISE(ROLLBACK, 'negative'); END`)
    // What this store uses of better-sqlite3.
    const betterSqlite3 = {
      exec: (sql: string) => database.exec(sql),
      prepare(sql: string) {
        const statement = database.prepare(sql)
        const reader = statement.columns().length > 0
        const all = (...values: SQLInputValue[]) => {
          if (!reader) throw new TypeError('This statement does not return data. Use run() instead')
          return statement.all(...values)
        }
        return { all, reader, run: (...values: SQLInputValue[]) => statement.run(...values) }
      },
      get inTransaction() {
        return database.isTransaction
      },
    }
    const ids = () => database.prepare('SELECT id FROM payments').all().flatMap(Object.values)
    return { database, betterSqlite3, ids }
  }
  const engineOn = (database: SqliteDatabase) =>
    idempotencyEngine({ store: sqliteStore(database), transaction: true, storeTimeoutMs: 500 })
  const named = (key: string) => ({ scope: 's', key, fingerprint: 'f' })
  const ends = ['INSERT OR ROLLBACK INTO payments VALUES (1)', 'INSERT INTO payments VALUES (-1)', 'COMMIT', 'ROLLBACK']

  test.each(ends.flatMap((end) => [[end, 'node:sqlite'] as const, [end, 'better-sqlite3'] as const]))(
    'that the work ends by %s stores no key, and locks nothing, in %s',
    async (end, driver) => {
      const { database, betterSqlite3, ids } = openPayments()
      const engine = engineOn(driver === 'node:sqlite' ? database : betterSqlite3)
      const work = vi.fn(() => {
        database.exec('INSERT INTO payments VALUES (2)')
        try {
          database.exec(end)
        } catch {
          // The work continues without its transaction.
        }
        return 'paid'
      })
      await expect(async () => engine.run(named('a'), work)).rejects.toMatchObject({
        code: 'ERR_IDEMPOTENCY_STORE_DOWN',
        cause: { message: 'idempotency: sqliteStore: the transaction ended before the response' },
      })
      expect(await engine.inspect(named('a'))).toBeUndefined()
      database.exec('DELETE FROM payments WHERE id = 2')
      expect(await engine.run(named('b'), () => database.exec('INSERT INTO payments VALUES (3)'))).toBeDefined()
      expect(ids()).toEqual([1, 3])
    },
  )

  test.each(['node:sqlite', 'better-sqlite3'])('commits key and work together in %s', async (driver) => {
    const { database, betterSqlite3, ids } = openPayments()
    const engine = engineOn(driver === 'node:sqlite' ? database : betterSqlite3)
    const pay = () => database.exec('INSERT INTO payments VALUES (2)')
    expect(await engine.run(named('a'), pay)).toMatchObject({ replayed: false })
    expect(await engine.run(named('a'), pay)).toMatchObject({ replayed: true })
    expect(ids()).toEqual([1, 2])
  })

  test('that the work ended is released and rolled back without an error', async () => {
    const { database } = openPayments()
    const engine = engineOn(database)
    const rejects = () => {
      database.exec('ROLLBACK')
      return 'taken'
    }
    const serialize = (value: string) => ({ status: 409, headers: [], body: Buffer.from(JSON.stringify(value)) })
    expect(await engine.run(named('a'), rejects, { serialize })).toMatchObject({ value: 'taken', replayed: false })
    expect(await engine.run(named('a'), rejects, { serialize })).toMatchObject({ value: 'taken', replayed: true })
    const options = { serialize: () => undefined }
    expect(await engine.run(named('b'), rejects, options)).toMatchObject({ replayed: false })
    expect(await engine.run(named('b'), () => 'paid')).toMatchObject({ value: 'paid', replayed: false })
  })

  test('whose COMMIT fails reports that error, and locks nothing', async () => {
    const { database, betterSqlite3, ids } = openPayments()
    let isFull = true
    const exec = (sql: string): void => {
      database.exec(sql === 'COMMIT' && isFull ? 'ROLLBACK' : sql)
      if (sql === 'COMMIT' && isFull) throw new Error('database or disk is full')
    }
    const engine = engineOn(Object.assign(betterSqlite3, { exec }))
    const work = () => database.exec('INSERT INTO payments VALUES (2)')
    await expect(async () => engine.run(named('a'), work)).rejects.toMatchObject({
      code: 'ERR_IDEMPOTENCY_STORE_DOWN',
      cause: { message: 'database or disk is full' },
    })
    expect(ids()).toEqual([1])
    isFull = false
    await engine.run(named('a'), work)
    expect(ids()).toEqual([1, 2])
  })
})

describe('expired keys', () => {
  const KEYS = 1000

  test.each(['lease', 'transaction'] as const)('do not pile up while new ones come: %s', (kind) => {
    const { clock, engine, transaction, count } = open()
    const options = kind === 'transaction' ? { transaction } : {}
    for (let key = 0; key < 4 * KEYS; key++) {
      // 1,000 keys are alive at any time.
      clock.time += TTL_MS / KEYS
      engine.run({ scope: 's', key: String(key), fingerprint: 'f' }, () => key, options)
    }
    expect(count()).toBeGreaterThanOrEqual(KEYS)
    expect(count()).toBeLessThan(2 * KEYS)
  })

  test('are deleted after keys that live longer', () => {
    const { clock, engine, store, count } = open()
    const longLived = idempotencyEngine({ store, ttlSeconds: 1_000_000, leaseMs: 5000 })
    for (let key = 0; key < 600; key++) longLived.run({ scope: 'long', key: String(key), fingerprint: 'f' }, () => key)
    for (let key = 0; key < 3 * KEYS; key++) {
      clock.time += TTL_MS / 100
      engine.run({ scope: 's', key: String(key), fingerprint: 'f' }, () => key)
    }
    expect(count()).toBeLessThan(600 + KEYS)
  })

  test('do not pile up after many have been deleted, beside a key that lives longer', () => {
    const { clock, engine, store, count } = open()
    idempotencyEngine({ store, ttlSeconds: 1_000_000, leaseMs: 5000 }).run({ ...INPUT, key: 'long' }, () => 'paid')
    for (let key = 0; key < 5 * KEYS; key++) engine.run({ ...INPUT, key: `alive${key}` }, () => key)
    for (let key = 0; key < 12 * KEYS; key++) {
      // Each has expired when the next one comes.
      clock.time += TTL_MS
      engine.run({ ...INPUT, key: `expired${key}` }, () => key)
    }
    expect(count()).toBeLessThan(KEYS)
  })

  test('are looked for among new keys only, until one has expired', () => {
    const database = new DatabaseSync(':memory:')
    const clock = { time: START }
    const starts: unknown[] = []
    const observed: SqliteDatabase = {
      exec: (sql) => database.exec(sql),
      prepare(sql) {
        const statement = database.prepare(sql)
        const all = (...values: SQLInputValue[]) => {
          if (sql.includes('last_live')) starts.push(values[1])
          return statement.all(...values)
        }
        return { all }
      },
    }
    const store = sqliteStore(observed, { now: () => clock.time })
    const engine = idempotencyEngine({ store, ttlSeconds: TTL_MS / 1000, leaseMs: 5000 })
    const add = (prefix: string) => {
      for (let key = 0; key < KEYS; key++) engine.run({ ...INPUT, key: `${prefix}${key}` }, () => key)
    }
    add('a')
    expect(starts).toEqual([0, 249, 499, 749])
    clock.time += TTL_MS
    add('b')
    expect(starts.slice(4)).toEqual([0, 500, 1000, 1500])
  })

  test('are deleted by sweep(), 1,000 at a time', async () => {
    const { clock, engine, store, count } = open()
    for (let key = 0; key < 1100; key++) engine.run({ scope: 's', key: String(key), fingerprint: 'f' }, () => key)
    expect(await store.sweep()).toBe(0)
    clock.time += TTL_MS
    expect([await store.sweep(), await store.sweep(), await store.sweep(), count()]).toEqual([1000, 100, 0, 0])
  })
})

test('has tables of any name, also one with a word of its statements', () => {
  const store = sqliteStore(new DatabaseSync(':memory:'), { table: 'KNOWN_TABLE' })
  const engine = idempotencyEngine({ store })
  const run = () => engine.run(INPUT, () => 'paid')
  expect([run(), run()]).toMatchObject([{ replayed: false }, { replayed: true }])
})

test('needs no index other than that of the primary key', () => {
  const { database } = open()
  const indexes = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index'").all()
  expect(indexes.map(({ name }) => name)).toEqual(['sqlite_autoindex_svc_idempotency_1'])
  expect(createTableStatements()).toHaveLength(1)
})
