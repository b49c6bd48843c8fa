import type { ActionContext } from './action-context.ts'
import type { ActionResult, RecordPage } from './action-result.ts'
import type { Awaitable } from './awaitable.ts'
import type { CacheClass } from './define.ts'
import { type Route, route } from './route.ts'

export interface RecordAnswer {
  value: Readonly<Record<string, unknown>>
  links?: Readonly<Record<string, string>>
  status?: number
  page?: RecordPage
}

/** A public path that answers GET with one record. */
export function recordRoute(
  path: string,
  name: string,
  cache: CacheClass,
  read: (call: ActionContext) => Awaitable<RecordAnswer>,
): Route {
  const run = async (call: ActionContext): Promise<ActionResult> => {
    const { value, links, status = 200, page } = await read(call)
    return { status, cache, content: { kind: 'record', name, value, ...(links && { links }), ...(page && { page }) } }
  }
  return route(path, {
    GET: { scope: undefined, kind: 'record', record: name, accepts: [], idempotency: 'none', cost: 1, run },
  })
}
