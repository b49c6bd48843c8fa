import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../test/service.ts'
import { migrations } from '../domain/migrations.ts'
import { type Connection, type Database, DatabaseError, insertRows } from './connection.ts'
import { isPromise } from './maybe-promise.ts'
import { openDatabase } from './open.ts'
import { readSetting, writeSetting } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-connection-'))
afterAll(() => rmSync(folder, { recursive: true }))
const databaseUrl = await emptyDatabase()

const inMemory = { databaseUrl: undefined, dataDir: undefined }
const inFile = { databaseUrl: undefined, dataDir: folder }

const names = (db: Connection) => db.all<{ name: string }>('select "name" from "settings"')
const insert = (db: Connection, name = 'new') => insertRows(db, 'settings', [{ name, value: 'value' }])

describe.each([
  ['SQLite in memory', inMemory],
  ['SQLite in a file', inFile],
  ['PostgreSQL (needs PostgreSQL)', databaseUrl === undefined ? undefined : { databaseUrl, dataDir: undefined }],
])('a connection to %s', (_name, settings) => {
  let database: Database
  beforeAll(async () => {
    if (settings) database = await openDatabase(settings, migrations)
  })
  beforeEach(async (context) => {
    if (!settings) return context.skip('PostgreSQL is not installed')
    await database.run('delete from "settings"')
  })
  afterAll(() => database?.close())

  test('returns rows, one row and the number of changed rows', async () => {
    expect(await insertRows(database, 'settings', [])).toBe(0)
    const rows = ['a', 'b', 'c'].map((name) => ({ name, value: '?' }))
    expect(await insertRows(database, 'settings', rows)).toBe(3)
    expect(await insertRows(database, 'settings', rows.slice(0, 1), { orIgnore: true })).toBe(0)
    const sql = 'select "name" from "settings" where "name" > ? order by "name"'
    expect(await database.all(sql, ['a'])).toMatchObject([{ name: 'b' }, { name: 'c' }])
    expect(await database.get<{ name: string }>(sql, ['b'])).toMatchObject({ name: 'c' })
    expect(await database.get(sql, ['c'])).toBeUndefined()
    expect(await database.run('update "settings" set "value" = ? where "name" <> ?', ['x', 'b'])).toBe(2)
  })

  test('reports a transaction as committed exactly if it is, although a failed statement was ignored', async () => {
    const committed = database.transaction(async (tx) => {
      await insert(tx, 'a')
      await (async () => insert(tx, 'a'))().catch(() => {})
    })
    const isCommitted = await committed.then(
      () => true,
      () => false,
    )
    expect(await names(database)).toHaveLength(isCommitted ? 1 : 0)
  })

  test('stores integers of 64 bits exactly', async () => {
    const [id, brought] = [2n ** 63n - 1n, 1]
    await insertRows(database, 'customer_ids', [{ id, brought }])
    const sql = 'select cast("id" as text) as "id", "brought" from "customer_ids"'
    expect(await database.all(sql)).toEqual([expect.objectContaining({ id: String(id), brought })])
    expect(await database.find(`${sql} where "id" = ?`, id)).toEqual([String(id), brought])
    expect(await database.run('delete from "customer_ids" where "id" = ?', [id])).toBe(1)
  })

  test('finds rows by their keys, in one turn, after it, and in a transaction', async () => {
    const sql = 'select "name", "value" from "settings" where "name" = ?'
    const find = async (name: string, db: Connection = database) => (await db.find(sql, name))?.[1]
    const name = '"{a,b}\\", null'
    await insertRows(database, 'settings', [
      { name: 'a', value: '1' },
      { name, value: '2' },
    ])
    const keys = ['a', 'missing', name, 'a', 'null', '']
    expect(await Promise.all(keys.map((key) => find(key)))).toEqual(['1', undefined, '2', '1', undefined, undefined])
    await database.transaction(async (tx) => {
      await writeSetting(tx, 'a', '3')
      expect(await find('a', tx)).toBe('3')
      if (tx.dialect === 'postgres') expect(await find('a')).toBe('1')
    })
    expect(await find('a')).toBe('3')
  })

  test.each([
    ['sees what a transaction wrote when it has committed', undefined, ['new']],
    ['never sees what a transaction rolled back', new Error('undo'), []],
  ])('%s', async (_what, failure, expected) => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const { promise: written, resolve: tell } = Promise.withResolvers<void>()
    const change = database.transaction(async (tx) => {
      await insert(tx)
      expect(await names(tx)).toHaveLength(1)
      tell()
      await gate
      if (failure) throw failure
      return 'done'
    })
    await written
    if (database.dialect === 'postgres') expect(await names(database)).toEqual([])
    else expect(isPromise(names(database))).toBe(true)
    const read = names(database)
    if (database.dialect === 'postgres') await read
    open()
    const result = await change.catch((error) => error)
    expect(result).toBe(failure ?? 'done')
    const after = database.dialect === 'postgres' ? names(database) : read
    expect((await after).map(({ name }) => name)).toEqual(expected)
  })

  test('runs transactions one after the other, also if one of them fails', async () => {
    const add = (by: number) =>
      database.transaction(async (tx) => {
        await tx.get(`select 1 from "settings" where "name" = 'sum'${tx.dialect === 'postgres' ? ' for update' : ''}`)
        const sum = Number(await readSetting(tx, 'sum'))
        await setImmediate()
        await writeSetting(tx, 'sum', String(sum + by))
        if (by === 0) throw new Error('no')
      })
    await writeSetting(database, 'sum', '0')
    const results = await Promise.allSettled([add(1), add(0), add(2), add(3)])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(await readSetting(database, 'sum')).toBe('6')
  })

  test('rolls back and stays usable if a statement of a transaction fails', async () => {
    const change = database.transaction(async (tx) => {
      await insert(tx)
      await insert(tx)
    })
    await expect(change).rejects.toThrow(/unique/i)
    expect(await names(database)).toEqual([])
    await insert(database)
    expect(await names(database)).toHaveLength(1)
  })

  test('rejects a statement that the database rejects', async () => {
    await expect((async () => database.all('select "nothing" from "settings"'))()).rejects.toThrow(/nothing/)
    await expect(database.transaction((tx) => tx.all('select "nothing" from "settings"'))).rejects.toThrow(/nothing/)
  })
})

describe.each([
  ['in memory', inMemory],
  ['in a file', { ...inFile, dataDir: join(folder, 'sync') }],
])('SQLite %s', (_name, settings) => {
  let database: Database
  beforeAll(async () => {
    database = await openDatabase(settings, migrations)
  })
  beforeEach(async () => void (await database.run('delete from "settings"')))
  afterAll(() => database.close())

  test('returns without a promise while no transaction is open', async () => {
    expect(insert(database)).toBe(1)
    expect(names(database)).toHaveLength(1)
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const change = database.transaction(async (tx) => {
      expect(insert(tx, 'other')).toBe(1)
      expect(names(tx)).toHaveLength(2)
      begin()
      await gate
    })
    await begun
    const read = names(database)
    expect(isPromise(read)).toBe(true)
    open()
    await change
    expect(await read).toHaveLength(2)
    expect(names(database)).toHaveLength(2)
  })

  test('begins a transaction after the turn of its request, so that reads of the turn do not wait', async () => {
    const change = database.transaction((tx) => insert(tx))
    expect(names(database)).toEqual([])
    await Promise.resolve()
    expect(names(database)).toEqual([])
    expect(await change).toBe(1)
    expect(names(database)).toHaveLength(1)
  })

  test('commits the transactions of one turn together, and without those that fail', async () => {
    const settled: string[] = []
    const add = (name: string, fail?: Error) =>
      database
        .transaction(async (tx) => {
          await insert(tx, name)
          expect(settled).toEqual([])
          if (fail) throw fail
        })
        .then(
          () => settled.push(name),
          (error) => settled.push(`${name}: ${error.message}`),
        )
    await Promise.all([add('a'), add('b', new Error('undo')), add('c')])
    expect(settled).toEqual(['a', 'b: undo', 'c'])
    expect(await names(database)).toMatchObject([{ name: 'a' }, { name: 'c' }])
  })

  test.each([
    ['nothing', false, 1],
    ['something', true, 2],
  ])('runs a group again if one that fails has changed something: %s', async (_what, hasChanged, runs) => {
    let count = 0
    const works = [
      async (tx: Connection) => void (count++, await insert(tx, 'a')),
      async (tx: Connection) => {
        if (hasChanged) await insert(tx, 'b')
        throw new Error('undo')
      },
    ]
    const results = await Promise.allSettled(works.map((work) => database.transaction(work)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(count).toBe(runs)
    expect(await names(database)).toMatchObject([{ name: 'a' }])
  })

  test('rejects all transactions of a group that the database has rolled back', async () => {
    const end = (): never => {
      if ('sqlite' in database.native) database.native.sqlite.exec('rollback')
      throw new Error('the disk is full')
    }
    const works = [(tx: Connection) => insert(tx, 'a'), end, (tx: Connection) => insert(tx, 'c')]
    const results = await Promise.allSettled(works.map((work) => database.transaction(work)))
    expect(results.map((result) => 'reason' in result && result.reason.message)).toEqual(
      works.map(() => 'the disk is full'),
    )
    expect(await names(database)).toEqual([])
    await database.transaction((tx) => insert(tx, 'later'))
    expect(await names(database)).toHaveLength(1)
  })

  test('reports as stored exactly what is stored if there is no room for more', async () => {
    await database.run(`pragma max_page_count = 400`)
    const value = 'x'.repeat(100_000)
    const add = (name: string) => database.transaction((tx) => insertRows(tx, 'settings', [{ name, value }]))
    const all = Array.from({ length: 30 }, (_, index) => `${index + 10}`)
    const results = await Promise.allSettled(all.map(add))
    await database.run(`pragma max_page_count = 100000`)
    const stored = all.filter((_, index) => results[index]?.status === 'fulfilled')
    expect(stored.length).toBeLessThan(all.length)
    expect((await names(database)).map(({ name }) => name)).toEqual(stored)
  })

  test('closes after the transactions that were requested before', async () => {
    const other = await openDatabase(inMemory, migrations)
    const change = other.transaction((tx) => insert(tx))
    await other.close()
    expect(await change).toBe(1)
  })

  test('counts changes of statements, triggers and transactions, committed or not', async () => {
    const counts = [database.changes()]
    const next = (): void => void counts.push(database.changes())
    next()
    expect(counts[1]).toBe(counts[0])
    await writeSetting(database, 'webhooks', 'on')
    next()
    await insertRows(database, 'employees', [
      { name: 'Ada', department: 'Sales', salary: 1, createdAt: '', updatedAt: '' },
    ])
    next()
    await database.transaction((tx) => insert(tx, 'committed'))
    next()
    const undone = database.transaction(async (tx) => {
      insert(tx, 'undone')
      expect(database.changes()).toBeUndefined()
      await setImmediate()
      throw new Error('undo')
    })
    await setImmediate()
    expect(database.changes()).toBeUndefined()
    await undone.catch(() => {})
    next()
    expect(new Set(counts.slice(1)).size).toBe(5)
    next()
    expect(counts.at(-1)).toBe(counts.at(-2))
  })
})

describe('changes of users', () => {
  let database: Database & { native: { sqlite: DatabaseSync } }
  const users = async (): Promise<number | undefined> => (await database.changes())?.users
  const addUser = (db: Connection, username: string) => {
    const row = {
      username,
      email: `${username}@example.com`,
      roles: '[]',
      passwordHash: '',
      createdAt: '',
      updatedAt: '',
    }
    return insertRows(db, 'users', [row])
  }
  beforeAll(async () => {
    database = (await openDatabase(inMemory, migrations)) as typeof database
    await database.run(
      `create trigger "rename" after insert on "settings" when new."name" = 'rename'
       begin update "users" set "username" = new."value"; end`,
    )
    await users()
    await addUser(database, 'first')
  })
  afterAll(() => database.close())

  test.each<[string, () => unknown]>([
    ['an insert', () => addUser(database, 'second')],
    ['an update', () => database.run(`update "users" set "roles" = '["admin"]'`)],
    [
      'a replacement',
      () => database.run('insert or replace into "users" select * from "users" where "username" = ?', ['first']),
    ],
    ['a delete', () => database.run('delete from "users" where "username" = ?', ['second'])],
    ['a trigger', () => insertRows(database, 'settings', [{ name: 'rename', value: 'renamed' }])],
    ['a statement of a package', () => database.native.sqlite.exec(`update "users" set "displayName" = 'Ada'`)],
    ['a transaction', () => database.transaction((tx) => addUser(tx, 'third'))],
    ['a delete of all', () => database.run('delete from "users"')],
  ])('are counted by themselves: of %s', async (_name, write) => {
    const before = await users()
    await write()
    const after = await users()
    expect(after).not.toBe(before)
    const changes = database.changes()
    await insert(database, String(after))
    expect(database.changes()).not.toBe(changes)
    expect(await users()).toBe(after)
  })

  test('are counted where they are undone', async () => {
    const before = await users()
    const undone = database.transaction(async (tx) => {
      await addUser(tx, 'undone')
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    expect(await users()).not.toBe(before)
  })
})

test('counts changes that another process made to the file', async () => {
  const settings = { databaseUrl: undefined, dataDir: join(folder, 'shared') }
  const database = await openDatabase(settings, migrations)
  const other = await openDatabase(settings, migrations)
  const before = database.changes()
  expect(other.changes()).toBe(other.changes())
  insert(other)
  await Promise.resolve()
  const after = database.changes()
  expect(after).not.toBe(before)
  expect((await after)?.users).not.toBe((await before)?.users)
  expect(database.changes()).toBe(after)
  expect(names(database)).toHaveLength(1)
  await Promise.all([database.close(), other.close()])
})

test('asks other processes once per poll', async () => {
  const settings = { databaseUrl: undefined, dataDir: join(folder, 'polled') }
  const [database, other] = [await openDatabase(settings, migrations), await openDatabase(settings, migrations)]
  const first = database.changes(1)
  insert(other, 'one')
  expect(database.changes(1)).toBe(first)
  const second = database.changes(2)
  expect(second).not.toBe(first)
  insert(database, 'two')
  expect(database.changes(2)).not.toBe(second)
  const own = database.changes(2)
  insert(other, 'three')
  expect(database.changes(2)).toBe(own)
  const now = database.changes()
  expect(now).not.toBe(own)
  expect(database.changes(2)).toBe(now)
  await Promise.all([database.close(), other.close()])
})

describe('reads in the ticks of the requests of a poll', () => {
  let database: Database
  let other: Database
  beforeEach(async () => {
    const settings = { databaseUrl: undefined, dataDir: mkdtempSync(join(folder, 'turn-')) }
    database = await openDatabase(settings, migrations)
    other = await openDatabase(settings, migrations)
    database.changes(1)
    expect(names(database)).toEqual([])
    await insert(other, 'foreign')
    database.changes(1)
    expect(names(database)).toEqual([])
    expect(database.get('select 1 from "settings"')).toBeUndefined()
  })
  afterEach(() => Promise.all([database.close(), other.close()]))

  test.each<[string, () => unknown]>([
    ['a request of the next poll', () => database.changes(2)],
    ['a request of an unknown poll', () => database.changes()],
    ['the next tick', () => Promise.resolve()],
    ['the next turn', () => setImmediate().then(() => void database.changes(1))],
    ['a write', () => database.run('delete from "settings" where "name" = ?', ['none'])],
    ['a transaction', () => database.transaction((tx) => expect(names(tx)).toHaveLength(1))],
  ])('show what was committed before the first of them, until %s', async (_name, next) => {
    const passed = next()
    if (passed instanceof Promise) await passed
    expect(names(database)).toMatchObject([{ name: 'foreign' }])
  })

  test('show what this process writes between them', () => {
    insert(database, 'own')
    expect(names(database)).toMatchObject([{ name: 'foreign' }, { name: 'own' }])
  })

  test('end with the turn: they keep nothing in the log of the file', async () => {
    await setImmediate()
    const rows = other.all('pragma wal_checkpoint(truncate)')
    expect(rows).toMatchObject([{ busy: 0, log: 0 }])
  })

  test('may be ended by the database', async () => {
    if ('sqlite' in database.native) database.native.sqlite.exec('rollback')
    database.changes(1)
    expect(names(database)).toMatchObject([{ name: 'foreign' }])
    await setImmediate()
    expect(names(database)).toMatchObject([{ name: 'foreign' }])
  })

  test('are apart without a poll', async () => {
    await setImmediate()
    expect(names(database)).toHaveLength(1)
    await insert(other, 'later')
    expect(names(database)).toHaveLength(2)
  })
})

test.each<[string, (db: Database, sql: string) => unknown]>([
  ['run', (db, sql) => db.run(sql)],
  ['all', (db, sql) => db.all(`${sql} returning *`)],
  ['rows', (db, sql) => db.rows(`${sql} returning *`)],
  ['get', (db, sql) => db.get(`${sql} returning *`)],
  ['transaction', (db, sql) => db.transaction((tx) => tx.run(sql))],
  [
    'the driver, in a transaction',
    (db, sql) => db.transaction(() => 'sqlite' in db.native && db.native.sqlite.exec(sql)),
  ],
])('counts its own changes in the middle of a poll: %s', async (_name, write) => {
  const database = await openDatabase(inMemory, migrations)
  const before = database.changes(1)
  expect(database.changes(1)).toBe(before)
  await write(database, `insert into "settings" ("name", "value") values ('one', 'value')`)
  expect(database.changes(1)).not.toBe(before)
  await database.close()
})

test('waits for the lock of another connection to the file without blocking the thread', async () => {
  const settings = { databaseUrl: undefined, dataDir: join(folder, 'locked') }
  const [database, other] = [await openDatabase(settings, migrations), await openDatabase(settings, migrations)]
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const change = database.transaction(async (tx) => {
    await insert(tx, 'first')
    begin()
    await gate
  })
  await begun
  const results = [insert(other, 'second'), other.transaction((tx) => insert(tx, 'third'))]
  expect(names(database)).toBeInstanceOf(Promise)
  open()
  await change
  expect(await Promise.all(results)).toEqual([1, 1])
  expect(await names(database)).toHaveLength(3)
  await Promise.all([database.close(), other.close()])
})

const LOCK_NEW_FILE = `
  const { workerData: { file, opening }, parentPort } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const sqlite = new DatabaseSync(file)
  sqlite.exec('begin exclusive')
  parentPort.postMessage('locked')
  Atomics.wait(opening, 0, 0)
  // The driver blocks the other thread while it waits: the rest follows by time.
  Atomics.wait(opening, 0, 1, 200)
  sqlite.exec('commit')
  sqlite.close()`

test('creates files that other users of the host cannot read', async () => {
  const dataDir = mkdtempSync(join(folder, 'private-'))
  chmodSync(dataDir, 0o755)
  const database = await openDatabase({ databaseUrl: undefined, dataDir }, migrations)
  const files = readdirSync(dataDir)
  expect(files.sort()).toEqual(['svc.db', 'svc.db-shm', 'svc.db-wal'])
  expect(files.map((file) => statSync(join(dataDir, file)).mode & 0o777)).toEqual([0o600, 0o600, 0o600])
  await database.close()
})

test('opens a new file that another process has locked at the same time', async () => {
  const dataDir = mkdtempSync(join(folder, 'new-'))
  const opening = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(LOCK_NEW_FILE, { eval: true, workerData: { file: join(dataDir, 'svc.db'), opening } })
  await once(worker, 'message')
  Atomics.store(opening, 0, 1)
  Atomics.notify(opening, 0)
  const database = await openDatabase({ databaseUrl: undefined, dataDir }, migrations)
  expect(names(database)).toEqual([])
  await Promise.all([database.close(), worker.terminate()])
})

test('counts what was committed to PostgreSQL, once per turn (needs PostgreSQL)', async (context) => {
  if (databaseUrl === undefined) return context.skip('PostgreSQL is not installed')
  const settings = { databaseUrl, dataDir: undefined }
  const [database, other] = [await openDatabase(settings, migrations), await openDatabase(settings, migrations)]
  const write = (db: Connection): Promise<void> => writeSetting(db, 'webhooks', 'on')
  const counts = [await database.changes()]
  const next = async (): Promise<void> => void counts.push(await database.changes())
  await write(database)
  await next()
  await write(other)
  await next()
  await other.transaction(async (tx) => {
    await write(tx)
    await next()
  })
  await next()
  expect(new Set([...counts.slice(0, 3), counts[4]]).size).toBe(4)
  // PostgreSQL itself writes statistics now and then.
  await expect.poll(async () => (await database.changes()) === (await database.changes())).toBe(true)
  const first = database.changes()
  expect(database.changes()).toBe(first)
  await first
  const second = database.changes()
  expect(second).not.toBe(first)
  await second
  await Promise.all([database.close(), other.close()])
})

describe('migrations', () => {
  test.each([
    ['SQLite', async () => ({ databaseUrl: undefined, dataDir: join(folder, 'migrations') })],
    [
      'PostgreSQL (needs PostgreSQL)',
      async () => ({ databaseUrl: await emptyDatabase(), dataDir: join(folder, 'migrations-2') }),
    ],
  ])('run once, also if several processes start together, on %s', async (_name, settingsFor) => {
    const settings = await settingsFor()
    const first = { name: '1', run: async (tx: Connection) => void (await tx.run('create table "a" ("x" integer)')) }
    const second = { name: '2', run: async (tx: Connection) => void (await tx.run('insert into "a" values (1)')) }
    const broken = { name: '3', run: async (tx: Connection) => void (await tx.run('insert into "b" values (1)')) }
    // Two connections of one process to a file would wait for each other: a busy one blocks the
    // thread.
    const isShared = settings.databaseUrl !== undefined
    const opening = Array.from({ length: isShared ? 3 : 1 }, () => openDatabase(settings, [first]))
    for (const each of await Promise.all(opening)) await each.close()
    for (const list of [
      [first, second],
      [first, second],
    ])
      await (await openDatabase(settings, list)).close()
    const failed = openDatabase(settings, [first, second, { ...second, name: '4' }, broken])
    await expect(failed).rejects.toThrow(DatabaseError)
    await expect(failed).rejects.toThrow(/^cannot bring the tables to their newest form: .*\bb\b/)
    const older = openDatabase(settings, [first])
    await expect(older).rejects.toThrow(/form: another version of the service made them, with 2$/)
    const database = await openDatabase(settings, [first, second])
    expect(await database.all('select "x" from "a"')).toHaveLength(1)
    await database.run('drop table "svc_migrations"')
    await database.close()
    const foreign = openDatabase(settings, [first, second])
    await expect(foreign).rejects.toThrow(/"?a"? already exists\. .* start with an empty database$/)
  })
})
