import type { Connection, Database } from '../database/connection.ts'
import type { MaybePromise } from '../database/maybe-promise.ts'
import { readViolation } from '../database/violation.ts'
import { duplicate, failure, invalid, noun } from '../messages/errors.ts'

interface TransactionContext {
  database: Database
  /** The database, or the transaction of the request. */
  db: Connection
  beforeCommit(): void
}

/** Runs a change in the transaction of the request, or in one of its own: `db` of its context. */
export function inTransaction<C extends TransactionContext, T>(call: C, work: (call: C) => Promise<T>): Promise<T> {
  if (call.db.isTransaction) return work(call)
  return call.database.transaction(async (db) => {
    const result = await work({ ...call, db })
    call.beforeCommit()
    return result
  })
}

/** Runs a change with all its checks and undoes it. Returns its result. */
export async function dryRun<T>(database: Database, change: (tx: Connection) => Promise<T>): Promise<T> {
  try {
    return await database.transaction(async (tx) => {
      throw new Rollback(await change(tx))
    })
  } catch (error) {
    if (!(error instanceof Rollback)) throw error
    return error.result as T
  }
}

/** Carries a result out of the transaction that it undoes. */
class Rollback extends Error {
  readonly result: unknown

  constructor(result: unknown) {
    super('dry run')
    this.result = result
  }
}

/**
 * Returns what takes long and needs no database, such as the hash of a password. A transaction that
 * calls it first is rolled back and runs again with the result, since all others would wait for it
 * on SQLite.
 */
export type Beforehand = (input: string, compute: (input: string) => Promise<string>) => MaybePromise<string>

/** Computes in the transaction, for work that cannot run again. */
export const inPlace: Beforehand = (input, compute) => compute(input)

/** Rolls a transaction back until something is computed. */
export class Postponed extends Error {
  readonly compute: () => Promise<unknown>

  constructor(compute: () => Promise<unknown>) {
    super('the transaction runs again')
    this.compute = compute
  }
}

/** Runs work with the transactions in it, and again if they were postponed. */
export async function withBeforehand<T>(work: (beforehand: Beforehand) => MaybePromise<T>): Promise<T> {
  const results = new Map<string, string>()
  const beforehand: Beforehand = (input, compute) => {
    const result = results.get(input)
    if (result !== undefined) return result
    throw new Postponed(async () => results.set(input, await compute(input)))
  }
  for (;;) {
    try {
      return await work(beforehand)
    } catch (error) {
      if (!(error instanceof Postponed)) throw error
      await error.compute()
    }
  }
}

/**
 * Returns the error that a client gets: a broken rule of the tables with its status, any other
 * error as it is. The database is the last to check, and the first to know.
 */
export function explainViolation(error: unknown, item: string, isRemoval = false): unknown {
  const violation = readViolation(error)
  if (!violation) return error
  if (violation.rule === 'unique') return duplicate(item, violation.field)
  if (violation.rule === 'check') return invalid(422, 'BUSINESS_RULE', [{ pointer: '', key: 'RANGE.table' }])
  if (isRemoval) return failure('IN_USE.references', { item: noun(item) })
  return invalid(422, 'UNKNOWN_REFERENCE', [{ pointer: '', key: 'UNKNOWN_REFERENCE.table' }])
}
