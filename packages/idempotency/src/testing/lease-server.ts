import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { type IdempotencyStore, idempotencyOf, idempotent } from '@svc/idempotency'
import { postgres } from '@svc/idempotency/stores/postgres'
import { redis } from '@svc/idempotency/stores/redis'
import { sqlite } from '@svc/idempotency/stores/sqlite'
import { Redis } from 'ioredis'
import { announce } from './announce.ts'
import { poolOf } from './pool.ts'

// One of several processes on one store: POST notes its key where all of them can be counted. Argument: the address.
const [address = ''] = process.argv.slice(2)

interface Shared {
  store: IdempotencyStore
  note(key: string): unknown
}

function share(): Shared {
  if (address.startsWith('redis')) {
    const client = new Redis(address)
    return { store: redis(client), note: (key) => client.rpush('notes', key) }
  }
  if (address.startsWith('postgres')) {
    const pool = poolOf(address)
    return { store: postgres(pool), note: (key) => pool.query('INSERT INTO notes VALUES ($1)', [key]) }
  }
  const database = new DatabaseSync(address, { timeout: 10_000 })
  return { store: sqlite(database), note: (key) => database.prepare('INSERT INTO notes VALUES (?)').run(key) }
}

const { store, note } = share()
const middleware = idempotent({ store, storeTimeoutMs: 20_000 })
const server = createServer((req, res) => {
  middleware(req, res, async () => {
    await note(idempotencyOf(req)?.key ?? '')
    res.writeHead(201).end(String(process.pid))
  })
})
announce(server)
