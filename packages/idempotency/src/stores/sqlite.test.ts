import { DatabaseSync } from 'node:sqlite'
import { idempotencyEngine, type MaybePromise, type SqlExecutor } from '@svc/idempotency'
import { createTableStatements, sqliteStore } from '@svc/idempotency/stores/sqlite'
import { describe, expect, test } from 'vitest'

const START = Date.UTC(2030, 0, 1)
const TTL_MS = 60_000

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
  return { database, clock, store, engine, queries, transaction, count }
}

describe('a transaction of the caller on a synchronous connection', () => {
  test('runs the work in the same tick, with two statements for the key', () => {
    const { engine, transaction, queries } = open()
    const run = () => engine.run({ scope: 's', key: 'k', fingerprint: 'f' }, () => 'paid', { transaction })
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
    expect(() => engine.run({ scope: 's', key: 'k', fingerprint: 'f' }, fail, { transaction })).toThrow('no money')
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

  test('are deleted by sweep(), 1,000 at a time', async () => {
    const { clock, engine, store, count } = open()
    for (let key = 0; key < 1100; key++) engine.run({ scope: 's', key: String(key), fingerprint: 'f' }, () => key)
    expect(await store.sweep()).toBe(0)
    clock.time += TTL_MS
    expect([await store.sweep(), await store.sweep(), await store.sweep(), count()]).toEqual([1000, 100, 0, 0])
  })
})

test('needs no index other than that of the primary key', () => {
  const { database } = open()
  const indexes = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index'").all()
  expect(indexes.map(({ name }) => name)).toEqual(['sqlite_autoindex_svc_idempotency_1'])
  expect(createTableStatements()).toHaveLength(1)
})
