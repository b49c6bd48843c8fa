import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { idempotency, idempotencyOf, type TransactionalStore } from '@svc/idempotency'
import { postgresStore } from '@svc/idempotency/stores/postgres'
import { sqliteStore } from '@svc/idempotency/stores/sqlite'
import type pg from 'pg'
import { announce } from './announce.ts'
import { createPool } from './pool.ts'

// A service that is killed during its work: POST writes one row, in the transaction of its key.
// Arguments: the URL of a PostgreSQL, or the file of an SQLite database and its synchronous mode.
const [address = '', synchronous = 'FULL'] = process.argv.slice(2)

interface Business {
  store: TransactionalStore
  pay(client: unknown, key: string): Promise<void>
}

function onPostgres(url: string): Business {
  return {
    store: postgresStore(createPool(url, 8)),
    pay: async (client, key) => {
      const connection = client as pg.PoolClient
      await connection.query('INSERT INTO payments (key) VALUES ($1)', [key])
      await connection.query('SELECT pg_sleep(random() / 200)')
    },
  }
}

function onSqlite(file: string): Business {
  const database = new DatabaseSync(file, { timeout: 5000 })
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`)
  return {
    store: sqliteStore(database),
    pay: async (client, key) => {
      ;(client as DatabaseSync).prepare('INSERT INTO payments (key) VALUES (?)').run(key)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5))
    },
  }
}

const { store, pay } = address.startsWith('postgres') ? onPostgres(address) : onSqlite(address)
const middleware = idempotency({ store, transaction: true, required: true })
const server = createServer((req, res) => {
  middleware(req, res, async () => {
    const { key = '', transaction } = idempotencyOf(req) ?? {}
    try {
      await pay(transaction, key)
      res.statusCode = 201
      res.end(JSON.stringify({ paid: key, by: process.pid }))
    } catch {
      res.statusCode = 500
      res.end()
    }
  })
})
announce(server)
