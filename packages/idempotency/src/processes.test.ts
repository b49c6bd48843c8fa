import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { send } from '../../internal/testing/check.ts'
import { startPostgres, startRedis } from '../../internal/testing/servers.ts'
import { startChild } from './testing/child.ts'
import { createPool } from './testing/pool.ts'

const KEYS = 50
const DUPLICATES = 64

/**
 * Sends every key many times concurrently to two processes. Each response is that of the only
 * execution, or "in progress".
 */
async function storm(...args: string[]): Promise<void> {
  const children = [await startChild('shared-server.ts', args), await startChild('shared-server.ts', args)]
  try {
    for (let key = 0; key < KEYS; key++) {
      const requests = Array.from({ length: DUPLICATES }, (_, at) =>
        send(children[at % 2]?.url ?? '', { method: 'POST', headers: { 'idempotency-key': `key-${key}` }, body: '{}' }),
      )
      const answers = await Promise.all(requests)
      const created = answers.filter(({ status }) => status === 201)
      expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
      expect(created.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1)
      expect(new Set(created.map(({ text }) => text)).size).toBe(1)
    }
  } finally {
    for (const child of children) await child.kill()
  }
}

const expected = Array.from({ length: KEYS }, (_, key) => `key-${key}`).sort()

describe(`${KEYS} keys with ${DUPLICATES} concurrent duplicates each, in two processes: each key runs once`, () => {
  test('on one Redis', async ({ skip }) => {
    const server = await startRedis()
    if (!server) return skip('redis-server is not installed')
    const client = new Redis(server.url)
    await client.del('notes')
    await storm(server.url)
    expect((await client.lrange('notes', 0, -1)).sort()).toEqual(expected)
    await client.quit()
    await server.stop()
  })

  describe.each(['lease', 'transaction'])('with a %s', (mode) => {
    test('on one PostgreSQL', async ({ skip }) => {
      const server = await startPostgres()
      if (!server) return skip('PostgreSQL is not installed')
      const pool = createPool(server.url)
      await pool.query('CREATE TABLE IF NOT EXISTS notes (key text)')
      await storm(server.url, mode)
      const { rows } = await pool.query<{ key: string }>('SELECT key FROM notes')
      expect(rows.map(({ key }) => key).sort()).toEqual(expected)
      await pool.end()
      await server.stop()
    })

    test('on one SQLite file', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-processes-'))
      const file = join(folder, 'data.sqlite')
      const database = new DatabaseSync(file)
      database.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (key text)')
      await storm(file, mode)
      const rows = database.prepare('SELECT key FROM notes').all()
      expect(rows.map(({ key }) => String(key)).sort()).toEqual(expected)
      database.close()
      rmSync(folder, { recursive: true })
    })
  })
})
