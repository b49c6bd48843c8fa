import { type ActionContext, type ActionResult, NO_CONTENT } from '../../engine/action.ts'
import {
  cancelOperation,
  findExport,
  findOperation,
  isOpen,
  OPERATION,
  type Operation,
  operationContent,
} from '../../engine/jobs/operation.ts'
import { rejectParameters } from '../../engine/query.ts'
import { type Route, route } from '../../engine/route.ts'
import { inTransaction } from '../../engine/transaction.ts'
import { failure, noun } from '../../messages/errors.ts'
import { quoteInput } from '../../messages/messages.ts'

/** Creates the routes of operations: their state, DELETE to cancel them, and their files. */
export function operationRoutes(): Route[] {
  const read = { scope: 'operations:read', tag: 'operations' } as const
  const record = { ...read, gives: OPERATION, kind: 'record', record: 'operation' } as const
  return [
    route('/operations/{id}', {
      GET: {
        ...record,
        operationId: 'getOperation',
        summary: 'Get an operation',
        description: 'Returns the state of a deferred request, with a link to its result once it has succeeded.',
        run: show,
      },
      DELETE: {
        ...record,
        operationId: 'cancelOperation',
        summary: 'Cancel an operation',
        description: 'Cancels a deferred request that is not finished.',
        scope: 'operations:write',
        cost: 1,
        run: cancel,
      },
    }),
    route('/operations/{id}/result', {
      GET: {
        ...read,
        operationId: 'getOperationResult',
        summary: 'Download the result of an operation',
        description: 'Returns the file that an export or another deferred request made.',
        kind: 'none',
        run: download,
      },
    }),
  ]
}

async function show(call: ActionContext): Promise<ActionResult> {
  rejectParameters(call.search, call.prefer.lenient)
  const operation = await requireOperation(call)
  return {
    status: 200,
    cache: 'never',
    ...(isOpen(operation) && { headers: { 'Retry-After': '1' } }),
    ...toOperationState(operation, call),
    content: operationContent(operation, call),
  }
}

async function cancel(call: ActionContext): Promise<ActionResult> {
  const operation = await requireOperation(call)
  const { id, status } = operation
  call.requireCurrent(toOperationState(operation, call))
  if (status === 'CANCELLED' || (await inTransaction(call, ({ db }) => cancelOperation(db, id, call.now))))
    return NO_CONTENT
  const after = await requireOperation(call)
  throw failure('ILLEGAL_TRANSITION.operation', { status: after.status, allowed: ['PENDING', 'RUNNING'] })
}

// The representation depends on the caller, and its error on the language.
function toOperationState(
  { revision, updatedAt, error }: Operation,
  { caller, language }: ActionContext,
): { version: string; lastModified: number } {
  const version = `${revision}-${caller?.mark}${error ? `-${language()}` : ''}`
  return { version, lastModified: Date.parse(updatedAt) }
}

async function download(call: ActionContext): Promise<ActionResult> {
  rejectParameters(call.search, call.prefer.lenient)
  const { id } = await requireOperation(call)
  const file = await findExport(call.db, id)
  if (!file) throw failure('NOT_FOUND.file', { id })
  return { status: 200, cache: 'private', file }
}

async function requireOperation({ params, db, caller }: ActionContext): Promise<Operation> {
  const { id = '' } = params
  const operation = await findOperation(db, id)
  if (!operation) throw failure('NOT_FOUND.item', { item: noun('operation'), id: quoteInput(id) })
  if (operation.subject === caller?.subject || caller?.roles.includes('admin')) return operation
  throw failure('FORBIDDEN.owner', { item: noun('operation'), id })
}
