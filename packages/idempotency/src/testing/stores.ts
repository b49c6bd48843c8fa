import { DatabaseSync } from 'node:sqlite'
import { type IdempotencyStore, memoryStore } from '@svc/idempotency'
import { postgresStore } from '@svc/idempotency/stores/postgres'
import { redisStore } from '@svc/idempotency/stores/redis'
import { sqliteStore } from '@svc/idempotency/stores/sqlite'
import { Redis } from 'ioredis'
import { startPostgres, startRedis } from '../../../internal/testing/servers.ts'
import { createPool } from './pool.ts'

/** Returns a store without keys. */
export type OpenStore = (now?: () => number) => Promise<IdempotencyStore>

export interface Stores {
  /** By name; `undefined` if its server is not installed. */
  kinds: Record<'memory' | 'sqlite' | 'redis' | 'postgres', OpenStore | undefined>
  close(): Promise<void>
}

/** A store, with or without transactions. */
export interface Way {
  name: string
  open: OpenStore | undefined
  /** Whether key, response and effects share one transaction. */
  transaction: boolean
}

/** Each store, and those with transactions a second time with them. */
export function listWays(kinds: Stores['kinds']): Way[] {
  const leased = Object.entries(kinds).map(([name, open]) => ({ name, open, transaction: false }))
  const { sqlite, postgres } = kinds
  return [
    ...leased,
    { name: 'a transaction of sqlite', open: sqlite, transaction: true },
    { name: 'a transaction of postgres', open: postgres, transaction: true },
  ]
}

/** One store of each kind, on servers that all tests of a file share. */
export async function openStores(): Promise<Stores> {
  const [redisServer, postgresServer] = await Promise.all([startRedis(), startPostgres()])
  const client = redisServer && new Redis(redisServer.url)
  const pool = postgresServer && createPool(postgresServer.url)
  if (pool) await postgresStore(pool).setup()
  let serial = 0
  return {
    kinds: {
      memory: async (now = Date.now) => memoryStore({ now }),
      sqlite: async (now = Date.now) => sqliteStore(new DatabaseSync(':memory:'), { now }),
      redis: client && (async (now) => redisStore(client, { prefix: `${++serial}:`, ...(now && { now }) })),
      postgres:
        pool &&
        (async (now) => {
          await pool.query('DELETE FROM svc_idempotency')
          return postgresStore(pool, { createTable: false, ...(now && { now }) })
        }),
    },
    async close() {
      client?.disconnect()
      // Not awaited: connections that a failed test left open end with the server.
      pool?.end().catch(() => {})
      await Promise.all([redisServer?.stop(), postgresServer?.stop()])
    },
  }
}
