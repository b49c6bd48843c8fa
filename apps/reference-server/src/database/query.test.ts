import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrationsFor } from '../domain/migrations/index.ts'
import type { Database, Db } from './database.ts'
import { openDatabase } from './open.ts'
import { exists, run } from './query.ts'

let database: Database
beforeAll(
  async () => void (database = await openDatabase({ databaseUrl: undefined, dataDir: undefined }, migrationsFor)),
)
beforeEach(async () => void (await database.db.deleteFrom('settings').execute()))
afterAll(() => database.close())

const names = (db: Db): Promise<unknown[]> => run(db, 'select "name" from "settings"', [])
const insert = (db: Db): Promise<unknown> =>
  run(db, 'insert into "settings" ("name", "value") values (?, ?) returning "name"', ['new', 'value'])

describe('a statement that was made once', () => {
  test('runs in the same tick while the connection is free', async () => {
    const ticks: string[] = []
    const inserted = insert(database.db).then(() => ticks.push('inserted'))
    await Promise.resolve().then(() => ticks.push('one tick later'))
    await inserted
    expect(ticks).toEqual(['inserted', 'one tick later'])
  })

  test.each([
    ['sees what a transaction wrote when that is committed', undefined, [{ name: 'new' }]],
    ['never sees what a transaction took back', new Error('undo'), []],
  ])('%s', async (_what, failure, expected) => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const { promise: written, resolve: tell } = Promise.withResolvers<void>()
    const change = database.db.transaction().execute(async (tx) => {
      await insert(tx)
      expect(await names(tx)).toHaveLength(1)
      tell()
      await gate
      if (failure) throw failure
    })
    await written
    let isRead = false
    const read = names(database.db).finally(() => (isRead = true))
    await setImmediate()
    expect(isRead).toBe(false)
    open()
    await change.catch((error) => expect(error).toBe(failure))
    expect(await read).toEqual(expected.map((row) => expect.objectContaining(row)))
  })

  test('rejects where the database refuses it', async () => {
    await expect(run(database.db, 'select "nothing" from "settings"', [])).rejects.toThrow(/nothing/)
  })

  test('says whether a row is there', async () => {
    await run(
      database.db,
      'insert into "departments" ("id", "name", "revision", "createdAt", "updatedAt") values (7, ?, 1, ?, ?) returning "id"',
      ['Sales', '', ''],
    )
    expect(await exists(database.db, 'departments', 7)).toBe(true)
    expect(await exists(database.db, 'departments', 8)).toBe(false)
    expect(await exists(database.db, 'departments', null)).toBe(false)
  })
})
