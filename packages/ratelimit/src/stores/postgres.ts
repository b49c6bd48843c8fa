import { assertKnownOptions } from '../../../internal/options.ts'
import type { Outcome, State } from '../algorithm.ts'
import { adjustAll, blockedUntil, consumeAll, type Ledger, NOTHING } from '../decide.ts'
import type { Charge, Outcomes, RateLimitStore } from '../store.ts'
import { lockRows, type Statements, statementsFor } from './postgres-rows.ts'
import { type Connection, type PostgresPool, transact } from './postgres-transaction.ts'
import { checkTable, SWEEP } from './sql.ts'

export type { PostgresPool } from './postgres-transaction.ts'

/** Where in the database the counts are. */
export interface PostgresStoreOptions {
  /** Table that is made if it is not there. @defaultValue 'svc_ratelimit' */
  table?: string
  /** Milliseconds, for tests. @defaultValue the clock of the server */
  now?: () => number
}

/**
 * Counts in PostgreSQL, for any number of processes. One transaction at a time for each process, with all checks that
 * came meanwhile: it locks the rows in the order of their keys, so that none waits for another in a circle.
 */
export function postgresStore(pool: PostgresPool, options: PostgresStoreOptions = {}): RateLimitStore {
  assertKnownOptions('postgresStore', options, ['table', 'now'])
  const statements = statementsFor(checkTable(options.table ?? 'svc_ratelimit'))
  const ask = oneAtATime(decider(pool, statements, options.now))
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

type Decide = (time: number, ledger: Ledger) => Outcome[]

interface Work {
  charges: readonly Charge[]
  decide: Decide
  resolve(outcomes: Outcomes): void
  reject(error: unknown): void
}

const MOST_CHECKS = 200

/** Gathers what is asked while a transaction runs for the next one. */
function oneAtATime(decideAll: (batch: readonly Work[]) => Promise<Outcomes[]>) {
  let queue: Work[] = []
  let running = false
  const drain = async (): Promise<void> => {
    running = true
    while (queue.length > 0) {
      const batch = queue.slice(0, MOST_CHECKS)
      queue = queue.slice(MOST_CHECKS)
      try {
        const answers = await decideAll(batch)
        for (const [at, work] of batch.entries()) work.resolve(answers[at] ?? [])
      } catch (error) {
        for (const work of batch) work.reject(error)
      }
    }
    running = false
  }
  return (charges: readonly Charge[], decide: Decide): Promise<Outcomes> =>
    new Promise((resolve, reject) => {
      queue.push({ charges, decide, resolve, reject })
      if (!running) void drain()
    })
}

/** Decides a batch in one transaction; the first one makes the table, and one a minute removes what is over. */
function decider(pool: PostgresPool, statements: Statements, now: (() => number) | undefined) {
  let isMade = false
  let nextSweep = 0
  const make = async (connection: Connection): Promise<void> => {
    for (const statement of statements.create) await connection.query(statement)
  }
  return async (batch: readonly Work[]): Promise<Outcomes[]> => {
    if (!isMade) await transact(pool, make)
    isMade = true
    return transact(pool, async (connection) => {
      const charges = batch.flatMap((work) => work.charges)
      const rows = await lockRows(connection, statements, charges)
      const time = now?.() ?? rows.time
      const answers = batch.map(({ decide }) => decide(time, rows.ledger))
      await rows.save()
      if (time >= nextSweep) {
        nextSweep = time + SWEEP.everyMs
        await connection.query(statements.sweep, [time])
      }
      return answers
    })
  }
}

function writeAll(charges: readonly Charge[], ledger: Ledger, state: State): Outcome[] {
  for (const charge of charges) ledger.write(charge, state)
  return []
}
