import { typesFor } from '../representations/formats.ts'
import type { Action } from '../resource/route.ts'
import type { Collection } from '../resources/define.ts'
import { FIELDS, IF_MATCH, IF_NONE_MATCH, idempotencyKey, listParameters, pathParameters } from './parameters.ts'
import { type RefusalStatus, refusal } from './refusals.ts'
import { reference, schemaNames } from './schemas.ts'

export interface OperationPlace {
  method: string
  path: string
  action: Action
  /** Whose items are answered; `undefined`: a record of its own kind. */
  collection: Collection | undefined
  version: string
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
    responses: { ...successOf(place), ...refusalsOf(place) },
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
  const verbs: Record<string, string> = { POST: 'Create', PUT: 'Replace', PATCH: 'Change', DELETE: 'Delete' }
  const one = /^[aeiou]/.test(collection.item) ? `an ${collection.item}` : `a ${collection.item}`
  if (method === 'GET') return action.kind === 'page' ? `List ${collection.name}` : `Read ${one}`
  return `${verbs[method] ?? method} ${one}`
}

function parametersOf({ method, action, collection, version }: OperationPlace): object[] {
  if (method === 'GET' && action.kind === 'page' && collection) return listParameters(collection, version)
  if (method === 'GET') return action.kind === 'item' ? [FIELDS, IF_NONE_MATCH] : []
  if (action.idempotency !== 'none') return [idempotencyKey(action.idempotency === 'required')]
  return method === 'POST' ? [] : [IF_MATCH]
}

function bodyOf({ method, action, collection }: OperationPlace): object | undefined {
  if (action.accepts.length === 0) return undefined
  const names = collection && schemaNames(collection)
  const schema = !names
    ? { type: 'object' }
    : method === 'POST' && action.kind === 'item'
      ? reference(names.create)
      : method === 'PUT'
        ? reference(names.update)
        : {}
  return { required: true, content: Object.fromEntries(action.accepts.map((type) => [type, { schema }])) }
}

function successOf({ method, action, collection }: OperationPlace): Record<string, object> {
  if (method === 'DELETE') return { 204: { description: 'Gone.' } }
  const names = collection && schemaNames(collection)
  const schema = !names ? { type: 'object' } : reference(action.kind === 'page' ? names.page : names.item)
  const content = Object.fromEntries(typesFor(action.kind).map((type) => [type, contentOf(type, action, schema)]))
  const isCreated = method === 'POST' && collection !== undefined
  const location = { headers: { Location: { schema: { type: 'string', format: 'uri-reference' } } } }
  return {
    [isCreated ? 201 : 200]: { description: isCreated ? 'Created.' : 'Done.', ...(isCreated && location), content },
    ...(method === 'GET' && { 304: { description: 'The client has it already.' } }),
  }
}

// The schemas are those of plain JSON; HAL embeds the items of a page, the others are text.
function contentOf(type: string, { kind }: Action, schema: object): object {
  const isSame = type === 'application/json' || (type.endsWith('json') && kind !== 'page')
  return { schema: isSame ? schema : { type: type.endsWith('json') ? 'object' : 'string' } }
}

function refusalsOf({ method, path, action }: OperationPlace): Record<string, object> {
  const isChange = method !== 'GET'
  const statuses: RefusalStatus[] = [
    ...([400, 406, 429] as const),
    ...(action.scope === undefined ? [] : ([401, 403] as const)),
    ...(path.includes('{') ? ([404] as const) : []),
    ...(isChange ? ([409, 412] as const) : []),
    ...(action.accepts.length > 0 ? ([415, 422] as const) : []),
  ]
  return Object.fromEntries(statuses.sort().map((status) => [status, refusal(status)]))
}
