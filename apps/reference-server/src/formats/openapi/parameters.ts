import type { Collection, Fields } from '../../engine/define.ts'
import type { JsonSchema } from '../../engine/fields.ts'

type Parameter = Record<string, unknown>

const ID: JsonSchema = { type: 'integer', minimum: 1 }

/** The variables of a path. */
export function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true },
    schema: { type: 'string', pattern: '^[0-9A-Za-z._-]+$' },
  }))
}

/** What the query of a collection may say. */
export function listParameters(collection: Collection, fields: Fields): Parameter[] {
  const sorts = collection.sort.flatMap((name) => [name, `-${name}`])
  return [
    query('page', 'Number of the page, from 0.', { type: 'integer', minimum: 0, default: 0 }),
    query('size', 'Items on a page; more than 100 are 100. As CSV also `all`, with the scope export.', {
      ...{ oneOf: [{ type: 'integer', minimum: 1 }, { const: 'all' }], default: 20 },
    }),
    query('cursor', 'In place of page: empty for the beginning, then as the links have it.', { type: 'string' }),
    query('sort', 'Fields to sort by; a minus sorts descending.', {
      ...{ type: 'array', maxItems: 5, items: { type: 'string', enum: sorts } },
    }),
    FIELDS,
    EMBED,
    ...['id', ...collection.filters].flatMap((name) => [
      query(name, `Only items with this ${name}; also ${name}[gt], [lt], [contains] and others.`, {
        type: 'array',
        items: name === 'id' ? ID : (fields[name]?.json ?? {}),
      }),
      query(`${name}[exists]`, `Only items that have ${name}, or only those that do not.`, { type: 'boolean' }),
    ]),
  ]
}

/** Names of the fields that an answer has. */
export const FIELDS: Parameter = query('fields', 'Fields that are wanted, with commas between.', { type: 'string' })

/** Names of links whose targets come with an answer. */
export const EMBED: Parameter = query('embed', 'Relations that are wanted beside it, with commas between.', {
  type: 'string',
})

/** What a client can prefer here (RFC 7240). */
export function preferring(wishes: readonly string[]): Parameter {
  const examples = Object.fromEntries(wishes.map((wish) => [wish.replace(/\W/g, '_'), { value: wish }]))
  return { ...header('Prefer', `What is preferred: ${wishes.join(', ')}.`), examples }
}

/** Request fields by what they are for. */
export const IF_NONE_MATCH = header('If-None-Match', 'The entity tag that the client has: 304 where it is current.')
export const IF_MATCH = header('If-Match', 'The entity tag that the change is based on: 412 where it is not current.')

export const CONTENT_DIGEST = header(
  'Content-Digest',
  'What the body is held against (RFC 9530): 400 where it differs.',
)

/** The field that makes a retry safe. */
export function idempotencyKey(required: boolean): Parameter {
  return { ...header('Idempotency-Key', 'The same key with the same request happens once.'), required }
}

function header(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' } }
}

function query(name: string, description: string, schema: JsonSchema): Parameter {
  const isList = schema['type'] === 'array'
  return { name, in: 'query', description, schema, ...(isList && { style: 'form', explode: true }) }
}
