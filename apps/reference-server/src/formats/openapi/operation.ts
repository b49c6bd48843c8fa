import type { Collection, Fields } from '../../engine/define.ts'
import { type Action, isSafe } from '../../engine/route.ts'
import {
  CONTENT_DIGEST,
  EMBED,
  FIELDS,
  IF_MATCH,
  IF_NONE_MATCH,
  idempotencyKey,
  listParameters,
  pathParameters,
  preferring,
} from './parameters.ts'
import { responsesOf } from './responses.ts'
import { reference, schemaNames } from './schemas.ts'

export interface OperationPlace {
  method: string
  path: string
  action: Action
  /** Whose items are answered; `undefined`: a record of its own kind. */
  collection: Collection | undefined
  /** Its fields in the version of the document. */
  fields: Fields
}

/** One operation, as the route declares it. */
export function operationOf(place: OperationPlace): Record<string, unknown> {
  const { method, path, action, collection } = place
  const { scope } = action
  const body = bodyOf(place)
  return {
    operationId: operationId(method, path),
    summary: summaryOf(place),
    tags: [collection?.name ?? 'service'],
    parameters: [...pathParameters(path), ...parametersOf(place)],
    ...(body && { requestBody: body }),
    responses: responsesOf(place),
    security: scope === undefined ? [] : [{ bearer: [scope] }, { basic: [] }],
  }
}

function operationId(method: string, path: string): string {
  const words = path.split('/').filter(Boolean)
  const name = words.map((word) => word.replace(/\W/g, '_')).join('_') || 'root'
  return `${method.toLowerCase()}_${name}`
}

function summaryOf({ method, path, action, collection }: OperationPlace): string {
  if (!collection) return `${method} ${path}`
  const verbs: Record<string, string> = {
    QUERY: 'Query',
    POST: 'Create',
    PUT: 'Replace',
    PATCH: 'Change',
    DELETE: 'Delete',
  }
  const one = /^[aeiou]/.test(collection.item) ? `an ${collection.item}` : `a ${collection.item}`
  if (method === 'GET') return action.kind === 'page' ? `List ${collection.name}` : `Read ${one}`
  return `${verbs[method] ?? method} ${action.kind === 'page' ? collection.name : one}`
}

function parametersOf({ method, action, collection, fields }: OperationPlace): object[] {
  const { kind, idempotency, later, accepts } = action
  const wishes = [
    ...(later ? ['respond-async'] : []),
    ...(collection && method !== 'DELETE' ? WISHES : []),
    ...(!isSafe(method) && action.scope !== undefined ? ['tx=rollback'] : []),
  ]
  const prefer = wishes.length > 0 ? [preferring(wishes)] : []
  if (method === 'GET' && kind === 'page' && collection)
    return [...listParameters(collection, fields), ...prefer, IF_NONE_MATCH]
  if (method === 'GET' && kind === 'item') return [FIELDS, EMBED, ...prefer, IF_NONE_MATCH]
  if (isSafe(method)) return prefer
  const key = idempotency === 'none' ? [] : [idempotencyKey(idempotency === 'required')]
  return [...key, ...prefer, ...(accepts.length > 0 ? [CONTENT_DIGEST] : []), IF_MATCH]
}

const WISHES = ['return=minimal', 'handling=lenient']

function bodyOf({ method, action, collection }: OperationPlace): object | undefined {
  if (action.accepts.length === 0) return undefined
  const names = collection && schemaNames(collection)
  const schema = !names
    ? { type: 'object' }
    : method === 'POST' && action.kind === 'item'
      ? reference(names.create)
      : method === 'PUT'
        ? reference(names.update)
        : method === 'QUERY'
          ? reference('Query')
          : {}
  return { required: true, content: Object.fromEntries(action.accepts.map((type) => [type, { schema }])) }
}
