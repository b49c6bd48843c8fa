import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../test/service.ts'
import type { Database } from '../database/connection.ts'
import { openDatabase } from '../database/open.ts'
import { migrations } from './migrations.ts'
import { leadsTo } from './rules.ts'

const databaseUrl = await emptyDatabase()
const CATEGORIES = { table: 'categories', column: 'parentId' }
const LENGTH = 300

describe.each([
  ['SQLite', { databaseUrl: undefined, dataDir: undefined }],
  ['PostgreSQL (needs PostgreSQL)', databaseUrl === undefined ? undefined : { databaseUrl, dataDir: undefined }],
])('a chain of references on %s', (_name, settings) => {
  let database: Database
  beforeAll(async () => {
    if (!settings) return
    database = await openDatabase(settings, migrations)
    const sql = `insert into "categories" ("id", "name", "parentId", "createdAt", "updatedAt") values (?, ?, ?, '', '')`
    await database.transaction(async (tx) => {
      for (let id = 1; id <= LENGTH; id++) await tx.run(sql, [id, `category ${id}`, id === 1 ? null : id - 1])
    })
  })
  afterAll(() => database?.close())

  test('leads to each row of it, however long it is, and not back', async (context) => {
    if (!settings) return context.skip('PostgreSQL is not installed')
    expect(await leadsTo(database, CATEGORIES, LENGTH, 1)).toBe(true)
    expect(await leadsTo(database, CATEGORIES, LENGTH, LENGTH)).toBe(true)
    expect(await leadsTo(database, CATEGORIES, 1, LENGTH)).toBe(false)
  })

  test('ends where it comes back to itself', async (context) => {
    if (!settings) return context.skip('PostgreSQL is not installed')
    await database.run('update "categories" set "parentId" = 3 where "id" = 1')
    expect(await leadsTo(database, CATEGORIES, 2, 3)).toBe(true)
    expect(await leadsTo(database, CATEGORIES, 2, LENGTH)).toBe(false)
  })
})
