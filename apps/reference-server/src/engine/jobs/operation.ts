import { type Db, dialectOf } from '../../database/database.ts'
import { change, statement } from '../../database/query.ts'

export type OperationStatus = 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'

/** What clients are told about work that goes on after its request was answered. */
export interface Operation {
  id: string
  status: OperationStatus
  /** Counts the changes. */
  revision: number
  /** Name of who asked for it. */
  subject: string
  createdAt: string
  updatedAt: string
  /** Where the result is, once there is one. */
  result: string | undefined
  /** The Error record of what failed. */
  error: Readonly<Record<string, unknown>> | undefined
}

/** The operation of this id. */
export async function findOperation(db: Db, id: string): Promise<Operation | undefined> {
  const row = await db
    .selectFrom('operations')
    .select(['id', 'status', 'revision', 'subject', 'createdAt', 'updatedAt', 'result', 'error'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    id,
    status: row['status'] as OperationStatus,
    revision: Number(row['revision']),
    subject: String(row['subject']),
    createdAt: String(row['createdAt']),
    updatedAt: String(row['updatedAt']),
    result: row['result'] === null ? undefined : String(row['result']),
    error: typeof row['error'] === 'string' ? JSON.parse(row['error']) : undefined,
  }
}

/** Cancels what nobody is at work on: jobs that wait, and those whose process is gone. `false`: it is too late. */
export async function cancelOperation(db: Db, id: string, now: string): Promise<boolean> {
  const dialect = dialectOf(db)
  // Whoever does the job has locked its row.
  const idle = `select "id" from "operations" where "id" = ? and "status" in ('PENDING', 'RUNNING')`
  const text = `update "operations" set "status" = 'CANCELLED', "leaseUntil" = null, "updatedAt" = ?,
    "revision" = "revision" + 1 where "id" = (${idle}${dialect === 'postgres' ? ' for update skip locked' : ''})`
  return (await change(db, statement(dialect, text), [now, id])) === 1
}

/** A result that is no resource of its own: the bytes of an export. */
export interface ExportFile {
  type: string
  name: string
  bytes: Buffer
}

/** The file that an operation made. */
export async function findExport(db: Db, operationId: string): Promise<ExportFile | undefined> {
  const row = await db
    .selectFrom('exports')
    .select(['type', 'name', 'content'])
    .where('operationId', '=', operationId)
    .executeTakeFirst()
  return row && { type: String(row['type']), name: String(row['name']), bytes: contentOf(row['content']) }
}

function contentOf(content: string | number | bigint | null | undefined): Buffer {
  return Buffer.from(String(content ?? ''), 'base64')
}
