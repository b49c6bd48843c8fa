import type { JsonSchema } from '../../engine/fields.ts'
import { OPERATION } from '../../engine/jobs/operation-content.ts'
import { isSafe } from '../../engine/route.ts'
import { typesFor } from '../formats.ts'
import { responseExample } from './examples.ts'
import type { OperationPlace } from './place.ts'
import { type RefusalStatus, refusal } from './refusals.ts'
import { itemSchema, reference, schemaNames } from './schemas.ts'

type Responses = Record<string, object>

const text = { schema: { type: 'string' } }
const uri = { schema: { type: 'string', format: 'uri-reference' } }
const ETAG = { ETag: { ...text, description: 'Entity tag of the returned state.' } }
const LOCATION = { Location: { ...uri, description: 'Address of the resource.' } }
const APPLIED = { 'Preference-Applied': { ...text, description: 'Preferences that were applied (RFC 7240).' } }

/** Returns every response of an operation. */
export function responsesOf(place: OperationPlace): Responses {
  return { ...refusalsOf(place), ...successesOf(place) }
}

/**
 * Returns responses that only an export with `Prefer: respond-async` gets. They are an extension, so that generated clients need
 * not tell the page that they read from an operation.
 */
export function buildExportResponses({ method, action }: OperationPlace): Responses | undefined {
  return action.later && isSafe(method) ? { 202: EXPORTING } : undefined
}

function successesOf(place: OperationPlace): Responses {
  const { method, action } = place
  const status = action.success ?? (method === 'DELETE' ? 204 : method === 'POST' ? 201 : 200)
  if (status === 204) return { 204: { description: 'Done. There is no content.' } }
  if (status === 302) return { 302: { description: 'The resource is at Location.', headers: LOCATION } }
  const content = contentsOf(place)
  const others = (action.otherStatuses ?? []).map((other) => [
    other,
    { description: 'The same, as a failure.', content },
  ])
  return {
    ...(status === 201
      ? { 201: { description: 'Created.', headers: { ...LOCATION, ...ETAG, ...APPLIED }, content } }
      : { 200: { description: 'Success.', headers: { ...(isSafe(method) && ETAG), ...APPLIED }, content } }),
    ...(action.later && !isSafe(method) && { 202: ACCEPTED }),
    // `Prefer: return=minimal`
    ...(action.shape &&
      /^P(?:UT|ATCH)$/.test(method) && {
        204: { description: 'Done. The client prefers no content.', headers: APPLIED },
      }),
    ...(method === 'GET' && { 304: { description: 'The client has the current state.' } }),
    ...Object.fromEntries(others),
  }
}

const OPERATION_LINK = {
  operation: {
    operationId: 'getOperation',
    parameters: { id: '$response.body#/id' },
    description: 'The operation that tells the outcome.',
  },
}

function accepted(description: string): object {
  return {
    description,
    headers: {
      ...LOCATION,
      'Retry-After': { description: 'Seconds until there can be news.', schema: { type: 'integer' } },
      ...APPLIED,
    },
    links: OPERATION_LINK,
    content: {
      'application/json': {
        schema: reference(OPERATION.name),
        example: { ...OPERATION.example, status: 'PENDING', percent: 0, _links: {} },
      },
    },
  }
}

const EXPORTING = accepted('Accepted. A CSV or PDF file is made, since the client prefers `respond-async`.')
const ACCEPTED = accepted('Accepted. The operation at Location tells the outcome.')

function contentsOf(place: OperationPlace): Record<string, object> {
  const { kind, record } = place.action
  const types = kind === 'none' ? ['text/csv', 'application/pdf'] : typesFor(kind, record)
  const sorted = [...types].sort((a, b) => Number(b === 'application/json') - Number(a === 'application/json'))
  return Object.fromEntries(
    sorted.map((type) => {
      const example = responseExample(place, type)
      return [type, { schema: schemaFor(place, type), ...(example !== undefined && { example }) }]
    }),
  )
}

function schemaFor({ method, action }: OperationPlace, type: string): JsonSchema {
  const { kind, shape, gives } = action
  if (!type.endsWith('json')) return { type: 'string' }
  if (type === 'application/prs.hal-forms+json')
    return { allOf: [schemaFor({ method, action } as OperationPlace, 'application/hal+json'), reference('Forms')] }
  if (gives) return reference(gives.name)
  if (!shape) return { type: 'object' }
  const names = schemaNames(shape)
  if (kind === 'page') return reference(type === 'application/hal+json' ? names.halPage : names.page)
  return method === 'GET' ? itemSchema(shape) : reference(names.item)
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
