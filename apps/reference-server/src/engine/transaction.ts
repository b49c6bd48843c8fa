import type { Connection } from '../database/connection.ts'
import { readViolation } from '../database/violation.ts'
import { failure, invalid, noun, rejectDuplicate } from '../messages/errors.ts'
import type { ActionContext } from './action.ts'

/** Runs a change in the transaction of the request, or in one of its own. */
export function inTransaction<T>(
  { db, database, beforeCommit }: ActionContext,
  work: (tx: Connection) => Promise<T>,
): Promise<T> {
  if (db.isTransaction) return work(db)
  return database.transaction(async (tx) => {
    const result = await work(tx)
    beforeCommit()
    return result
  })
}

/** Gives broken rules of the tables their status: the database is the last to check, and the first to know. */
export async function withViolations<T>(item: string, work: () => Promise<T>, isRemoval = false): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const violation = readViolation(error)
    if (!violation) throw error
    if (violation.rule === 'unique') return rejectDuplicate(item, violation.field)
    if (violation.rule === 'check') throw invalid(422, 'BUSINESS_RULE', [{ pointer: '', key: 'RANGE.table' }])
    if (isRemoval) throw failure('IN_USE.references', { item: noun(item) })
    throw invalid(422, 'UNKNOWN_REFERENCE', [{ pointer: '', key: 'UNKNOWN_REFERENCE.table' }])
  }
}
