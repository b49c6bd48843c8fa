import { type CompiledCollection, toPascalCase } from '../../engine/compiled-collection.ts'
import type { Collection } from '../../engine/define.ts'
import type { Field, JsonSchema } from '../../engine/fields.ts'

import { isSafe } from '../../engine/route.ts'
import type { Components, Operation, Reference } from './components.ts'
import { idSchema } from './schemas.ts'

type Parameter = Record<string, unknown>

/** Collections by path, with variables left empty: `/products/{}/reviews`. */
export type PathOwners = ReadonlyMap<string, Pick<Collection, 'item' | 'longIds' | 'example'>>

/** Returns the collections by path. */
export function findPathOwners(collections: readonly Collection[]): PathOwners {
  return new Map(collections.map((collection) => [withoutNames(collection.path), collection]))
}

const OTHER_VARIABLES: Readonly<Record<string, Parameter>> = {
  '/operations': {
    description: 'ID of the operation, as in the `Location` header of the deferred request.',
    schema: { type: 'string', format: 'uuid' },
  },
  '/problems': {
    description: 'Error code in lower case, with hyphens.',
    schema: { type: 'string' },
    example: 'not-found',
  },
  '/rels': { description: 'Name of the link relation.', schema: { type: 'string' }, example: 'cancel' },
  // An employee's project is one of all projects.
  '/employees/{}/projects': { description: 'ID of the project.', schema: idSchema(false), example: 1 },
}

/** Returns the variables of a path. An ID has the type that it has in bodies. */
export function buildPathParameters({ path, components }: Operation, owners: PathOwners): Reference[] {
  return [...path.matchAll(/\/\{(\w+)\}/g)].map(({ 1: name = '', index }) => {
    const before = withoutNames(path.slice(0, index))
    const owner = owners.get(before)
    const described = owner
      ? {
          description: `ID of the ${owner.item.replace('-', ' ')}.`,
          schema: idSchema(owner.longIds),
          example: owner.example.id,
        }
      : OTHER_VARIABLES[before]
    if (!described) throw new TypeError(`openapi: the parameter {${name}} of ${path} has no description`)
    const key = `${before.slice(1).replace(/\W+/g, '-')}.${name}`
    return components.add('parameters', key, { name, in: 'path', required: true, ...described })
  })
}

function withoutNames(path: string): string {
  return path.replace(/\{\w+\}/g, '{}')
}

/** Returns the query parameters and the request headers of an operation. */
export function buildParameters(operation: Operation): (Parameter | Reference)[] {
  const { method, action, components } = operation
  const { kind, idempotency, shape } = action
  const add = (parameter: Parameter): Reference =>
    components.add('parameters', String(parameter['name']).toLowerCase(), parameter)
  const canPrefer = shape !== undefined || action.later !== undefined || (!isSafe(method) && action.scope !== undefined)
  const prefer = canPrefer ? [add(PREFER)] : []
  if (method === 'GET' && shape && kind !== 'record') {
    const list = kind === 'page' ? [...PAGING.map(add), addSort(shape, components)] : []
    const filters = kind === 'page' ? buildFilters(shape, components) : []
    return [...list, ...addSelection(operation, shape), ...filters, ...prefer, add(IF_NONE_MATCH)]
  }
  if (isSafe(method)) return prefer
  return [...(idempotency === 'none' ? [] : [addIdempotencyKey(idempotency, components)]), add(IF_MATCH), ...prefer]
}

const PAGING: readonly Parameter[] = [
  query(
    'page',
    { type: 'integer', minimum: 0, default: 0 },
    'Number of the page, starting at 0. Pages reach 10,000 items deep; use `cursor` to read further.',
  ),
  query(
    'size',
    { oneOf: [{ type: 'integer', minimum: 1 }, { const: 'all' }], default: 20 },
    'Items per page. Values above 100 count as 100. `all` exports every item as CSV and needs the scope `export`.',
  ),
  query(
    'cursor',
    { type: 'string' },
    'Position to read from, instead of `page`: empty for the first page, then as in the link `next`.',
  ),
]

function addSort({ collection, names }: CompiledCollection, components: Components): Reference {
  const sortable = ['id', ...collection.sort].flatMap((name) => [name, `-${name}`])
  const parameter = list('sort', sortable, 'Fields to sort by. A minus sorts in descending order.')
  return components.add('parameters', `${names.item}.sort`, { ...parameter, example: [sortable.at(-1)] })
}

function addSelection(
  { context, components }: Operation,
  { codec, relations, names }: CompiledCollection,
): Reference[] {
  const { visible } = codec(context.version)
  const embeddable = [...relations.keys()]
  const add = (parameter: Parameter): Reference =>
    components.add('parameters', `${names.item}.${parameter['name']}`, parameter)
  return [
    add(list('fields', ['id', ...visible], 'Fields to return, and no others. By default all of them.')),
    ...(embeddable.length > 0
      ? [add(list('embed', embeddable, 'Linked items to include in `_embedded`, by link relation.'))]
      : []),
  ]
}

function list(name: string, words: readonly string[], description: string): Parameter {
  const schema = { type: 'array', items: { type: 'string', enum: words } }
  return { ...query(name, schema, description), style: 'form', explode: false }
}

/** Returns a parameter per field, with its operators. Values are as stored, in every version. */
function buildFilters({ collection, names }: CompiledCollection, components: Components): Parameter[] {
  const { fields, filters, longIds } = collection
  const id: Pick<Field, 'json' | 'kind'> = { json: { ...idSchema(longIds), description: 'ID.' }, kind: 'number' }
  return ['id', ...filters].flatMap((name) => {
    const field = name === 'id' ? id : fields[name]
    if (!field) return []
    const { description } = field.json
    return {
      ...query(name, addFilterSchema(names.item + toPascalCase(name), field, components), `Filter: ${description}`),
      style: 'deepObject',
      explode: true,
    }
  })
}

const EQUALITY = {
  eq: 'Equal to this value. `name=value` is short for `name[eq]=value`.',
  ne: 'Not equal to this value.',
}
const COMPARISONS = {
  gt: 'Greater than this value.',
  gte: 'Greater than this value, or equal to it.',
  lt: 'Less than this value.',
  lte: 'Less than this value, or equal to it.',
}
const TEXT_OPERATORS = { contains: 'Contains this text.', startsWith: 'Starts with this text.' }

function addFilterSchema(
  name: string,
  { json, kind }: Pick<Field, 'json' | 'kind'>,
  components: Components,
): Reference {
  const { value, shared } = toFilterValue(json)
  const isWord = value['enum'] !== undefined || value['type'] === 'boolean'
  const compare = (operators: object): [string, JsonSchema][] =>
    Object.entries(operators).map(([operator, description]) => [operator, { ...value, description }])
  const properties = {
    ...Object.fromEntries([
      ...compare(EQUALITY),
      ...(isWord ? [] : compare(COMPARISONS)),
      ...(kind === 'text' && !isWord ? compare(TEXT_OPERATORS) : []),
    ]),
    in: { type: 'string', description: 'Equal to one of these values, separated by commas.' },
    exists: { type: 'boolean', description: '`true`: items with a value; `false`: items without one.' },
  }
  const schema = {
    type: 'object',
    description: 'Conditions by operator. An item must meet all of them.',
    properties,
    additionalProperties: false,
  }
  return components.add('schemas', `${shared ?? name}Filter`, schema)
}

// Filters of most types are shared by all fields of the type. A choice has a filter of its own.
function toFilterValue(json: JsonSchema): { value: JsonSchema; shared?: string } {
  const { type, format, enum: words } = json
  if (words !== undefined) return { value: { type, enum: words } }
  if (type === 'object') return { value: { type: 'string', pattern: '^\\S+( [A-Z]{3})?$' }, shared: 'Money' }
  if (type === 'boolean' || type === 'number') return { value: { type }, shared: toPascalCase(type) }
  if (type === 'integer') return { value: { type }, shared: 'Integer' }
  if (format === 'date') return { value: { type, format }, shared: 'Date' }
  if (format === 'date-time') return { value: { type, format }, shared: 'DateTime' }
  if (type === 'string') return { value: { type }, shared: 'Text' }
  return { value: { type: ['integer', 'string'] }, shared: 'Id' }
}

// RFC 7240. Each operation ignores what does not apply to it.
const PREFER = {
  ...header(
    'Prefer',
    'Preferences: `return=minimal` for a change without a body or a page without a total, `handling=lenient` to ignore ' +
      'unknown fields and parameters, `tx=rollback` to try a change without keeping it, `respond-async` for exports and ' +
      'creations that are processed after the response.',
  ),
  example: 'return=minimal',
}
const IF_NONE_MATCH = header(
  'If-None-Match',
  'ETag of the state that the client has. The response is 304 if it is current.',
)
const IF_MATCH = header('If-Match', 'ETag of the state that the change is based on. The response is 412 if it is not.')

function addIdempotencyKey(idempotency: 'optional' | 'required', components: Components): Reference {
  const required = idempotency === 'required'
  const sentence = 'Unique key of the change. A retry with the same key and body returns the first response.'
  const parameter = {
    ...header('Idempotency-Key', sentence),
    required,
    example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
  }
  return components.add('parameters', `idempotency-key.${idempotency}`, parameter)
}

function header(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' } }
}

function query(name: string, schema: JsonSchema | Reference, description: string): Parameter {
  return { name, in: 'query', description, schema }
}
