import type { MaybePromise } from '../../../internal/maybe-promise.ts'
import { assertKnownOptions } from '../../../internal/options.ts'
import type { TransactionalStore } from '../store.ts'
import type { OpenTransaction, SqlExecutor } from '../transaction.ts'
import { sqlStore } from './sql.ts'
import type { Dialect } from './sql-statements.ts'
import { buildTable, requireTable } from './table.ts'

/** A pool of connections, as `Pool` of pg is one. */
export interface PostgresPool extends SqlExecutor {
  /** A connection of its own for one transaction. */
  connect(): Promise<PostgresClient>
}

/** A connection out of a pool. */
export interface PostgresClient extends SqlExecutor {
  /** Gives the connection back to the pool, or ends it. */
  release(destroy?: boolean): unknown
  /** Listens for a connection that breaks while nothing is asked of it. */
  on(event: 'error', listener: (error: Error) => void): unknown
  /** Ends the listening. */
  off(event: 'error', listener: (error: Error) => void): unknown
}

/** Options for `postgresStore()`. */
export interface PostgresStoreOptions {
  /** Name of the table. @defaultValue 'svc_idempotency' */
  table?: string
  /** Whether to create the table at first use if it does not exist. @defaultValue true */
  createTable?: boolean
  /** Returns the current time in milliseconds since 1970, for tests. @defaultValue the clock of the server */
  now?: () => number
}

/** A store in PostgreSQL: keys, answers and effects can be committed together. */
export interface PostgresStore extends TransactionalStore {
  /** Drops keys that have expired, at most a thousand at once; returns how many. Runs by itself once a minute. */
  sweep(): MaybePromise<number>
  /** Creates the table if it does not exist. */
  setup(): Promise<void>
}

const DIALECT: Dialect = {
  name: 'postgres',
  now: 'coalesce(:now::bigint, (extract(epoch FROM statement_timestamp()) * 1000)::bigint)',
  lock: 'SELECT pg_try_advisory_xact_lock(hashtextextended(:id, 0)) AS free',
}

/** Returns the statements that create the table, for your own migrations. */
export function createTableStatements(table = 'svc_idempotency'): string[] {
  requireTable('idempotency: postgresStore', table)
  return buildTable(table, { integer: 'bigint', bytes: 'bytea' })
}

/**
 * Stores keys in PostgreSQL: for any number of processes, and on request in the transaction of the work itself.
 */
export function postgresStore(pool: PostgresPool, options: PostgresStoreOptions = {}): PostgresStore {
  assertKnownOptions('idempotency: postgresStore', options, ['table', 'createTable', 'now'])
  const { table = 'svc_idempotency', createTable = true, now } = options
  const sql = createTableStatements(table)
  let ready: Promise<void> | undefined
  const setup = async (): Promise<void> => {
    for (const text of sql) {
      // Two processes that start at once can both find no table: the second try sees it.
      await Promise.resolve(pool.query(text, [])).catch(() => pool.query(text, []))
    }
  }
  const prepare = (): Promise<void> => {
    ready ??= setup().catch((error) => {
      ready = undefined
      throw error
    })
    return ready
  }
  const executor: SqlExecutor = {
    async query(text, values) {
      if (createTable) await prepare()
      return pool.query(text, values)
    },
  }
  return {
    ...sqlStore({ dialect: DIALECT, table, executor, now }),
    setup,
    async open() {
      if (createTable) await prepare()
      return begin(await pool.connect())
    },
  }
}

async function begin(client: PostgresClient): Promise<OpenTransaction> {
  // A connection that breaks fails the next statement; without a listener it would end the process.
  const ignore = (): void => {}
  client.on('error', ignore)
  const run = async (sql: string, last: boolean): Promise<void> => {
    let broken = true
    try {
      await client.query(sql, [])
      broken = false
    } finally {
      if (last || broken) {
        client.off('error', ignore)
        client.release(broken)
      }
    }
  }
  await run('BEGIN', false)
  return {
    client,
    query: (text, values) => client.query(text, values),
    commit: () => run('COMMIT', true),
    rollback: () => run('ROLLBACK', true),
    abandon: () => client.release(true),
  }
}
