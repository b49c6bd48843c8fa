import { classify } from '@svc/errors'
import { describe, expect, test } from 'vitest'

// Not every supported release of Node.js has node:sqlite.
const sqlite = process.getBuiltinModule('node:sqlite')

describe.skipIf(!sqlite)('node:sqlite (needs a Node.js with node:sqlite)', () => {
  const { DatabaseSync } = sqlite as NonNullable<typeof sqlite>
  const database = new DatabaseSync(':memory:')
  database.exec(`
    CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT UNIQUE, age INT CHECK (age < 5));
    CREATE TABLE child (parent INT REFERENCES parent (id));
    INSERT INTO parent VALUES (1, 'canary', 1);
    INSERT INTO child VALUES (1);
  `)

  test.each([
    ["INSERT INTO parent VALUES (2, 'canary', 1)", 409, 'DUPLICATE_VALUE'],
    ["INSERT INTO parent VALUES (1, 'b', 1)", 409, 'DUPLICATE_VALUE'],
    ['DELETE FROM parent', 409, 'CONFLICT'],
    ['INSERT INTO child VALUES (7)', 409, 'CONFLICT'],
    ["INSERT INTO parent VALUES (3, 'c', 9)", 422, 'BUSINESS_RULE'],
    ['SELECT canary', 500, 'INTERNAL_ERROR'],
  ])('%s is %i %s', (sql, status, code) => {
    const classification = classify(thrownBy(() => database.exec(sql)))
    expect(classification).toMatchObject({ status, code })
    expect(JSON.stringify(classification)).not.toMatch(/canary|parent|child|constraint/i)
  })
})

test.each([
  [{ code: 'SQLITE_CONSTRAINT_UNIQUE' }, 409],
  [{ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' }, 409],
  [{ code: 'SQLITE_CONSTRAINT_CHECK' }, 422],
  [{ code: 'SQLITE_BUSY_SNAPSHOT' }, 503],
  [{ code: 'SQLITE_CONSTRAINT', errno: 19, message: 'SQLITE_CONSTRAINT: UNIQUE constraint failed: a.b' }, 409],
  [{ code: 'SQLITE_CORRUPT' }, 500],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 5 }, 503],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 517 }, 503],
])('an error with %j is %i (sqlite.org/rescode.html)', (members, status) => {
  expect(classify(Object.assign(new Error(''), members)).status).toBe(status)
})

function thrownBy(call: () => void): unknown {
  try {
    call()
  } catch (error) {
    return error
  }
  throw new Error('it threw nothing')
}
