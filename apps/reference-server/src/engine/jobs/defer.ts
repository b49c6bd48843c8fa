import { chain, type MaybePromise } from '../../database/maybe-promise.ts'
import { type Caller, requireScope } from '../../security/caller.ts'
import type { ActionContext } from '../action-context.ts'
import type { ActionResult } from '../action-result.ts'
import type { Action } from '../route.ts'
import { inTransaction } from '../transaction.ts'
import { EXPORT, isWhole, MAX_AT_ONCE, runWhole } from '../whole.ts'
import { findOperation, operationContent } from './operation.ts'
import { enqueue, toDeferredRequest } from './queue.ts'

/** Runs an action: now, or later if the client prefers that (RFC 7240 §4.1) and the action can. */
export function runOrDefer(action: Action, call: ActionContext, type: string): MaybePromise<ActionResult> {
  const { prefer, caller } = call
  const isAll = type === 'text/csv' && isWhole(call.search)
  if (isAll) requireScope(caller, EXPORT)
  const runNow = (): MaybePromise<ActionResult> => (isAll ? runWhole(action, call, MAX_AT_ONCE) : action.run(call))
  if (!prefer.respondAsync || prefer.rollback || !caller || !action.later) return runNow()
  return chain(action.later(call, type), (canWait) => (canWait ? defer(call, caller, type) : runNow()))
}

async function defer(call: ActionContext, caller: Caller, type: string): Promise<ActionResult> {
  const operation = await inTransaction(call, async (db) =>
    findOperation(db, await enqueue(db, toDeferredRequest(call, caller, type), call.now)),
  )
  if (!operation) throw new Error('an operation that was kept is not there')
  const headers = { 'Preference-Applied': 'respond-async', 'Retry-After': '1' }
  return {
    status: 202,
    cache: 'never',
    headers,
    location: `/operations/${operation.id}`,
    content: operationContent(operation, caller),
  }
}
