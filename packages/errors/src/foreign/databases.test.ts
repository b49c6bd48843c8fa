import type { AddressInfo } from 'node:net'
import {
  PrismaClientInitializationError,
  PrismaClientKnownRequestError,
  PrismaClientValidationError,
} from '@prisma/client-runtime-utils'
import { classify } from '@svc/errors'
import mysql from 'mysql2'
import { createConnection } from 'mysql2/promise'
import {
  ConnectionRefusedError,
  EmptyResultError,
  ForeignKeyConstraintError,
  OptimisticLockError,
  UniqueConstraintError,
  ValidationError,
  ValidationErrorItem,
} from 'sequelize'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe('Prisma', () => {
  test.each([
    ['P2002', 409, 'DUPLICATE_VALUE'],
    ['P2025', 404, 'NOT_FOUND'],
    ['P2003', 409, 'CONFLICT'],
    ['P2000', 422, 'BUSINESS_RULE'],
    ['P2024', 503, 'SERVICE_UNAVAILABLE'],
    ['P2034', 503, 'SERVICE_UNAVAILABLE'],
    ['P2021', 500, 'INTERNAL_ERROR'],
  ])('%s is %i %s', (code, status, ours) => {
    const error = new PrismaClientKnownRequestError('canary', {
      code,
      clientVersion: '7',
      meta: { target: ['canary'] },
    })
    const classification = classify(error)
    expect(classification).toMatchObject({ status, code: ours })
    expect(JSON.stringify(classification)).not.toContain('canary')
  })

  test('an unreachable database is 503, an invalid call is 500', () => {
    expect(classify(new PrismaClientInitializationError('canary', '7', 'P1001')).status).toBe(503)
    expect(classify(new PrismaClientInitializationError('canary', '7')).status).toBe(500)
    expect(classify(new PrismaClientValidationError('canary', { clientVersion: '7' })).status).toBe(500)
  })
})

describe('Sequelize', () => {
  const parent = (members: object): never => Object.assign(new Error('canary'), { sql: 'canary', ...members }) as never
  test.each([
    ['a duplicate', new UniqueConstraintError({ message: 'canary', errors: [] }), 409, 'DUPLICATE_VALUE'],
    [
      'a foreign key of PostgreSQL',
      new ForeignKeyConstraintError({
        parent: parent({ code: '23503', severity: 'ERROR', message: 'insert or update on table' }),
      }),
      422,
      'UNKNOWN_REFERENCE',
    ],
    [
      'a foreign key of MySQL',
      new ForeignKeyConstraintError({ parent: parent({ code: 'ER_ROW_IS_REFERENCED_2', errno: 1451 }) }),
      409,
      'IN_USE',
    ],
    ['another foreign key', new ForeignKeyConstraintError({ parent: parent({}) }), 409, 'CONFLICT'],
    ['a lost update', new OptimisticLockError({ modelName: 'canary' }), 409, 'CONFLICT'],
    ['nothing found', new EmptyResultError('canary'), 404, 'NOT_FOUND'],
    ['a server that refuses', new ConnectionRefusedError(parent({})), 503, 'SERVICE_UNAVAILABLE'],
  ])('%s', (_name, error, status, code) => {
    const classification = classify(error)
    expect(classification).toMatchObject({ status, code })
    expect(JSON.stringify(classification)).not.toContain('canary')
  })

  test('an invalid model is 400 with an entry for each value', () => {
    const item = (type: string, path: string, key: string, message: string): ValidationErrorItem =>
      new ValidationErrorItem(message, type as never, path, 'canary', {} as never, key, key, [])
    const classification = classify(
      new ValidationError('canary', [
        item('notNull Violation', 'name', 'is_null', 'Person.name cannot be null'),
        item('Validation error', 'mail', 'isEmail', 'Validation isEmail on mail failed'),
        item('Validation error', 'age', 'min', 'must be 3 or more'),
        item('Validation error', 'own', 'custom', 'canary is bad'),
        item('string violation', 'text', 'not_a_string', 'text cannot be an array or an object'),
        item('Validation error', '', 'custom', 'the model is not valid'),
        item('Validation error', 'one', 'isIn', 'Validation isIn on one failed'),
      ]),
    )
    expect(classification).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(classification.errors?.map(({ pointer, code, detail }) => [pointer, code, detail])).toEqual([
      ['/name', 'REQUIRED', 'is required'],
      ['/mail', 'FORMAT', 'has the wrong format'],
      ['/age', 'RANGE', 'must be 3 or more'],
      ['/own', 'INVALID', 'is not valid'],
      ['/text', 'TYPE', 'text cannot be an array or an object'],
      ['', 'INVALID', 'the model is not valid'],
      ['/one', 'INVALID', 'is not valid'],
    ])
  })
})

interface MysqlServer {
  listen(port: number, done: () => void): void
  close(done: () => void): void
  _server: { address(): AddressInfo }
}

describe('MySQL', () => {
  // The server of mysql2 implements the protocol, so these are the errors of its client.
  interface ServerConnection extends NodeJS.EventEmitter {
    sequenceId: number
    serverHandshake(parameters: object): void
    writeError(error: { code: number; message: string }): void
  }
  const onConnection = (connection: ServerConnection): void => {
    connection.serverHandshake({
      protocolVersion: 10,
      serverVersion: '8.4.0',
      connectionId: 1,
      statusFlags: 2,
      characterSet: 8,
      capabilityFlags: 0xffffff,
      authCallback: (_user: unknown, accept: () => void) => {
        accept()
        connection.sequenceId = 0 // each command starts again
      },
    })
    connection.on('query', (sql: string) => connection.writeError({ code: Number(sql), message: 'canary' }))
    connection.on('error', () => {})
  }
  const server = mysql.createServer(onConnection as never) as unknown as MysqlServer
  let url = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, resolve))
    url = `mysql://root@127.0.0.1:${server._server.address().port}/test`
  })
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)))

  // dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html
  test.each([
    [1062, 409, 'DUPLICATE_VALUE'],
    [1451, 409, 'IN_USE'],
    [1452, 422, 'UNKNOWN_REFERENCE'],
    [3819, 422, 'BUSINESS_RULE'],
    [1213, 503, 'SERVICE_UNAVAILABLE'],
    [1205, 503, 'SERVICE_UNAVAILABLE'],
    [1064, 500, 'INTERNAL_ERROR'],
  ])('the server error %i is %i %s', async (number, status, code) => {
    const connection = await createConnection(url)
    const error: unknown = await connection.query(String(number)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    connection.destroy()
    const classification = classify(error)
    expect(classification).toMatchObject({ status, code })
    expect(JSON.stringify(classification)).not.toContain('canary')
  })
})
