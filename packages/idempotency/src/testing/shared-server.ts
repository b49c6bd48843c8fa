import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { type IdempotencyStore, idempotency, idempotencyOf } from '@svc/idempotency'
import { postgresStore } from '@svc/idempotency/stores/postgres'
import { redisStore } from '@svc/idempotency/stores/redis'
import { sqliteStore } from '@svc/idempotency/stores/sqlite'
import { Redis } from 'ioredis'
import type pg from 'pg'
import { announce } from './announce.ts'
import { createPool } from './pool.ts'

// One of several processes on one store: POST writes its key to a shared table. Arguments: the URL,
// and `transaction` to commit both together.
const [address = '', mode] = process.argv.slice(2)

interface Shared {
  store: IdempotencyStore
  note(key: string, transaction: unknown): unknown
}

function share(): Shared {
  if (address.startsWith('redis')) {
    const client = new Redis(address)
    return { store: redisStore(client), note: (key) => client.rpush('notes', key) }
  }
  if (address.startsWith('postgres')) {
    const pool = createPool(address)
    const note: Shared['note'] = (key, transaction) =>
      ((transaction ?? pool) as pg.Pool).query('INSERT INTO notes VALUES ($1)', [key])
    return { store: postgresStore(pool), note }
  }
  const database = new DatabaseSync(address, { timeout: 10_000 })
  return { store: sqliteStore(database), note: (key) => database.prepare('INSERT INTO notes VALUES (?)').run(key) }
}

const { store, note } = share()
const middleware = idempotency({ store, transaction: mode === 'transaction', storeTimeoutMs: 20_000 })
const server = createServer((req, res) => {
  middleware(req, res, async () => {
    const { key = '', transaction } = idempotencyOf(req) ?? {}
    await note(key, transaction)
    res.writeHead(201).end(String(process.pid))
  })
})
announce(server)
