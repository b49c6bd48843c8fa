import { assertKnownOptions, assertMethod, assertTypes } from '../../../internal/options.ts'
import type { CounterState, LimitResult } from '../algorithm.ts'
import { adjustAll, blockUntil, consumeAll, type Ledger, NO_STATE } from '../decide.ts'
import type { Charge, RateLimitStore } from '../store.ts'
import { compileStatements, lockRows, type Statements } from './postgres-rows.ts'
import { type Connection, type PostgresPool, transact } from './postgres-transaction.ts'
import { assertTableName, sweepPlanner } from './sql.ts'

export type { PostgresPool } from './postgres-transaction.ts'

/** Returns the statements that create the table, for your own migrations. */
export function createTableStatements(table = 'svc_ratelimit'): string[] {
  return [...compileStatements(assertTableName(table)).create].slice(1)
}

/** Options for `postgresStore()`. */
export interface PostgresStoreOptions {
  /** Name of the table. @defaultValue 'svc_ratelimit' */
  table?: string
  /** Whether to create the table if it does not exist. @defaultValue true */
  createTable?: boolean
  /**
   * Returns the current time in milliseconds since 1970, for tests. @defaultValue the clock of the
   * server
   */
  now?: () => number
}

/**
 * Creates a store in PostgreSQL, for any number of processes. Each process runs one transaction at
 * a time, with all checks that arrived in the meantime. It locks the rows in the order of their
 * keys, so that transactions never deadlock.
 */
export function postgresStore(pool: PostgresPool, options: PostgresStoreOptions = {}): RateLimitStore {
  assertKnownOptions('ratelimit: postgresStore', options, ['table', 'createTable', 'now'])
  assertTypes('ratelimit: postgresStore', options, { table: 'string', createTable: 'boolean', now: 'function' })
  assertMethod('ratelimit: postgresStore', 'pool', pool, 'connect', 'a PostgresPool such as Pool of pg')
  const { table = 'svc_ratelimit', createTable = true, now } = options
  const ask = runInTurn(createDecider(pool, compileStatements(assertTableName(table)), createTable, now))
  return {
    consume: (charges) => ask(charges, (time, ledger) => consumeAll(charges, time, ledger)),
    adjust: (charges) => ask(charges, (time, ledger) => adjustAll(charges, time, ledger)),
    async block(charges, ms) {
      await ask(charges, (time, ledger) => writeAll(charges, ledger, blockUntil(time + ms), time))
    },
    async reset(charges) {
      await ask(charges, (time, ledger) => writeAll(charges, ledger, NO_STATE, time))
    },
  }
}

type Decide = (time: number, ledger: Ledger) => LimitResult[]

interface Work {
  charges: readonly Charge[]
  decide: Decide
  resolve(outcomes: readonly LimitResult[]): void
  reject(error: unknown): void
}

const MAX_CHECKS = 200

/** Collects calls while a transaction runs, for the next one. */
function runInTurn(decideAll: (batch: readonly Work[]) => Promise<readonly LimitResult[][]>) {
  let queue: Work[] = []
  let running = false
  const drain = async (): Promise<void> => {
    running = true
    while (queue.length > 0) {
      const batch = queue.slice(0, MAX_CHECKS)
      queue = queue.slice(MAX_CHECKS)
      try {
        const results = await decideAll(batch)
        for (const [index, work] of batch.entries()) work.resolve(results[index] ?? [])
      } catch (error) {
        for (const work of batch) work.reject(error)
      }
    }
    running = false
  }
  return (charges: readonly Charge[], decide: Decide): Promise<readonly LimitResult[]> =>
    new Promise((resolve, reject) => {
      queue.push({ charges, decide, resolve, reject })
      if (!running) void drain()
    })
}

/** Decides a batch in one transaction. The first creates the table; some delete expired rows. */
function createDecider(
  pool: PostgresPool,
  statements: Statements,
  createTable: boolean,
  now: (() => number) | undefined,
) {
  let isCreated = !createTable
  const planSweep = sweepPlanner()
  const create = async (connection: Connection): Promise<void> => {
    for (const statement of statements.create) await connection.query(statement)
  }
  return async (batch: readonly Work[]): Promise<readonly LimitResult[][]> => {
    if (!isCreated) await transact(pool, create)
    isCreated = true
    return transact(pool, async (connection) => {
      const charges = batch.flatMap((work) => work.charges)
      const rows = await lockRows(connection, statements, charges)
      const time = now?.() ?? rows.time
      const results = batch.map(({ decide }) => decide(time, rows.ledger))
      await rows.save()
      const expired = planSweep(time, rows.added)
      if (expired > 0) await connection.query(statements.sweep, [time, expired])
      return results
    })
  }
}

function writeAll(charges: readonly Charge[], ledger: Ledger, state: CounterState, now: number): LimitResult[] {
  for (const charge of charges) ledger.write(charge, state, now)
  return []
}
