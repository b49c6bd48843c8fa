import { describe, expect, test } from 'vitest'
import { isLocked, isPassing, isUnavailable } from './violation.ts'

const sqliteError = (errcode: number): Error =>
  Object.assign(new Error('failed'), { code: 'ERR_SQLITE_ERROR', errcode })

describe('errors of SQLite', () => {
  test.each([
    ['SQLITE_BUSY', 5],
    ['SQLITE_BUSY_RECOVERY', 261],
    ['SQLITE_BUSY_SNAPSHOT', 517],
    ['SQLITE_BUSY_TIMEOUT', 773],
  ])('%s is a lock that passes', (_name, errcode) => {
    const error = sqliteError(errcode)
    expect([isLocked(error), isUnavailable(error), isPassing(error)]).toEqual([true, true, true])
  })

  test('SQLITE_FULL is no lock, and the database is unavailable', () => {
    const error = sqliteError(13)
    expect([isLocked(error), isUnavailable(error)]).toEqual([false, true])
  })

  test.each([
    ['a constraint', sqliteError(2067)],
    ['an error of something else', Object.assign(new Error('failed'), { errcode: 5 })],
    ['nothing', undefined],
  ])('%s is neither', (_name, error) => {
    expect([isLocked(error), isUnavailable(error), isPassing(error)]).toEqual([false, false, false])
  })
})
