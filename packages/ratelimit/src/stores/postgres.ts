import { refuseUnknown } from '../../../internal/options.ts'
import type { Outcome, State } from '../algorithm.ts'
import { withDeadline } from '../deadline.ts'
import { adjustAll, blockedUntil, consumeAll, endOf, type Ledger, NOTHING } from '../decide.ts'
import type { Charge, Outcomes, RateLimitStore } from '../store.ts'
import { checkTable, readState, rowKey, SWEEP, writeState } from './sql.ts'

interface Connection {
  query(text: string, values?: unknown[]): PromiseLike<{ rows: unknown[] }>
  release(error?: boolean): void
  on?(event: 'error', listener: () => void): unknown
  off?(event: 'error', listener: () => void): unknown
}

/** A `Pool` of pg, or anything that hands out connections like it. */
export interface PostgresPool {
  /** A connection of its own for one transaction. */
  connect(): PromiseLike<Connection>
}

/** Where in the database the counts are. */
export interface PostgresStoreOptions {
  /** Table that is made if it is not there. @defaultValue 'svc_ratelimit' */
  table?: string
  /** Milliseconds, for tests. @defaultValue the clock of the server */
  now?: () => number
}

interface Work {
  charges: readonly Charge[]
  decide(time: number, ledger: Ledger): Outcome[]
  resolve(outcomes: Outcomes): void
  reject(error: unknown): void
}

interface Row {
  key: string
  state: string
  time: string
}

const MOST_CHECKS = 200

const LONGEST_MS = 5000

/**
 * Counts in PostgreSQL, for any number of processes. One transaction at a time for each process, with all checks that
 * came meanwhile: it locks the rows in the order of their keys, so that none waits for another in a circle.
 */
export function postgresStore(pool: PostgresPool, options: PostgresStoreOptions = {}): RateLimitStore {
  refuseUnknown('postgresStore', options, ['table', 'now'])
  const statements = statementsFor(checkTable(options.table ?? 'svc_ratelimit'))
  let queue: Work[] = []
  let running = false
  let ready: Promise<void> | undefined
  let nextSweep = 0

  const create = (): Promise<void> => {
    ready ??= transact(pool, async (connection) => {
      for (const statement of statements.create) await connection.query(statement)
    }).catch((error) => {
      ready = undefined
      throw error
    })
    return ready
  }
  const decideAll = async (connection: Connection, batch: readonly Work[]): Promise<Outcomes[]> => {
    const rows = await lockRows(connection, statements.lock, batch)
    const time = options.now?.() ?? rows.time
    const answers = batch.map(({ decide }) => decide(time, rows.ledger))
    const changed = [...rows.changed]
    const columns = [
      changed.map(([key]) => key),
      changed.map(([, row]) => row.state),
      changed.map(([, row]) => row.ends),
    ]
    if (changed.length > 0) await connection.query(statements.save, columns)
    if (time >= nextSweep) {
      nextSweep = time + SWEEP.everyMs
      await connection.query(statements.sweep, [time])
    }
    return answers
  }
  const drain = async (): Promise<void> => {
    running = true
    while (queue.length > 0) {
      const batch = queue.slice(0, MOST_CHECKS)
      queue = queue.slice(MOST_CHECKS)
      try {
        await create()
        const answers = await transact(pool, (connection) => decideAll(connection, batch))
        for (const [at, work] of batch.entries()) work.resolve(answers[at] ?? [])
      } catch (error) {
        for (const work of batch) work.reject(error)
      }
    }
    running = false
  }
  const ask = (charges: readonly Charge[], decide: Work['decide']): Promise<Outcomes> =>
    new Promise((resolve, reject) => {
      queue.push({ charges, decide, resolve, reject })
      if (!running) void drain()
    })

  return {
    consume: (charges) => ask(charges, (time, ledger) => consumeAll(charges, time, ledger)),
    adjust: (charges) => ask(charges, (time, ledger) => adjustAll(charges, time, ledger)),
    async block(charges, ms) {
      await ask(charges, (time, ledger) => writeAll(charges, ledger, blockedUntil(time + ms)))
    },
    async reset(charges) {
      await ask(charges, (_time, ledger) => writeAll(charges, ledger, NOTHING))
    },
  }
}

/** One transaction, within a time limit: all checks of this process wait behind it. */
async function transact<T>(pool: PostgresPool, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connecting = pool.connect()
  const connection = await withDeadline(connecting, LONGEST_MS).catch((error: unknown) => {
    connecting.then(
      (late) => late.release(),
      () => {},
    )
    throw error
  })
  const run = async (): Promise<T> => {
    await connection.query('BEGIN')
    const result = await work(connection)
    await connection.query('COMMIT')
    return result
  }
  // A connection that breaks tells the query that waits; its `error` event would end the process without a listener.
  connection.on?.('error', ignore)
  let isBroken = true
  try {
    const result = await withDeadline(run(), LONGEST_MS)
    isBroken = false
    return result
  } finally {
    // A connection in an unknown state must not go back to the pool.
    connection.release(isBroken)
    connection.off?.('error', ignore)
  }
}

function ignore(): void {}

/** Locks the rows of a batch, makes those that are missing, and keeps what is written until it is saved. */
async function lockRows(connection: Connection, statement: string, batch: readonly Work[]) {
  const keys = new Set(batch.flatMap(({ charges }) => charges.map(rowKey)))
  const rows = (await connection.query(statement, [[...keys]])).rows as Row[]
  const states = new Map(rows.map(({ key, state }) => [key, readState(state)]))
  const changed = new Map<string, { state: string; ends: number }>()
  const ledger: Ledger = {
    read: (charge) => states.get(rowKey(charge)) ?? NOTHING,
    write(charge, state) {
      states.set(rowKey(charge), state)
      changed.set(rowKey(charge), { state: writeState(state), ends: endOf(state, charge.policy) })
    },
  }
  return { time: Math.max(...rows.map((row) => Number(row.time))), ledger, changed }
}

function writeAll(charges: readonly Charge[], ledger: Ledger, state: State): Outcome[] {
  for (const charge of charges) ledger.write(charge, state)
  return []
}

// The state of a new row is empty. An update that changes nothing is what locks a row and reads it in one step; the
// clock is read behind the lock.
function statementsFor(table: string) {
  return {
    create: [
      `SELECT pg_advisory_xact_lock(hashtext('${table}'))`,
      `CREATE TABLE IF NOT EXISTS ${table} (key text PRIMARY KEY, state text NOT NULL, ends bigint NOT NULL)`,
      `CREATE INDEX IF NOT EXISTS ${table}_ends ON ${table} (ends)`,
    ],
    lock: `INSERT INTO ${table} AS t SELECT key, '', 0 FROM unnest($1::text[]) AS key ORDER BY key COLLATE "C"
      ON CONFLICT (key) DO UPDATE SET state = t.state
      RETURNING key, state, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS time`,
    save: `UPDATE ${table} AS t SET state = n.state, ends = n.ends
      FROM unnest($1::text[], $2::text[], $3::bigint[]) AS n (key, state, ends) WHERE t.key = n.key`,
    // What another transaction is using is left for the next time.
    sweep: `DELETE FROM ${table} WHERE key IN
      (SELECT key FROM ${table} WHERE ends <= $1 LIMIT ${SWEEP.rows} FOR UPDATE SKIP LOCKED)`,
  }
}
