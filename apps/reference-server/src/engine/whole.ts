import { setImmediate } from 'node:timers/promises'
import { badParameter } from '../messages/errors.ts'
import type { ActionContext } from './action-context.ts'
import type { ActionResult } from './action-result.ts'
import type { Item } from './define.ts'
import type { Action } from './route.ts'

/** Scope that `size=all` needs: all there is, where a page is what others get. */
export const EXPORT = 'export'

/** What can be had whole at once; more takes a job. */
export const MAX_AT_ONCE = 10_000

const ALL = /(?:^|&)size=all(?:&|$)/

/** Whether a query asks for everything in place of a page. */
export function isWhole(search: string): boolean {
  return ALL.test(search)
}

/** The query of the first page of everything: by marks, so that nothing is missed or doubled by changes on the way. */
export function firstOfAll(search: string): string {
  const query = new URLSearchParams(search)
  if (query.has('cursor') || query.has('page')) throw badParameter('size', 'INVALID_PARAMETER.wholeWithPage')
  query.set('size', '100')
  query.set('cursor', '')
  return query.toString()
}

/** Every page of a collection as one. Throws a 400 where there is more than the limit. */
export async function runWhole(
  { run }: Action,
  call: ActionContext,
  limit = Number.POSITIVE_INFINITY,
): Promise<ActionResult> {
  const query = new URLSearchParams(firstOfAll(call.search))
  const items: Item[] = []
  const prefer = { ...call.prefer, return: 'minimal' } as const
  for (;;) {
    const { content, headers: _, ...result } = await run({ ...call, prefer, search: query.toString() })
    if (content?.kind !== 'page') throw new Error(`${call.path} has no pages`)
    items.push(...content.items)
    if (items.length > limit) throw badParameter('size', 'INVALID_PARAMETER.wholeLimit', { limit })
    const { cursors: { next } = {}, ...rest } = content
    if (next === undefined) return { ...result, content: { ...rest, items, isWhole: true } }
    query.set('cursor', next)
    // Whoever else asks for something gets their turn.
    await setImmediate()
  }
}
