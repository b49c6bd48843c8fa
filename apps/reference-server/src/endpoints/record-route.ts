import type { PageOf } from '../pages/view.ts'
import type { Awaitable } from '../resource/awaitable.ts'
import type { Call } from '../resource/call.ts'
import type { Result } from '../resource/result.ts'
import { type Route, route } from '../resource/route.ts'
import type { CacheClass } from '../resources/define.ts'

export interface RecordAnswer {
  value: Readonly<Record<string, unknown>>
  links?: Readonly<Record<string, string>>
  status?: number
  page?: PageOf
}

/** A public path that answers GET with one record. */
export function recordRoute(
  path: string,
  name: string,
  cache: CacheClass,
  read: (call: Call) => Awaitable<RecordAnswer>,
): Route {
  const run = async (call: Call): Promise<Result> => {
    const { value, links, status = 200, page } = await read(call)
    return { status, cache, content: { kind: 'record', name, value, ...(links && { links }), ...(page && { page }) } }
  }
  return route(path, {
    GET: { scope: undefined, kind: 'record', record: name, accepts: [], idempotency: 'none', cost: 1, run },
  })
}
