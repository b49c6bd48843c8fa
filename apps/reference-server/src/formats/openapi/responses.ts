import { isSafe } from '../../engine/route.ts'
import { typesFor } from '../formats.ts'
import type { OperationPlace } from './operation.ts'
import { type RefusalStatus, refusal } from './refusals.ts'
import { reference, schemaNames } from './schemas.ts'

type Responses = Record<string, object>

const text = { schema: { type: 'string' } }
const uri = { schema: { type: 'string', format: 'uri-reference' } }

/** Everything that an operation answers. */
export function responsesOf(place: OperationPlace): Responses {
  return { ...successesOf(place), ...refusalsOf(place) }
}

function successesOf(place: OperationPlace): Responses {
  const { method, action, collection } = place
  const status = action.success ?? (method === 'DELETE' ? 204 : method === 'POST' ? 201 : 200)
  if (status === 204) return { 204: { description: 'Done.' } }
  if (status === 302) return { 302: { description: 'It is elsewhere for now.', headers: { Location: uri } } }
  const content = contentsOf(place)
  const etag = { ETag: { ...text, description: 'The version that is shown.' } }
  return {
    ...(status === 201
      ? { 201: { description: 'Created.', headers: { Location: uri, ...etag, ...APPLIED }, content } }
      : { 200: { description: 'Done.', headers: { ...(isSafe(method) && etag), ...APPLIED }, content } }),
    ...(action.later && { 202: ACCEPTED }),
    // `Prefer: return=minimal`
    ...(collection && /^P(?:UT|ATCH)$/.test(method) && { 204: { description: 'Done.', headers: APPLIED } }),
    ...(method === 'GET' && { 304: { description: 'The client has it already.' } }),
  }
}

const APPLIED = { 'Preference-Applied': { ...text, description: 'What was done of what the client prefers.' } }

const ACCEPTED = {
  description: 'Accepted: the operation at Location says what becomes of it.',
  headers: { Location: uri, 'Retry-After': { schema: { type: 'integer' } }, ...APPLIED },
  content: { 'application/json': { schema: reference('Operation') } },
}

function contentsOf({ action, collection }: OperationPlace): Record<string, object> {
  const { kind, record } = action
  const names = collection && schemaNames(collection)
  const own = record === 'operation' ? reference('Operation') : { type: 'object' }
  const schema = names ? reference(kind === 'page' ? names.page : names.item) : own
  const types = kind === 'none' ? ['text/csv', 'application/pdf'] : typesFor(kind, record)
  // The schemas are those of plain JSON; HAL embeds the items of a page, the others are text.
  const isSame = (type: string): boolean => type === 'application/json' || (type.endsWith('json') && kind !== 'page')
  return Object.fromEntries(
    types.map((type) => [
      type,
      { schema: isSame(type) ? schema : { type: type.endsWith('json') ? 'object' : 'string' } },
    ]),
  )
}

function refusalsOf({ method, path, action }: OperationPlace): Responses {
  const isChange = !isSafe(method)
  const hasBody = action.accepts.length > 0
  const statuses: RefusalStatus[] = [
    ...([400, 429, 500, 503] as const),
    ...(action.kind === 'none' ? [] : ([406, 412] as const)),
    ...(action.scope === undefined ? [] : ([401, 403] as const)),
    ...(path.includes('{') ? ([404] as const) : []),
    ...(isChange && action.scope !== undefined ? ([409] as const) : []),
    ...(hasBody ? ([413, 415, 422] as const) : []),
  ]
  // The token of nobody is refused too.
  if (path === '/tokens') statuses.push(401)
  const refusals = statuses.sort().map((status) => [status, refusal(status)])
  return { ...Object.fromEntries(refusals), default: refusal('default') }
}
