import type { Collection } from '../../engine/define.ts'
import type { Field, JsonSchema } from '../../engine/fields.ts'
import { idSchema } from './schemas.ts'

type Parameter = Record<string, unknown>

/** Collections by their path, with variables left empty: `/products/{}/reviews`. */
export type PathOwners = ReadonlyMap<string, Pick<Collection, 'item' | 'longIds'>>

/** Returns the collections by path. */
export function pathOwners(collections: readonly Collection[]): PathOwners {
  return new Map(collections.map((collection) => [withoutNames(collection.path), collection]))
}

const OTHERS: Readonly<Record<string, Parameter>> = {
  '/operations': { description: 'Id of the operation.', schema: { type: 'string', format: 'uuid' } },
  '/problems': { description: 'Error code in lower case, with hyphens.', schema: { type: 'string' } },
  '/rels': { description: 'Name of the relation.', schema: { type: 'string' } },
  // An employee's project is one of all projects.
  '/employees/{}/projects': { description: 'Id of the project.', schema: idSchema(false) },
}

/** Returns the variables of a path: an id has the type that it has in bodies. */
export function pathParameters(path: string, owners: PathOwners): Parameter[] {
  return [...path.matchAll(/\/\{(\w+)\}/g)].map(({ 1: name, index }) => {
    const before = withoutNames(path.slice(0, index))
    const owner = owners.get(before)
    const own = owner && {
      description: `Id of the ${owner.item.replace('-', ' ')}.`,
      schema: idSchema(owner.longIds),
    }
    const described = own ?? OTHERS[before]
    if (!described) throw new TypeError(`the parameter {${name}} of ${path} has no description`)
    return { name, in: 'path', required: true, ...described }
  })
}

function withoutNames(path: string): string {
  return path.replace(/\{\w+\}/g, '{}')
}

/** Returns what the query of a collection may say. */
export function listParameters({ sort, filters, fields, longIds }: Collection): Parameter[] {
  const sorts = sort.flatMap((name) => [name, `-${name}`])
  return [
    query('page', 'Number of the page, from 0.', { type: 'integer', minimum: 0, default: 0 }),
    query('size', 'Items per page; more than 100 are 100. For CSV also `all`, which needs the scope `export`.', {
      oneOf: [{ type: 'integer', minimum: 1 }, { const: 'all' }],
      default: 20,
    }),
    query('cursor', 'Instead of page: empty for the first page, then as the links have it.', { type: 'string' }),
    query('sort', 'Fields to sort by. A minus sorts descending.', {
      type: 'array',
      maxItems: 5,
      items: { type: 'string', enum: ['id', '-id', ...sorts] },
    }),
    FIELDS,
    EMBED,
    ...filterParameters('id', { json: idSchema(longIds), kind: 'number' }),
    ...filters.flatMap((name) => (fields[name] ? filterParameters(name, fields[name]) : [])),
  ]
}

const COMPARISONS = {
  ne: 'is not this value',
  gt: 'is greater than this value',
  gte: 'is at least this value',
  lt: 'is less than this value',
  lte: 'is at most this value',
}
const TEXT_COMPARISONS = { contains: 'contains this text', startsWith: 'starts with this text' }

/** Returns one parameter per operator. Values are those that are stored, in every version. */
function filterParameters(name: string, { json, kind }: Pick<Field, 'json' | 'kind'>): Parameter[] {
  const { description: _, ...value } = json
  const schema = value['type'] === 'object' ? MONEY : value
  const list = { type: 'array', items: schema }
  const compare = (operators: object, of: JsonSchema): Parameter[] =>
    Object.entries(operators).map(([operator, words]) =>
      query(`${name}[${operator}]`, `Only items whose ${name} ${words}.`, of),
    )
  return [
    query(name, `Only items whose ${name} is one of these values.`, list),
    ...compare(COMPARISONS, schema),
    ...(kind === 'text' ? compare(TEXT_COMPARISONS, { type: 'string' }) : []),
    {
      ...query(`${name}[in]`, `Only items whose ${name} is one of these values, separated by commas.`, list),
      explode: false,
    },
    query(`${name}[exists]`, `Only items with a ${name}, or only those without.`, { type: 'boolean' }),
  ]
}

const MONEY = { type: 'string', pattern: '^\\S+( [A-Z]{3})?$', examples: ['10.00 EUR'] }

/** Selects fields of items. */
export const FIELDS: Parameter = query('fields', 'Fields to return, separated by commas.', { type: 'string' })

/** Embeds items that links lead to. */
export const EMBED: Parameter = query('embed', 'Relations to embed, separated by commas.', { type: 'string' })

/** What a client can prefer here (RFC 7240). */
export function preferring(wishes: readonly string[]): Parameter {
  const examples = Object.fromEntries(wishes.map((wish) => [wish.replace(/\W/g, '_'), { value: wish }]))
  return { ...header('Prefer', `Preferences (RFC 7240): ${wishes.join(', ')}.`), examples }
}

/** Request headers by what they are for. */
export const IF_NONE_MATCH = header('If-None-Match', 'Entity tag that the client has. If it is current, 304.')
export const IF_MATCH = header('If-Match', 'Entity tag that the change is based on. If it is not current, 412.')
export const CONTENT_DIGEST = header('Content-Digest', 'Digest of the body (RFC 9530). If it differs, 400.')

/** The header that makes a retry safe. */
export function idempotencyKey(required: boolean): Parameter {
  return {
    ...header('Idempotency-Key', 'Key of the request. A retry with the same key has no second effect.'),
    required,
  }
}

function header(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' } }
}

function query(name: string, description: string, schema: JsonSchema): Parameter {
  const isList = schema['type'] === 'array'
  return { name, in: 'query', description, schema, ...(isList && { style: 'form', explode: true }) }
}
