import type { Connection, Database } from '../database/connection.ts'
import type { Caller } from '../security/caller.ts'
import type { Beforehand } from './beforehand.ts'
import type { Prefer } from './prefer.ts'

/** A request as actions see it: nothing of HTTP's wire is left in it. */
export interface ActionContext {
  method: string
  /** Path without the version. */
  path: string
  params: Readonly<Record<string, string>>
  /** The query, without its question mark. */
  search: string
  /** Media type of the body, without parameters; empty where there is none. */
  bodyType: string
  body: Buffer
  caller: Caller | undefined
  /** Where the client reached the service, `http://localhost:3000`; empty for work that is done after the response. */
  origin(): string
  /** API version: `1` or `2`. */
  version: string
  prefer: Prefer
  database: Database
  /** The connection, or the transaction of the request where it has an Idempotency-Key. */
  db: Connection
  /** Now, as it is stored. */
  now: string
  /** Throws where a condition of the request does not hold for this state (412). */
  requireCurrent(state: { version: string; lastModified: number } | undefined): void
  /** Called right before a change is committed: throws where the client was already told that it failed (503). */
  beforeCommit(): void
  /** For what takes long and needs no database. */
  beforehand: Beforehand
}
