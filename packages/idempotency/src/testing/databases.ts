import { DatabaseSync } from 'node:sqlite'
import type { TransactionalStore } from '@svc/idempotency'
import { postgresStore } from '@svc/idempotency/stores/postgres'
import { sqliteStore } from '@svc/idempotency/stores/sqlite'
import type pg from 'pg'
import { startPostgres } from '../../../internal/testing/servers.ts'
import { createPool } from './pool.ts'

export interface Database {
  store: TransactionalStore
  /** Writes in the transaction of the request. */
  write(client: unknown, key: string): Promise<unknown>
  /** Returns the rows that another connection sees. */
  rows(): Promise<string[]>
  clear(): Promise<unknown>
  close(): Promise<unknown>
}

// `payments.key` must be unique, and `owner` must exist: the latter is checked at COMMIT.
const TABLES = `CREATE TABLE owners (id integer PRIMARY KEY);
  CREATE TABLE payments (key text UNIQUE, owner integer REFERENCES owners DEFERRABLE INITIALLY DEFERRED)`

async function onPostgres(): Promise<Database | undefined> {
  const server = await startPostgres()
  if (!server) return undefined
  const pool = createPool(server.url)
  const store = postgresStore(pool)
  await Promise.all([pool.query(TABLES), store.setup()])
  return {
    store,
    write: (client, key) =>
      (client as pg.PoolClient).query('INSERT INTO payments VALUES ($1, $2)', [key, key === 'orphan' ? 1 : null]),
    rows: async () => (await pool.query<{ key: string }>('SELECT key FROM payments')).rows.map(({ key }) => key),
    clear: () => pool.query('TRUNCATE payments, svc_idempotency'),
    close: async () => {
      // Not awaited: connections that a failed test left open end with the server.
      pool.end().catch(() => {})
      await server.stop()
    },
  }
}

function onSqlite(): Database {
  const database = new DatabaseSync(':memory:')
  database.exec(`PRAGMA foreign_keys = ON; ${TABLES}`)
  return {
    store: sqliteStore(database),
    write: async (client, key) =>
      (client as DatabaseSync).prepare('INSERT INTO payments VALUES (?, ?)').run(key, key === 'orphan' ? 1 : null),
    rows: async () =>
      database
        .prepare('SELECT key FROM payments')
        .all()
        .map(({ key }) => String(key)),
    clear: async () => database.exec('DELETE FROM payments; DELETE FROM svc_idempotency'),
    close: async () => database.close(),
  }
}

/** Returns the databases that are installed, by name, for `describe.each`. */
export async function openDatabases(): Promise<(readonly [string, Database])[]> {
  const databases = { sqlite: onSqlite(), postgres: await onPostgres() }
  return Object.entries(databases).flatMap(([name, database]) => (database ? [[name, database] as const] : []))
}
