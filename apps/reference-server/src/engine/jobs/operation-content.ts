import type { Caller } from '../../security/caller.ts'
import type { RecordContent } from '../action-result.ts'
import { choice, integer, moment, text } from '../fields.ts'
import { described } from '../modifiers.ts'
import type { Payload } from '../route.ts'
import { errorSchema, objectSchema } from '../schema.ts'
import type { Operation } from './operation.ts'

const { properties, ...operation } = objectSchema({
  id: described(text({ max: 36 }), 'Id of the operation.'),
  status: described(choice('PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'), 'State of the operation.'),
  percent: described(integer({ min: 0, max: 100 }), 'Progress in percent.'),
  createdAt: described(moment(), 'When the request was accepted.'),
  updatedAt: described(moment(), 'When its state last changed.'),
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
