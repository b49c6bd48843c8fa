import { readViolation } from '../database/violation.ts'
import { duplicate, failure, invalid, noun } from '../messages/errors.ts'
import type { ActionContext } from './action.ts'

/** Runs a change in the transaction of the request, or in one of its own: `db` of its context. */
export function inTransaction<T>(call: ActionContext, work: (call: ActionContext) => Promise<T>): Promise<T> {
  if (call.db.isTransaction) return work(call)
  return call.database.transaction(async (db) => {
    const result = await work({ ...call, db })
    call.beforeCommit()
    return result
  })
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
