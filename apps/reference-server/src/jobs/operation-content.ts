import type { RecordContent } from '../resource/result.ts'
import type { Operation } from './operation.ts'

/** An operation as it is shown: where it stands, and where its result is. */
export function operationContent({ id, status, createdAt, updatedAt, result, error }: Operation): RecordContent {
  const self = `/operations/${id}`
  const value = { id, status, percent: status === 'SUCCEEDED' ? 100 : 0, createdAt, updatedAt, ...(error && { error }) }
  const links = {
    self,
    ...(result !== undefined && { result }),
    ...(status === 'PENDING' && { cancel: self }),
  }
  return { kind: 'record', name: 'operation', value, links }
}

/** Whether something can still happen to it. */
export function isOpen({ status }: Operation): boolean {
  return status === 'PENDING' || status === 'RUNNING'
}
