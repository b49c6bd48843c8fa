import { setTimeout as delay } from 'node:timers/promises'
import { type ErrorRecord, toRecord } from '@svc/errors'
import { type Connection, skipLocked, TOUCH } from '../../database/connection.ts'
import type { Language } from '../../messages/locale.ts'
import { restoreError, type StoredError, translateError } from '../../messages/stored-error.ts'
import { type ActionContext, type ActionResult, orThrow, type RecordContent } from '../action.ts'
import { errorSchema, objectSchema, type ValueOf } from '../field.ts'
import * as field from '../field-types.ts'
import type { FindRoute, Payload } from '../route.ts'

const status = field.choice('PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')

/** State of a deferred request, as clients see it. */
export interface Operation {
  id: string
  status: ValueOf<typeof status>
  /** Number of changes. */
  revision: number
  /** Subject of the user who requested it. */
  subject: string
  createdAt: string
  updatedAt: string
  /** Path of the result, once it exists. */
  result: string | undefined
  /** Its error if it failed. */
  error: OperationError | undefined
}

/** The Error record of an operation, with what its message is translated from. */
type OperationError = ErrorRecord & StoredError

type OperationRow = Omit<Operation, 'result' | 'error'> & { result: string | null; error: string | null }

/** Finds an operation by its id. */
export async function findOperation(db: Connection, id: string): Promise<Operation | undefined> {
  const columns = '"id", "status", "revision", "subject", "createdAt", "updatedAt", "result", "error"'
  const row = await db.get<OperationRow>(`select ${columns} from "operations" where "id" = ?`, [id])
  if (!row) return undefined
  const error = row.error === null ? undefined : JSON.parse(row.error)
  return { ...row, result: row.result ?? undefined, error }
}

/** Cancels an operation unless a process runs it and has locked its row. */
export async function cancelOperation(db: Connection, id: string, now: string): Promise<boolean> {
  const idle = `select "id" from "operations" where "id" = ? and "status" in ('PENDING', 'RUNNING')${skipLocked(db)}`
  const sql = `update "operations" set "status" = 'CANCELLED', "leaseUntil" = null, ${TOUCH} where "id" = (${idle})`
  return (await db.run(sql, [now, id])) === 1
}

/** The file of an export. */
export interface ExportFile {
  type: string
  name: string
  bytes: Buffer
}

/** Finds the file that an operation created. */
export async function findExport(db: Connection, operationId: string): Promise<ExportFile | undefined> {
  const sql = 'select "type", "name", "content" from "exports" where "operationId" = ?'
  const row = await db.get<{ type: string; name: string; content: string }>(sql, [operationId])
  return row && { type: row.type, name: row.name, bytes: Buffer.from(row.content, 'base64') }
}

const { properties, ...operation } = objectSchema({
  id: field.text({ max: 36 }).describe('Id of the operation.'),
  status: status.describe('State of the operation.'),
  percent: field.integer({ min: 0, max: 100 }).describe('Progress in percent.'),
  createdAt: field.dateTime().describe('When the request was accepted.'),
  updatedAt: field.dateTime().describe('When its state last changed.'),
})

const ID = '751e64cf-d4e0-414f-91d5-402cac442049'

/** Schema and example of an operation. */
export const OPERATION: Payload = {
  name: 'Operation',
  schema: { ...operation, properties: { ...Object(properties), error: errorSchema } },
  example: {
    id: ID,
    status: 'SUCCEEDED',
    percent: 100,
    createdAt: '2026-11-21T07:30:00.000Z',
    updatedAt: '2026-11-21T07:30:01.000Z',
  },
  links: { self: `/operations/${ID}`, result: `/operations/${ID}/result` },
}

/** Renders an operation for its reader: its state, its result, and a link to cancel it. */
export function operationContent(operation: Operation, { caller, language }: ActionContext): RecordContent {
  const { id, status, createdAt, updatedAt, result, error } = operation
  const self = `/operations/${id}`
  const record = error && toErrorRecord(error, language())
  const percent = status === 'SUCCEEDED' ? 100 : 0
  const value = { id, status, percent, createdAt, updatedAt, ...(record && { error: record }) }
  const links = {
    self,
    ...(result !== undefined && { result }),
    ...(isOpen(operation) && caller?.scopes.has('operations:write') && { cancel: self }),
  }
  return { kind: 'record', name: 'operation', value, links }
}

function toErrorRecord({ path, timestamp, ...stored }: OperationError, language: Language): ErrorRecord {
  return toRecord(restoreError(translateError(stored, language)), { path, now: Date.parse(timestamp) })
}

/** Whether an operation is not finished. */
export function isOpen({ status }: Operation): boolean {
  return status === 'PENDING' || status === 'RUNNING'
}

const MAX_WAIT_SECONDS = 10
const POLL_MS = 50

/** Returns the time to wait for a response: the preferred time of the client, up to a maximum. */
export function waitSeconds({ wait = 0 }: ActionContext['prefer']): number {
  return Math.min(wait, MAX_WAIT_SECONDS)
}

/**
 * Waits for an operation that is queued, and returns what the request would have returned by itself
 * (RFC 7240 §4.3); `undefined` if it takes longer. Throws the error of an operation that failed.
 */
export async function awaitOperation(
  id: string,
  call: ActionContext,
  findRoute: FindRoute,
): Promise<ActionResult | undefined> {
  const seconds = waitSeconds(call.prefer)
  const end = performance.now() + seconds * 1000
  let operation = await findOperation(call.db, id)
  while (operation && isOpen(operation) && performance.now() < end) {
    await delay(POLL_MS)
    operation = await findOperation(call.db, id)
  }
  if (operation?.error) throw restoreError(operation.error)
  if (operation?.status !== 'SUCCEEDED') return undefined
  const result = await readResult(operation, call, findRoute)
  return result && { ...result, headers: { ...result.headers, 'Preference-Applied': `wait=${seconds}` } }
}

async function readResult(
  { id, result = '' }: Operation,
  call: ActionContext,
  findRoute: FindRoute,
): Promise<ActionResult | undefined> {
  if (call.method !== 'POST') {
    const file = await findExport(call.db, id)
    return file && { status: 200, cache: 'private', file }
  }
  const match = findRoute(result)
  const action = match?.route.methods.get('GET')
  if (!match || !action) return undefined
  // The client of a POST gets the item that it created, with the scope of the POST.
  const shown = orThrow(await action.run({ ...call, method: 'GET', path: result, params: match.params, search: '' }))
  return { ...shown, status: 201, location: result, contentLocation: result }
}
