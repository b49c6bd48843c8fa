import { type CompiledCollection, toPascalCase } from '../../engine/compiled-collection.ts'
import type { Collection } from '../../engine/define.ts'
import type { Field, JsonSchema } from '../../engine/field.ts'
import { isSafe } from '../../engine/route.ts'
import common from './common-components.json' with { type: 'json' }
import type { Components, Operation, Reference } from './components.ts'
import { idSchema } from './schemas.ts'

type Parameter = Record<string, unknown>

/** Collections by path, with variables left empty: `/products/{}/reviews`. */
export type PathOwners = ReadonlyMap<string, Pick<Collection, 'item' | 'longIds' | 'example'>>

export function findPathOwners(collections: readonly Collection[]): PathOwners {
  return new Map(collections.map((collection) => [withoutNames(collection.path), collection]))
}

/** Returns the variables of a path. An ID has the type that it has in bodies. */
export function buildPathParameters({ path, components }: Operation, owners: PathOwners): Reference[] {
  return [...path.matchAll(/\/\{(\w+)\}/g)].map(({ 1: name = '', index }) => {
    const before = withoutNames(path.slice(0, index))
    const owner = owners.get(before)
    const key = `${before.slice(1).replace(/\W+/g, '-')}.${name}`
    if (!owner) return components.share('parameters', key)
    const { item, longIds, example } = owner
    const described = { description: `ID of the ${item.replace('-', ' ')}.`, schema: idSchema(longIds) }
    return components.add('parameters', key, { name, in: 'path', required: true, ...described, example: example.id })
  })
}

function withoutNames(path: string): string {
  return path.replace(/\{\w+\}/g, '{}')
}

/** Returns the query parameters and the request headers of an operation. */
export function buildParameters(operation: Operation): (Parameter | Reference)[] {
  const { method, action, components } = operation
  const { kind, idempotency, shape, scope, later } = action
  const share = (name: string): Reference => components.share('parameters', name)
  const canPrefer = shape !== undefined || later !== undefined || (!isSafe(method) && scope !== undefined)
  const prefer = canPrefer ? [share('prefer')] : []
  if (method === 'GET' && shape && kind !== 'record')
    return [...buildQuery(operation, shape), ...prefer, share('if-none-match')]
  if (isSafe(method)) return method === 'GET' ? [...prefer, share('if-none-match')] : prefer
  const key = idempotency === 'none' ? [] : [share(`idempotency-key.${idempotency}`)]
  return [...key, ...(scope === undefined ? [] : [share('if-match')]), ...prefer]
}

function buildQuery(
  { action: { kind }, context, components }: Operation,
  shape: CompiledCollection,
): (Parameter | Reference)[] {
  const { collection, names, relations, codec } = shape
  const add = (parameter: Parameter): Reference =>
    components.add('parameters', `${names.item}.${parameter['name']}`, parameter)
  const fields = ['id', ...codec(context.version).visible]
  const selection = [add(list('fields', fields, 'Fields to return, and no others. By default all of them.'))]
  if (relations.size > 0)
    selection.push(
      add(list('embed', [...relations.keys()], 'Linked items to include in `_embedded`, by link relation.')),
    )
  if (kind !== 'page') return selection
  const sortable = ['id', ...collection.sort].flatMap((name) => [name, `-${name}`])
  const sort = list('sort', sortable, 'Fields to sort by. A minus sorts in descending order.')
  const paging = ['page', 'size', 'cursor'].map((name) => components.share('parameters', name))
  return [...paging, add({ ...sort, example: [sortable.at(-1)] }), ...selection, ...buildFilters(shape, components)]
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

const WORDS = ['eq', 'ne'] as const
const NUMBERS = [...WORDS, 'gt', 'gte', 'lt', 'lte'] as const
const TEXTS = [...NUMBERS, 'contains', 'startsWith'] as const

function addFilterSchema(
  name: string,
  { json, kind }: Pick<Field, 'json' | 'kind'>,
  components: Components,
): Reference {
  const { value, shared } = toFilterValue(json)
  const isWord = value.enum !== undefined || value.type === 'boolean'
  const operators = isWord ? WORDS : kind === 'text' ? TEXTS : NUMBERS
  const compared = operators.map((operator) => [operator, { ...value, description: common.operators[operator] }])
  const properties = { ...Object.fromEntries(compared), ...common.filter.properties }
  return components.add('schemas', `${shared ?? name}Filter`, { ...common.filter, properties })
}

// Filters of most types are shared by all fields of the type. A choice has a filter of its own.
function toFilterValue(json: JsonSchema): { value: JsonSchema; shared?: string } {
  const { type, format, enum: words } = json
  if (words !== undefined) return { value: { type, enum: words } }
  if (type === 'object') return { value: { type: 'string', pattern: '^\\S+( [A-Z]{3})?$' }, shared: 'Money' }
  if (type === 'boolean' || type === 'number' || type === 'integer')
    return { value: { type }, shared: toPascalCase(type) }
  if (format === 'date' || format === 'date-time') return { value: { type, format }, shared: toPascalCase(format) }
  if (type === 'string') return { value: { type }, shared: 'Text' }
  return { value: { type: ['integer', 'string'] }, shared: 'Id' }
}

function query(name: string, schema: JsonSchema | Reference, description: string): Parameter {
  return { name, in: 'query', description, schema }
}
