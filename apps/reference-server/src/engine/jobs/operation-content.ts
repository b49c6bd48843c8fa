import type { Caller } from '../../security/caller.ts'
import type { RecordContent } from '../action-result.ts'
import type { Operation } from './operation.ts'

/** An operation as a caller sees it: where it stands, where its result is, and whether they can cancel it. */
export function operationContent(operation: Operation, caller: Caller | undefined): RecordContent {
  const { id, status, createdAt, updatedAt, result, error } = operation
  const self = `/operations/${id}`
  const value = { id, status, percent: status === 'SUCCEEDED' ? 100 : 0, createdAt, updatedAt, ...(error && { error }) }
  const links = {
    self,
    ...(result !== undefined && { result }),
    ...(isOpen(operation) && caller?.scopes.has('operations:write') && { cancel: self }),
  }
  return { kind: 'record', name: 'operation', value, links }
}

/** Whether something can still happen to it. */
export function isOpen({ status }: Operation): boolean {
  return status === 'PENDING' || status === 'RUNNING'
}
