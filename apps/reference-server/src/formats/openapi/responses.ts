import { type HttpError, toProblem, toRecord } from '@svc/errors'
import { type Action, isSafe } from '../../engine/route.ts'
import { CODES, type Code, createExample, failure } from '../../messages/errors.ts'
import common from './common-components.json' with { type: 'json' }
import { type Components, type Operation, type Reference, schemaReference } from './components.ts'
import { addRecordSchema, schemaNames } from './schemas.ts'

type Responses = Record<string, object>

/** The schema of what JSON Schema does not describe. */
export const TEXT = { type: 'string' }
const CSV_EXAMPLE = 'id,name,department,salary,city,managerId\r\n1,Ken Kim,Engineering,9132,Hamburg,\r\n'
const CSV = { ...TEXT, examples: [CSV_EXAMPLE] }

/** Returns the responses to successful requests. */
export function buildResponses(operation: Operation): Responses {
  const { method, action, components } = operation
  const { success, later, otherStatuses = [] } = action
  const status = success ?? (method === 'DELETE' ? 204 : method === 'POST' ? 201 : 200)
  if (status === 204) return { 204: components.share('responses', 'NoContent') }
  if (status === 302) return { 302: { description: 'See `Location`.', headers: pickHeaders(components, 'Location') } }
  const others = otherStatuses.map((other) => [other, addContentResponse(operation, other)])
  return {
    [status]: addContentResponse(operation, status),
    ...(later && !isSafe(method) && { 202: components.share('responses', 'Accepted') }),
    ...(/^P(?:UT|ATCH)$/.test(method) && { 204: components.share('responses', 'Minimal') }),
    ...(method === 'GET' && { 304: components.share('responses', 'NotModified') }),
    ...Object.fromEntries(others),
  }
}

/**
 * Adds the response of exports with `Prefer: respond-async`. It belongs to an extension, so that
 * generated clients need not distinguish the operation from the page that they read.
 */
export function addExportResponse({ method, action, components }: Operation): Reference | undefined {
  return action.later && isSafe(method) ? components.share('responses', 'Accepted') : undefined
}

// Operations with the same content share a response.
function addContentResponse(operation: Operation, status: number): Reference {
  const { method, action, components, context } = operation
  const { kind, shape, gives, operationId, scope } = action
  if (gives) addRecordSchema(gives, context, components)
  const { item, page } = shape ? schemaNames(shape) : { item: '', page: '' }
  const name = kind === 'page' ? page : kind === 'item' ? item : (gives?.name ?? operationId)
  const hasState = method === 'GET' || shape !== undefined || (scope !== undefined && kind === 'record')
  const prefix = status >= 400 ? 'Failed' : status === 201 && kind === 'record' ? 'New' : ''
  const headers = pickHeaders(
    components,
    ...(status === 201 || kind === 'item' ? ['Location'] : []),
    ...(hasState ? ['ETag'] : []),
  )
  return components.add('responses', prefix + name, {
    description: describeContent(action, status),
    ...(Object.keys(headers).length > 0 && { headers }),
    content: buildContent(operation),
  })
}

function describeContent({ kind, shape, record }: Action, status: number): string {
  if (status >= 400) return 'The same record, and its status says that something failed.'
  if (kind === 'none') return 'The file.'
  const name = shape ? shape.names.oneItem.replace(/^an? /, '') : (record ?? '').replaceAll('-', ' ')
  if (kind === 'page') return `A page of ${shape?.names.allItems}.`
  return `The ${name}, in its current state.`
}

function pickHeaders(components: Components, ...names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, components.share('headers', name)]))
}

function buildContent({ action, formats }: Operation): Record<string, object> {
  const { kind, record } = action
  const types = kind === 'none' ? ['text/csv', 'application/pdf'] : formats.typesFor(kind, record)
  const first = types.filter((type) => type === 'application/json')
  // `text/xml` is `application/xml` by another name (RFC 7303 §9.2).
  const sorted = [...new Set([...first, ...types])].filter((type) => type !== 'text/xml')
  return Object.fromEntries(sorted.map((type) => [type, { schema: selectSchema(action, type) }]))
}

function selectSchema(action: Action, type: string): object {
  const { kind, shape, gives } = action
  if (!type.endsWith('json')) return kind === 'none' && type === 'text/csv' ? CSV : TEXT
  if (type === 'application/prs.hal-forms+json')
    return { allOf: [selectSchema(action, 'application/hal+json'), schemaReference('Forms')] }
  if (gives) return schemaReference(gives.name)
  if (!shape) return { type: 'object' }
  const names = schemaNames(shape)
  if (kind === 'page') return schemaReference(type === 'application/hal+json' ? names.halPage : names.page)
  return schemaReference(names.item)
}

/** Returns the error responses of an operation, as references. */
export function buildErrorResponses({ method, path, action, components }: Operation): Record<string, Reference> {
  const statuses: (keyof typeof common.errors)[] = ['4XX', '5XX']
  if (path.includes('{')) statuses.push('404')
  if (action.scope !== undefined && !isSafe(method)) statuses.push('409', '412')
  if (action.accepts.some((type) => type.endsWith('json'))) statuses.push('422')
  return Object.fromEntries(
    statuses.map((status) => {
      const { name, examples, ...response } = common.errors[status]
      const content = buildErrorContent(Object.entries(examples) as [name: string, code: Code][])
      return [status, components.add('responses', name, { ...response, content })]
    }),
  )
}

const OCCURRENCE = { path: '/employees', now: Date.UTC(2026, 10, 21, 7, 30) }

function buildErrorContent(named: readonly (readonly [name: string, code: Code])[]): object {
  const show = (write: (error: HttpError) => object): object =>
    Object.fromEntries(named.map(([name, code]) => [name, { value: write(createError(code)) }]))
  return {
    'application/json': {
      schema: schemaReference('Error'),
      examples: show((error) => toRecord(error, OCCURRENCE)),
    },
    'application/problem+json': {
      schema: schemaReference('Problem'),
      examples: show((error) => toProblem(error, OCCURRENCE)),
    },
    'application/xml': { schema: TEXT },
    'application/problem+xml': { schema: TEXT },
    'text/html': { schema: TEXT },
    'text/plain': { schema: TEXT },
  }
}

// Only errors about values name one: the others are those of every operation.
function createError(code: Code): HttpError {
  const { status } = CODES[code]
  return status === 400 || status === 422 ? createExample(code) : failure(code)
}
