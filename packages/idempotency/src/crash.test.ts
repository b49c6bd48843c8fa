import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { send } from '../../internal/testing/check.ts'
import { startPostgres } from '../../internal/testing/servers.ts'
import { startChild } from './testing/child.ts'
import { poolOf } from './testing/pool.ts'

// Enough for every instant of a request to be hit; SVC_CRASH_KILLS asks for more.
const KILLS = Number(process.env['SVC_CRASH_KILLS'] ?? 12)
const CLIENTS = 6

/**
 * Clients send new keys without end and retry each until it is answered, while the service is killed and started anew.
 */
async function killInTheMiddle(args: readonly string[]): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  let child = await startChild('crash-server.ts', args)
  let serial = 0
  let isOver = false

  const answerTo = async (key: string): Promise<string> => {
    for (;;) {
      try {
        const headers = { 'idempotency-key': key }
        const { status, text } = await send(child.url, { method: 'POST', path: '/payments', headers, body: '{}' })
        if (status === 201) return text
        // In progress, or rolled back: both say that a retry is right.
        expect([409, 500, 503]).toContain(status)
      } catch (error) {
        if (!/ECONN|socket hang up/.test(String(error))) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }
  const client = async (): Promise<void> => {
    while (!isOver) {
      serial++
      const key = `key-${serial}`
      answers.set(key, await answerTo(key))
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  for (let kill = 0; kill < KILLS; kill++) {
    await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 90))
    // On a busy machine the service may not have answered yet: a kill that meets nothing proves nothing.
    while (answers.size <= kill) await new Promise((resolve) => setTimeout(resolve, 5))
    await child.kill()
    child = await startChild('crash-server.ts', args)
  }
  isOver = true
  await Promise.all(clients)
  for (const [key, answer] of answers) expect(await answerTo(key), 'a later retry gets the same answer').toBe(answer)
  await child.kill()
  return answers
}

function expectOneRowEach(answers: Map<string, string>, keys: string[]): void {
  expect(answers.size).toBeGreaterThan(KILLS)
  expect(keys.sort()).toEqual([...answers.keys()].sort())
}

describe('a service that is killed with SIGKILL at random instants', () => {
  test.each(['FULL', 'NORMAL'])(
    'leaves one row for each key in SQLite, synchronous=%s',
    async (synchronous) => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-crash-'))
      const file = join(folder, 'data.sqlite')
      const database = new DatabaseSync(file, { timeout: 5000 })
      database.exec('PRAGMA journal_mode = WAL; CREATE TABLE payments (key text NOT NULL)')
      const answers = await killInTheMiddle([file, synchronous])
      expectOneRowEach(
        answers,
        database
          .prepare('SELECT key FROM payments')
          .all()
          .map(({ key }) => String(key)),
      )
      database.close()
      rmSync(folder, { recursive: true })
    },
    300_000,
  )

  test('leaves one row for each key in PostgreSQL, or is skipped: it is not installed', async ({ skip }) => {
    const server = await startPostgres()
    if (!server) return skip()
    const pool = poolOf(server.url)
    await pool.query('CREATE TABLE payments (key text NOT NULL)')
    const answers = await killInTheMiddle([server.url])
    const { rows } = await pool.query<{ key: string }>('SELECT key FROM payments')
    expectOneRowEach(
      answers,
      rows.map(({ key }) => key),
    )
    await pool.end()
    await server.stop()
  }, 300_000)
})
