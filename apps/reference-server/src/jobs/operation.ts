import { sql } from 'kysely'
import type { Db } from '../database/database.ts'

export type OperationStatus = 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'

/** What clients are told about work that goes on after its request was answered. */
export interface Operation {
  id: string
  status: OperationStatus
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
    .select(['id', 'status', 'subject', 'createdAt', 'updatedAt', 'result', 'error'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    id,
    status: row['status'] as OperationStatus,
    subject: String(row['subject']),
    createdAt: String(row['createdAt']),
    updatedAt: String(row['updatedAt']),
    result: row['result'] === null ? undefined : String(row['result']),
    error: typeof row['error'] === 'string' ? JSON.parse(row['error']) : undefined,
  }
}

/** Cancels what has not begun. `false`: it has, or it is over. */
export async function cancelOperation(db: Db, id: string, now: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('operations')
    .set({ status: 'CANCELLED', updatedAt: now, revision: sql`"revision" + 1` })
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
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
