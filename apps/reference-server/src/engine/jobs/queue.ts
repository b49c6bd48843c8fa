import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Db } from '../../database/database.ts'
import { run, statement } from '../../database/query.ts'
import type { ExportFile } from './operation.ts'
import type { KeptRequest } from './request.ts'

/** A job that this process has taken. */
export interface TakenJob {
  id: string
  /** Tells this attempt from others: only the newest one counts. */
  attempt: number
  request: KeptRequest
}

/** What a job made: something at a path, or a file. */
export type Outcome = { path: string } | { file: ExportFile }

// How long a process may take from taking a job to locking it. From then on the lock of the row says that it is alive.
const LEASE_MS = 3000

const NEXT = sql<number>`"revision" + 1`

/** Keeps a request for later, in the transaction of the answer that says so. Gives the id of its operation. */
export async function enqueue(db: Db, request: KeptRequest, now: string): Promise<string> {
  const id = randomUUID()
  const { caller, method, path } = request
  await db
    .insertInto('operations')
    .values({
      ...{ id, kind: `${method} ${path}`, status: 'PENDING', subject: caller.subject, userId: caller.userId ?? null },
      ...{ input: JSON.stringify(request), createdAt: now, updatedAt: now },
    })
    .execute()
  return id
}

/**
 * Takes the oldest job that waits, or whose process is gone. Of several processes one gets it: PostgreSQL skips rows
 * that others have locked, the embedded database has one writer at a time.
 */
export async function takeJob({ db, dialect }: Database): Promise<TakenJob | undefined> {
  const now = Date.now()
  const oldest = `select "id" from "operations" where "status" in ('PENDING', 'RUNNING')
    and ("leaseUntil" is null or "leaseUntil" < ?) order by "createdAt", "id" limit 1`
  const text = `update "operations" set "status" = 'RUNNING', "attempts" = "attempts" + 1, "leaseUntil" = ?,
    "updatedAt" = ?, "revision" = "revision" + 1
    where "id" = (${oldest}${dialect === 'postgres' ? ' for update skip locked' : ''}) returning "id", "attempts", "input"`
  const [leaseUntil, moment] = [timeOf(now + LEASE_MS), timeOf(now)]
  const [row] = await run(db, statement(dialect, text), [leaseUntil, moment, moment])
  if (!row) return undefined
  return { id: String(row['id']), attempt: Number(row['attempts']), request: JSON.parse(String(row['input'])) }
}

/** Locks a job for the transaction of its effect. `false`: it was taken by another process in the meantime. */
export async function holdJob(tx: Db, { id, attempt }: TakenJob, dialect: Database['dialect']): Promise<boolean> {
  const text = `select "id" from "operations" where "id" = ? and "status" = 'RUNNING' and "attempts" = ?`
  const rows = await run(tx, statement(dialect, dialect === 'postgres' ? `${text} for update` : text), [id, attempt])
  return rows.length === 1
}

/** Ends a job well, in the transaction of its effect: both are there, or none. */
export async function succeed(tx: Db, { id }: TakenJob, outcome: Outcome): Promise<void> {
  const result = 'path' in outcome ? outcome.path : `/operations/${id}/result`
  if ('file' in outcome) {
    const { type, name, bytes } = outcome.file
    await tx
      .insertInto('exports')
      .values({ operationId: id, type, name, content: bytes.toString('base64') })
      .execute()
  }
  await end(tx, id, { status: 'SUCCEEDED', result, percent: 100 })
}

/** Ends a job that cannot succeed, if it is still ours. */
export async function fail(db: Db, { id, attempt }: TakenJob, error: object): Promise<void> {
  await end(db, id, { status: 'FAILED', error: JSON.stringify(error) }, attempt)
}

/** Gives a job back for a later attempt. */
export async function postpone(db: Db, { id, attempt }: TakenJob, delayMs: number): Promise<void> {
  const now = Date.now()
  await db
    .updateTable('operations')
    .set({ ...{ status: 'PENDING', leaseUntil: timeOf(now + delayMs), updatedAt: timeOf(now) }, revision: NEXT })
    .where('id', '=', id)
    .where('attempts', '=', attempt)
    .where('status', '=', 'RUNNING')
    .execute()
}

/** Forgets operations that have been over for so long. */
export async function forget(db: Db, ageMs: number): Promise<void> {
  await db
    .deleteFrom('operations')
    .where('status', 'in', ['SUCCEEDED', 'FAILED', 'CANCELLED'])
    .where('updatedAt', '<', timeOf(Date.now() - ageMs))
    .execute()
}

async function end(
  db: Db,
  id: string,
  changes: Readonly<Record<string, string | number>>,
  attempt?: number,
): Promise<void> {
  const query = db
    .updateTable('operations')
    .set({ ...changes, leaseUntil: null, updatedAt: timeOf(Date.now()), revision: NEXT })
    .where('id', '=', id)
    .where('status', '=', 'RUNNING')
  await (attempt === undefined ? query : query.where('attempts', '=', attempt)).execute()
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
