import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { send } from '../../internal/testing/check.ts'
import { startPostgres } from '../../internal/testing/servers.ts'
import { createPool } from './testing/pool.ts'
import { type Relay, startRelay } from './testing/relay.ts'

/** For each store. */
const KILLS = Number(process.env['SVC_CRASH_KILLS'] ?? 100)
const SEED = Number(process.env['SVC_CRASH_SEED'] ?? Date.now() % 1_000_000)
const CLIENTS = 6

interface Load {
  /** Keys with their responses. */
  answers: Map<string, string>
  /** Requests whose connection was cut, and those of them that a retry found done. */
  cut: number
  found: number
}

/**
 * Clients keep sending new keys and retry each until it gets a response, while one process after
 * the other is killed.
 */
async function killInTheMiddle(kills: number, args: readonly string[]): Promise<Load> {
  const service = await startRelay('crash-server.ts', args)
  const load: Load = { answers: new Map(), cut: 0, found: 0 }
  const { answers } = load
  const random = createRandom(SEED)
  let isOver = false
  let serial = 0
  const client = async (): Promise<void> => {
    while (!isOver) {
      const key = `key-${++serial}`
      answers.set(key, await answerTo(key, service, load))
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  for (let kill = 0; kill < kills; kill++) {
    const before = answers.size
    // A process that has not responded yet may have nothing to lose.
    while (answers.size === before) await setTimeout(1)
    await setTimeout(random() * 25)
    await service.kill()
  }
  isOver = true
  await Promise.all(clients)
  const rest = answers.entries()
  const askAgain = async (): Promise<void> => {
    for (const [key, answer] of rest) expect(await answerTo(key, service, { ...load }), 'a later retry').toBe(answer)
  }
  await Promise.all(Array.from({ length: CLIENTS }, askAgain))
  await service.stop()
  return load
}

/** Sends a key until it gets a response. */
async function answerTo(key: string, service: Relay, load: Load): Promise<string> {
  const headers = { 'idempotency-key': key, prefer: 'wait=1' }
  for (;;) {
    try {
      const answer = await send(service.url(), { method: 'POST', path: '/payments', headers, body: '{}' })
      if (answer.headers['idempotent-replayed']) load.found++
      if (answer.status === 201) return answer.text
      // In progress, or rolled back: both say that a retry is right.
      expect([409, 500, 503]).toContain(answer.status)
    } catch (error) {
      if (!/ECONN|socket hang up/.test(String(error))) throw error
      if (!/ECONNREFUSED/.test(String(error))) load.cut++
    }
    await setTimeout(2)
  }
}

/** Park and Miller's generator: numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

function expectOneRowEach({ answers, cut, found }: Load, keys: string[], kills: number): void {
  expect(keys.sort()).toEqual([...answers.keys()].sort())
  expect(cut, 'most kills meet work').toBeGreaterThan(kills / 2)
  const text = `seed ${SEED}: ${kills} kills cut off ${cut} requests for ${keys.length} keys, ${found} after COMMIT`
  process.stdout.write(`${text}\n`)
}

describe('a service that is killed with SIGKILL at random times', () => {
  test.each(['FULL', 'NORMAL'])(
    'leaves one row for each key in SQLite, synchronous=%s',
    async (synchronous) => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-crash-'))
      const file = join(folder, 'data.sqlite')
      const database = new DatabaseSync(file, { timeout: 5000 })
      database.exec('PRAGMA journal_mode = WAL; CREATE TABLE payments (key text NOT NULL)')
      const kills = Math.ceil(KILLS / 2)
      const load = await killInTheMiddle(kills, [file, synchronous])
      const rows = database.prepare('SELECT key FROM payments').all()
      const keys = rows.map(({ key }) => String(key))
      expectOneRowEach(load, keys, kills)
      database.close()
      rmSync(folder, { recursive: true })
    },
    600_000,
  )

  test('leaves one row for each key in PostgreSQL', async ({ skip }) => {
    const server = await startPostgres()
    if (!server) return skip('PostgreSQL is not installed')
    const pool = createPool(server.url)
    await pool.query('CREATE TABLE payments (key text NOT NULL)')
    const load = await killInTheMiddle(KILLS, [server.url])
    const { rows } = await pool.query<{ key: string }>('SELECT key FROM payments')
    const keys = rows.map(({ key }) => key)
    expectOneRowEach(load, keys, KILLS)
    await pool.end()
    await server.stop()
  }, 600_000)
})
