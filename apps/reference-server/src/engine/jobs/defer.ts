import { setImmediate } from 'node:timers/promises'
import { chain } from '../../database/maybe-promise.ts'
import { badParameter } from '../../messages/errors.ts'
import { type Caller, requireScope } from '../../security/caller.ts'
import { type ActionContext, type ActionResult, orThrow } from '../action.ts'
import type { Item } from '../define.ts'
import type { Action } from '../route.ts'
import { inTransaction } from '../transaction.ts'
import { findOperation, operationContent } from './operation.ts'
import { enqueue, toDeferredRequest } from './queue.ts'

/**
 * Runs an action: now, or later if the client prefers that (RFC 7240 §4.1) and the action can. HEAD
 * has no content to wait for.
 */
export function runOrDefer(action: Action, call: ActionContext, type: string): ReturnType<Action['run']> {
  const { prefer, caller, method } = call
  const isAll = type === 'text/csv' && isWhole(call.search)
  if (isAll) requireScope(caller, EXPORT)
  const run: Action['run'] = isAll ? () => runWhole(action, call, { limit: MAX_AT_ONCE }) : action.run
  if (!prefer.respondAsync || prefer.rollback || method === 'HEAD' || !caller || !action.later) return run(call)
  return chain(
    action.later(call, type),
    (canWait): ReturnType<Action['run']> => (canWait ? defer(call, caller, type) : run(call)),
  )
}

async function defer(call: ActionContext, caller: Caller, type: string): Promise<ActionResult> {
  const operation = await inTransaction(call, async ({ db }) =>
    findOperation(db, await enqueue(db, toDeferredRequest(call, caller, type), call.now)),
  )
  if (!operation) throw new Error('the stored operation does not exist')
  const headers = { 'Preference-Applied': 'respond-async', 'Retry-After': '1' }
  return {
    status: 202,
    cache: 'never',
    headers,
    location: `/operations/${operation.id}`,
    content: operationContent(operation, call),
  }
}

/** Scope that `size=all` needs. */
const EXPORT = 'export'

/** Maximum number of items in one response. Larger exports are deferred. */
const MAX_AT_ONCE = 10_000

const ALL = /(?:^|&)size=all(?:&|$)/

/** Whether a query requests all items instead of a page. */
export function isWhole(search: string): boolean {
  return ALL.test(search)
}

/** Returns the query of the first page of an export, by cursor: changes cause no gaps. */
export function firstOfAll(search: string): string {
  const query = new URLSearchParams(search)
  if (query.has('cursor') || query.has('page')) throw badParameter('size', 'INVALID_PARAMETER.wholeWithPage')
  query.set('size', '100')
  query.set('cursor', '')
  return query.toString()
}

/**
 * Reads all pages of a collection as one. Throws a 400 if there are more items than the limit, and
 * rejects with the reason of the signal.
 */
export async function runWhole(
  { run }: Action,
  call: ActionContext,
  { limit = Number.POSITIVE_INFINITY, signal }: { limit?: number; signal?: AbortSignal },
): Promise<ActionResult> {
  const query = new URLSearchParams(firstOfAll(call.search))
  const items: Item[] = []
  const prefer = { ...call.prefer, return: 'minimal' } as const
  for (;;) {
    const { content, headers: _, ...result } = orThrow(await run({ ...call, prefer, search: query.toString() }))
    if (content?.kind !== 'page') throw new Error(`${call.path} has no pages`)
    items.push(...content.items)
    if (items.length > limit) throw badParameter('size', 'INVALID_PARAMETER.wholeLimit', { limit })
    const { cursors: { next } = {}, ...rest } = content
    if (next === undefined) return { ...result, content: { ...rest, items, isWhole: true } }
    query.set('cursor', next)
    signal?.throwIfAborted()
    // Lets other requests run in between.
    await setImmediate()
  }
}
