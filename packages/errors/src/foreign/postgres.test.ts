import { classify } from '@svc/errors'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, startPostgres, type TestServer } from '../../../internal/testing/servers.ts'

let server: TestServer | undefined
let client: Client | undefined

beforeAll(async () => {
  server = await startPostgres()
  if (!server) return
  client = new Client({ connectionString: server.url })
  await client.connect()
  await client.query(`
    CREATE TABLE parent (id int PRIMARY KEY, name text UNIQUE, age int CHECK (age < 5), span int4range,
      EXCLUDE USING gist (span WITH &&));
    CREATE TABLE child (parent int REFERENCES parent (id));
    INSERT INTO parent VALUES (1, 'canary', 1, '[1,5]');
    INSERT INTO child VALUES (1);
  `)
})

afterAll(async () => {
  await client?.end()
  await server?.stop()
})

const STATEMENTS: [sql: string, status: number, code: string][] = [
  ["INSERT INTO parent VALUES (2, 'canary')", 409, 'DUPLICATE_VALUE'],
  ["INSERT INTO parent VALUES (1, 'b')", 409, 'DUPLICATE_VALUE'],
  ["INSERT INTO parent VALUES (3, 'c', 1, '[2,3]')", 409, 'CONFLICT'],
  ['DELETE FROM parent', 409, 'IN_USE'],
  ['INSERT INTO child VALUES (7)', 422, 'UNKNOWN_REFERENCE'],
  ["INSERT INTO parent VALUES (4, 'd', 9)", 422, 'BUSINESS_RULE'],
  ['SET statement_timeout = 5; SELECT pg_sleep(5)', 503, 'SERVICE_UNAVAILABLE'],
  ['SELECT canary', 500, 'INTERNAL_ERROR'],
  ['SELECT 1 / 0', 500, 'INTERNAL_ERROR'],
]

for (const [sql, status, code] of STATEMENTS) {
  test(`${sql} is ${status} ${code} (SQLSTATE)`, async (context) => {
    if (!client) return context.skip('PostgreSQL is not installed')
    const classification = classify(await thrownBy(client.query(sql)))
    expect(classification).toMatchObject({ status, code })
    expect(JSON.stringify(classification)).not.toMatch(/canary|parent|child|constraint/i)
  })
}

test.each([
  ['53300', 'FATAL', 503], // too many connections
  ['53100', 'ERROR', 503], // a full disk
  ['08006', 'FATAL', 503], // a connection that failed
  ['22012', 'ERROR', 500], // a division by zero
  ['53300', undefined, 500], // a code of five characters that is not from PostgreSQL
])('SQLSTATE %s with severity %s is %i', (code, severity, status) => {
  expect(classify(Object.assign(new Error('canary'), { code, severity })).status).toBe(status)
})

test('a lost connection is 503', async (context) => {
  if (!server || !client) return context.skip('PostgreSQL is not installed')
  const other = new Client({ connectionString: server.url })
  other.on('error', () => {})
  await other.connect()
  const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const killed = thrownBy(other.query('SELECT pg_sleep(5)'))
  await client.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
  expect(classify(await killed).status).toBe(503)
  expect(classify(await thrownBy(other.query('SELECT 1'))).status).toBe(503)
  await other.end()
})

test('an unreachable server and a full connection pool are 503', async (context) => {
  const port = await freePort()
  expect(classify(await thrownBy(new Client({ host: '127.0.0.1', port }).connect())).status).toBe(503)
  if (!server) return context.skip('PostgreSQL is not installed')
  const pool = new Pool({ connectionString: server.url, max: 1, connectionTimeoutMillis: 500 })
  pool.on('error', () => {})
  const held = await pool.connect()
  expect(classify(await thrownBy(pool.query('SELECT 1'))).status).toBe(503)
  held.release()
  await pool.end()
})

async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error('it threw nothing')
}
