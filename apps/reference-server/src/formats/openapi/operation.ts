import { isSafe } from '../../engine/route.ts'
import { requestExample } from './examples.ts'
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
import type { OperationPlace } from './place.ts'
import { buildExportResponses, responsesOf } from './responses.ts'
import { newNameWithin, patchName, reference, schemaNames } from './schemas.ts'

/** Returns one operation, as the route declares it. */
export function operationOf(place: OperationPlace): Record<string, unknown> {
  const { path, action, owners } = place
  const { scope, operationId, summary, description, tag } = action
  const body = bodyOf(place)
  const exporting = buildExportResponses(place)
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    parameters: [...pathParameters(path, owners), ...parametersOf(place)],
    ...(body && { requestBody: body }),
    responses: responsesOf(place),
    ...(exporting && { 'x-export-responses': exporting }),
    security: buildSecurity(path, scope),
  }
}

function buildSecurity(path: string, scope: string | undefined): object[] {
  if (path === '/tokens') return [{ basic: [] }]
  return scope === undefined ? [] : [{ bearer: [scope] }, { basic: [] }]
}

function parametersOf({ method, action }: OperationPlace): object[] {
  const { kind, idempotency, later, accepts, shape } = action
  const wishes = [
    ...(later ? ['respond-async'] : []),
    ...(shape && method !== 'DELETE' ? WISHES : []),
    ...(!isSafe(method) && action.scope !== undefined ? ['tx=rollback'] : []),
  ]
  const prefer = wishes.length > 0 ? [preferring(wishes)] : []
  if (method === 'GET' && kind === 'page' && shape)
    return [...listParameters(shape.collection), ...prefer, IF_NONE_MATCH]
  if (method === 'GET' && kind === 'item') return [FIELDS, EMBED, ...prefer, IF_NONE_MATCH]
  if (isSafe(method)) return prefer
  const key = idempotency === 'none' ? [] : [idempotencyKey(idempotency === 'required')]
  return [...key, ...prefer, ...(accepts.length > 0 ? [CONTENT_DIGEST] : []), IF_MATCH]
}

const WISHES = ['return=minimal', 'handling=lenient']

function bodyOf(place: OperationPlace): object | undefined {
  const { accepts } = place.action
  if (accepts.length === 0) return undefined
  const content = accepts.map((type) => {
    const schema = reference(type === 'application/json-patch+json' ? 'JsonPatch' : bodyName(place))
    const example = type.endsWith('xml') ? undefined : requestExample(place, type)
    return [type, { schema, ...(example !== undefined && { example }) }]
  })
  return { required: true, content: Object.fromEntries(content) }
}

function bodyName({ method, action }: OperationPlace): string {
  const { takes, shape, operationId, pathField } = action
  if (method === 'QUERY') return 'Query'
  if (pathField !== undefined) return newNameWithin(operationId)
  if (takes) return method === 'PATCH' ? patchName(takes) : takes.name
  if (!shape) throw new TypeError(`${operationId} does not declare what it takes`)
  const { create, update, patch } = schemaNames(shape)
  return method === 'POST' ? create : method === 'PUT' ? update : patch
}
