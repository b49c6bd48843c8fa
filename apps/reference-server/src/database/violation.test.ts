import { describe, expect, test } from 'vitest'
import { failure } from '../messages/errors.ts'
import { isLocked, isPassing } from './violation.ts'

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
    expect([isLocked(error), isPassing(error)]).toEqual([true, true])
  })

  test('SQLITE_FULL is no lock, and the database is unavailable', () => {
    const error = sqliteError(13)
    expect([isLocked(error), isPassing(error)]).toEqual([false, true])
  })

  test.each([
    ['a constraint', sqliteError(2067)],
    ['an error of something else', Object.assign(new Error('failed'), { errcode: 5 })],
    ['nothing', undefined],
  ])('%s is neither', (_name, error) => {
    expect([isLocked(error), isPassing(error)]).toEqual([false, false])
  })
})

describe('other errors', () => {
  const withCode = (code: string, severity?: string): Error => Object.assign(new Error('failed'), { code, severity })
  test.each<[string, Error]>([
    ['a server that has ended', new Error('Client has encountered a connection error and is not queryable')],
    ['a connection that broke', new Error('Connection terminated unexpectedly')],
    ['a pool that is in use', new Error('timeout exceeded when trying to connect')],
    ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'EPIPE'].map(
      (code): [string, Error] => [code, withCode(code)],
    ),
    ...['08006', '40001', '40P01', '53300', '55P03', '57014', '57P01'].map((state): [string, Error] => [
      `SQLSTATE ${state}`,
      withCode(state, 'ERROR'),
    ]),
    ['a 503 of the service', failure('SERVICE_UNAVAILABLE')],
  ])('%s passes', (_name, error) => {
    expect(isPassing(error)).toBe(true)
  })

  test.each([
    ['a rule that was broken', withCode('23505', 'ERROR')],
    ['a wrong statement', withCode('42601', 'ERROR')],
    ['a bug', new TypeError('failed')],
    ['an error of the client', failure('NOT_FOUND')],
  ])('%s does not', (_name, error) => {
    expect(isPassing(error)).toBe(false)
  })
})
