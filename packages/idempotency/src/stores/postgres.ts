import { chain, type MaybePromise, orElse } from '../../../internal/maybe-promise.ts'
import { assertKnownOptions, assertMethod, assertTypes } from '../../../internal/options.ts'
import type { TransactionalStore } from '../store.ts'
import { withTimeout } from '../timeout.ts'
import type { OpenTransaction, SqlExecutor } from '../transaction.ts'
import { queue } from './queue.ts'
import { query, sqlStore } from './sql.ts'
import { type Dialect, writeStatement } from './sql-statements.ts'
import { assertTableName, buildTable } from './table.ts'

/** A pool of connections, such as `Pool` of pg. */
export interface PostgresPool extends SqlExecutor {
  /** Returns a connection for one transaction. */
  connect(): Promise<PostgresClient>
}

/** A connection of a pool. */
export interface PostgresClient extends SqlExecutor {
  /** Returns the connection to the pool, or closes it. */
  release(destroy?: boolean): unknown
  /** Listens for errors of an idle connection. */
  on(event: 'error', listener: (error: Error) => void): unknown
  /** Removes a listener. */
  off(event: 'error', listener: (error: Error) => void): unknown
}

/** Options for `postgresStore()`. */
export interface PostgresStoreOptions {
  /** Name of the table. @defaultValue 'svc_idempotency' */
  table?: string
  /** Whether to create the table at first use if it does not exist. @defaultValue true */
  createTable?: boolean
  /**
   * Returns the current time in milliseconds since 1970, for tests. @defaultValue the clock of the
   * server
   */
  now?: () => number
}

/** A store in PostgreSQL. Keys, responses and effects can be committed together. */
export interface PostgresStore extends TransactionalStore {
  /** Deletes up to 1,000 expired keys and returns their number. The store sweeps automatically. */
  sweep(): MaybePromise<number>
  /** Creates the table if it does not exist. */
  setup(): Promise<void>
}

const DIALECT: Dialect = {
  name: 'postgres',
  now: 'coalesce(?::bigint, (extract(epoch FROM statement_timestamp()) * 1000)::bigint)',
  lock: 'SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0)) AS free',
  newestFirst: 'expires_at DESC, id',
}

const MAX_SETUP_MS = 2000

/** Returns the statements that create the table, for your own migrations. */
export function createTableStatements(table = 'svc_idempotency'): string[] {
  assertTableName('idempotency: postgresStore', table)
  return [
    buildTable(table, { integer: 'bigint', bytes: 'bytea' }),
    `CREATE INDEX IF NOT EXISTS ${table.replace('.', '_')}_expires ON ${table} (expires_at)`,
  ]
}

/**
 * Creates a store in PostgreSQL, for any number of processes and on request in the transaction of
 * the work.
 */
export function postgresStore(pool: PostgresPool, options: PostgresStoreOptions = {}): PostgresStore {
  assertKnownOptions('idempotency: postgresStore', options, ['table', 'createTable', 'now'])
  assertTypes('idempotency: postgresStore', options, { table: 'string', createTable: 'boolean', now: 'function' })
  assertMethod('idempotency: postgresStore', 'pool', pool, 'connect', 'a PostgresPool such as Pool of pg')
  const { table = 'svc_idempotency', createTable = true, now } = options
  const sql = createTableStatements(table)
  let isReady = !createTable
  let ready: Promise<void> | undefined
  const setup = async (): Promise<void> => {
    for (const text of sql) {
      // Two processes that start at the same time may both find no table: the second try sees it.
      await Promise.resolve(pool.query(text, [])).catch(() => pool.query(text, []))
    }
    isReady = true
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
      if (!isReady) await prepare()
      return pool.query(text, values)
    },
  }
  const deleteExpired = writeStatement(
    DIALECT,
    `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE expires_at <= NOW LIMIT 1000)
      AND expires_at <= NOW RETURNING id`,
  )
  const sweep = (time: number | null): MaybePromise<number> =>
    chain(query(executor, deleteExpired, [time, time]), (rows) => rows.length)
  const turns = queue(countTurns(pool))
  const store = sqlStore({ dialect: DIALECT, table, executor, now, sweep })
  return {
    ...store,
    within(tx) {
      const steps = store.within(tx)
      if (isReady) return steps
      // The transactions that wait for the table may have taken all connections.
      const acquire: typeof steps.acquire = (id, claim) =>
        chain(withTimeout(prepare(), MAX_SETUP_MS), () => steps.acquire(id, claim))
      return { ...steps, acquire }
    },
    sweep: () => sweep(now ? now() : null),
    setup,
    async open(opening = {}) {
      if (!isReady) await prepare()
      const leave = await turns.enter()
      return pool.connect().then(
        (client) => begin(client, leave, opening),
        (error) => {
          leave()
          throw error
        },
      )
    },
  }
}

// A checkpoint is saved by a connection of its own: if transactions held all of them, each would
// wait for the others.
function countTurns(pool: PostgresPool): number {
  const { options } = pool as { options?: { max?: number } }
  return Math.max((options?.max ?? Number.POSITIVE_INFINITY) - 1, 1)
}

const ROLLED_BACK = 'idempotency: postgresStore: nothing was committed, since a statement of the transaction had failed'
const ENDED = 'idempotency: postgresStore: the transaction has ended'

async function begin(
  client: PostgresClient,
  leave: () => void,
  opening: Pick<OpenTransaction, 'abandon'>,
): Promise<OpenTransaction> {
  // A broken connection fails the next statement; without a listener it would end the process.
  const ignore = (): void => {}
  client.on('error', ignore)
  let isOver = false
  let isReleased = false
  const release = (isBroken: boolean): void => {
    if (isReleased) return
    isReleased = true
    client.off('error', ignore)
    client.release(isBroken)
    leave()
  }
  const run = async (sql: string): Promise<void> => {
    // The connection may serve another request.
    if (isReleased) throw new Error(ENDED)
    isOver = sql !== 'BEGIN'
    let isBroken = true
    try {
      const { command } = (await client.query(sql, [])) as { command?: string }
      isBroken = false
      if (sql === 'COMMIT' && command === 'ROLLBACK') throw new Error(ROLLED_BACK)
    } catch (error) {
      if (sql === 'COMMIT' && isBroken) isBroken = !(await rollBack(client))
      throw error
    } finally {
      if (isOver || isBroken) release(isBroken)
    }
  }
  // After a timeout the handler still runs: what it writes must not reach the transaction of
  // another request.
  const queryInside = (...args: Parameters<SqlExecutor['query']>): unknown => {
    if (!isOver) return client.query(...args)
    const error = new Error(ENDED)
    const callback: unknown = args.at(-1)
    return typeof callback === 'function' ? process.nextTick(callback, error) : Promise.reject(error)
  }
  const abandon = (): void => {
    isOver = true
    release(true)
  }
  opening.abandon = abandon
  await run('BEGIN')
  return {
    client: Object.assign(Object.create(client), { query: queryInside }),
    query: (text, values) => client.query(text, values),
    commit: () => run('COMMIT'),
    rollback: () => run('ROLLBACK'),
    abandon,
  }
}

// PostgreSQL sends the error of a COMMIT before it releases the locks of the transaction: a retry
// must not meet them. Returns whether the connection is sound.
function rollBack(client: PostgresClient): MaybePromise<boolean> {
  return orElse(
    () => chain(client.query('ROLLBACK', []), () => true),
    () => false,
  )
}
