import type { MaybePromise } from '@svc/errors'
import { chain } from '../database/maybe-promise.ts'
import type { ActionContext } from './action-context.ts'
import type { ActionResult, RecordPage } from './action-result.ts'
import type { CacheClass } from './define.ts'
import { type ActionInfo, type Payload, type Route, route } from './route.ts'

export interface RecordAnswer {
  value: Readonly<Record<string, unknown>>
  links?: Readonly<Record<string, string>>
  status?: number
  page?: RecordPage
}

/** What a public path with one record declares. */
export interface RecordInfo extends ActionInfo {
  /** Name of the record: its root in XML. */
  record: string
  cache: CacheClass
  /** Omitted: the record exists for its page only. */
  gives?: Payload
  /** Statuses other than 200 that the record is sent with. */
  otherStatuses?: readonly number[]
}

/** A public path that answers GET with one record. */
export function recordRoute(
  path: string,
  { cache, ...info }: RecordInfo,
  read: (call: ActionContext) => MaybePromise<RecordAnswer>,
): Route {
  const run = (call: ActionContext): MaybePromise<ActionResult> =>
    chain(read(call), ({ value, links, status = 200, page }) => ({
      status,
      cache,
      content: { kind: 'record', name: info.record, value, ...(links && { links }), ...(page && { page }) },
    }))
  return route(path, {
    GET: { ...info, scope: undefined, kind: 'record', accepts: [], idempotency: 'none', cost: 1, run },
  })
}
