import type { Connection, Database } from '../../database/connection.ts'
import type { Caller } from '../../security/caller.ts'
import type { ActionContext } from '../action-context.ts'
import { parsePrefer } from '../prefer.ts'

/** A request as it is kept until its turn comes. */
export interface KeptRequest {
  method: string
  /** Path without the version. */
  path: string
  search: string
  bodyType: string
  body: string
  version: string
  /** Media type of the answer. */
  type: string
  lenient: boolean
  caller: Omit<Caller, 'scopes'> & { scopes: readonly string[] }
}

/** What is kept of a call: everything that its action needs, and no credentials. */
export function keptOf(call: ActionContext, caller: Caller, type: string): KeptRequest {
  const { method, path, search, bodyType, body, version, prefer } = call
  const kept = { ...caller, scopes: [...caller.scopes] }
  return { method, path, search, bodyType, body: body.toString(), version, type, lenient: prefer.lenient, caller: kept }
}

/** The call again, in the transaction of its job. */
export function callOf(
  { lenient, caller, type: _, ...kept }: KeptRequest,
  params: ActionContext['params'],
  database: Database,
  db: Connection,
): ActionContext {
  return {
    ...kept,
    ...{ params, database, db, body: Buffer.from(kept.body), now: new Date().toISOString() },
    caller: { ...caller, scopes: new Set(caller.scopes) },
    origin: () => '',
    prefer: parsePrefer(lenient ? 'handling=lenient' : undefined),
    // What the request wanted to be current was looked at when it came.
    requireCurrent() {},
    beforeCommit() {},
  }
}
