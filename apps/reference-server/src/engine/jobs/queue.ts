import { randomUUID } from 'node:crypto'
import {
  type Connection,
  type Database,
  forUpdate,
  insertRows,
  type Stored,
  skipLocked,
  TOUCH,
} from '../../database/connection.ts'
import type { Caller } from '../../security/caller.ts'
import { type ActionContext, parsePrefer } from '../action.ts'
import { inPlace } from '../transaction.ts'
import type { ExportFile } from './operation.ts'

/** A job that this process has taken. */
export interface TakenJob {
  id: string
  /** Number of this attempt. Only the newest one counts. */
  attempt: number
  request: DeferredRequest
}

/** Result of a job: a path or a file. */
export type Outcome = { path: string } | { file: ExportFile }

// Maximum time from taking a job to locking it, unless the lease is renewed. From then on, the lock
// of the row shows that the process is alive.
const LEASE_MS = 3000

/** Stores a request in the transaction of its response. Returns the id of its operation. */
export async function enqueue(db: Connection, request: DeferredRequest, now: string): Promise<string> {
  const id = randomUUID()
  const { method, path, caller } = request
  const input = JSON.stringify(request)
  const kind = `${method} ${path}`
  const row = { id, kind, status: 'PENDING', subject: caller.subject, input, createdAt: now, updatedAt: now }
  await insertRows(db, 'operations', [row])
  return id
}

/**
 * Takes the oldest job that waits, or whose process has ended. Only one of several processes gets
 * it: PostgreSQL skips locked rows, the embedded database has one writer at a time.
 */
export async function takeJob(db: Connection): Promise<TakenJob | undefined> {
  const oldest = `select "id" from "operations" where "status" in ('PENDING', 'RUNNING')
    and ("leaseUntil" is null or "leaseUntil" < ?) order by "createdAt", "id" limit 1${skipLocked(db)}`
  const sql = `update "operations" set "status" = 'RUNNING', "attempts" = "attempts" + 1, "leaseUntil" = ?, ${TOUCH}
    where "id" = (${oldest}) returning "id", "attempts", "input"`
  const now = Date.now()
  const values = [toTimestamp(now + LEASE_MS), toTimestamp(now), toTimestamp(now)]
  const row = await db.get<{ id: string; attempts: number; input: string }>(sql, values)
  return row && { id: row.id, attempt: row.attempts, request: JSON.parse(row.input) }
}

const HELD = `"id" = ? and "status" = 'RUNNING' and "attempts" = ?`

/** Renews the lease of a job while work runs that needs no transaction. */
export async function keepLease<T>(db: Connection, { id, attempt }: TakenJob, work: () => Promise<T>): Promise<T> {
  const sql = `update "operations" set "leaseUntil" = ? where ${HELD}`
  const renew = async () => db.run(sql, [toTimestamp(Date.now() + LEASE_MS), id, attempt])
  // If the database is unavailable, the lease ends and another attempt follows.
  const timer = setInterval(() => renew().catch(() => undefined), LEASE_MS / 3)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** Locks a job for the transaction of its effect. `false` if another process has taken it. */
export async function holdJob(tx: Connection, { id, attempt }: TakenJob): Promise<boolean> {
  const row = await tx.get(`select "id" from "operations" where ${HELD}${forUpdate(tx)}`, [id, attempt])
  return row !== undefined
}

/** Ends a job with success, in the transaction of its effect: both are stored, or neither. */
export async function succeed(tx: Connection, job: TakenJob, outcome: Outcome): Promise<void> {
  if ('path' in outcome) return end(tx, job, 'SUCCEEDED', { result: outcome.path })
  const { type, name, bytes } = outcome.file
  await insertRows(tx, 'exports', [{ operationId: job.id, type, name, content: bytes.toString('base64') }])
  await end(tx, job, 'SUCCEEDED', { result: `/operations/${job.id}/result` })
}

/** Ends a job that cannot succeed, if it is still held by this process. */
export async function fail(db: Connection, job: TakenJob, error: object): Promise<void> {
  await end(db, job, 'FAILED', { error: JSON.stringify(error) })
}

/** Returns a job to the queue for a later attempt. */
export async function postpone(db: Connection, job: TakenJob, delayMs: number): Promise<void> {
  await end(db, job, 'PENDING', { leaseUntil: toTimestamp(Date.now() + delayMs) })
}

/** Deletes operations that ended this long ago. */
export async function deleteExpired(db: Connection, ageMs: number): Promise<void> {
  const sql = `delete from "operations" where "status" in ('SUCCEEDED', 'FAILED', 'CANCELLED') and "updatedAt" < ?`
  await db.run(sql, [toTimestamp(Date.now() - ageMs)])
}

async function end(
  db: Connection,
  { id, attempt }: TakenJob,
  status: string,
  changes: Readonly<Record<string, Stored>>,
): Promise<void> {
  const columns = { leaseUntil: null, ...changes, status }
  const assignments = Object.keys(columns).map((name) => `"${name}" = ?`)
  const sql = `update "operations" set ${assignments.join(', ')}, ${TOUCH} where ${HELD}`
  await db.run(sql, [...Object.values(columns), toTimestamp(Date.now()), id, attempt])
}

function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** A request as it is stored until it runs. */
export interface DeferredRequest {
  method: string
  /** Path without the version. */
  path: string
  search: string
  bodyType: string
  body: string
  version: string
  /** Beginning of the path that named the version. */
  prefix: string
  /** Media type of the response. */
  type: string
  lenient: boolean
  caller: Omit<Caller, 'scopes'> & { scopes: readonly string[] }
}

/** Converts a request to what is stored: everything that its action needs, and no credentials. */
export function toDeferredRequest(call: ActionContext, caller: Caller, type: string): DeferredRequest {
  const { method, path, search, bodyType, version, prefix, prefer } = call
  const request = { method, path, search, bodyType, body: call.body.toString(), version, prefix, type }
  return { ...request, lenient: prefer.lenient, caller: { ...caller, scopes: [...caller.scopes] } }
}

/** Restores a request, with the connection or transaction that it uses. */
export function toActionContext(
  { lenient, caller, type: _, ...stored }: DeferredRequest,
  params: ActionContext['params'],
  database: Database,
  db: Connection,
): ActionContext {
  return {
    ...stored,
    params,
    database,
    db,
    body: Buffer.from(stored.body),
    now: new Date().toISOString(),
    caller: { ...caller, scopes: new Set(caller.scopes) },
    origin: () => '',
    language: () => 'en',
    prefer: parsePrefer(lenient ? 'handling=lenient' : undefined),
    // Preconditions were checked when the request arrived.
    requireCurrent() {},
    beforeCommit() {},
    beforehand: inPlace,
  }
}
