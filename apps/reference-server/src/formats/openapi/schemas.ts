import type { Collection } from '../../engine/define.ts'
import type { JsonSchema } from '../../engine/fields.ts'
import type { VersionCodec } from '../../engine/versions.ts'

/** Names of the schemas of a collection. */
export interface SchemaNames {
  item: string
  page: string
  create: string
  update: string
}

/** What the schemas of a collection are called. */
export function schemaNames({ item }: Collection): SchemaNames {
  const name = item.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
  return { item: name, page: `${name}Page`, create: `New${name}`, update: `${name}Update` }
}

/** The schemas of a collection in a version, from the declarations that requests are validated by. */
export function schemasOf(collection: Collection, { fields, visible }: VersionCodec): Record<string, JsonSchema> {
  const names = schemaNames(collection)
  const shown = visible.map((name): [string, JsonSchema] => {
    const field = fields[name]
    const isReadOnly = field && !field.writable.create && !field.writable.update
    return [name, { ...field?.json, ...(isReadOnly && { readOnly: true }) }]
  })
  const id = { type: collection.longIds ? ['integer', 'string'] : 'integer', readOnly: true }
  return {
    [names.item]: {
      type: 'object',
      properties: { id, ...Object.fromEntries(shown), _links: reference('Links') },
      required: ['id', ...shown.flatMap(([name]) => (fields[name]?.required ? [name] : [])), '_links'],
    },
    [names.page]: {
      type: 'object',
      properties: {
        items: { type: 'array', items: reference(names.item) },
        page: reference('PageFacts'),
        _links: reference('Links'),
      },
      required: ['items', 'page', '_links'],
    },
    ...(collection.methods.includes('POST') && { [names.create]: bodyOf(fields, 'create') }),
    ...(collection.methods.includes('PUT') && { [names.update]: bodyOf(fields, 'update') }),
  }
}

function bodyOf(fields: Collection['fields'], mode: 'create' | 'update'): JsonSchema {
  const writable = Object.entries(fields).filter(([, field]) => field.writable[mode])
  return {
    type: 'object',
    properties: Object.fromEntries(writable.map(([name, { json }]) => [name, json])),
    required: writable.flatMap(([name, { required }]) => (required ? [name] : [])),
  }
}

/** Points to a schema of the document. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

const text = { type: 'string' }
const LIST = { type: 'array', items: text }
const MOMENT = { type: 'string', format: 'date-time' }

/** The schemas that all collections share. */
export const COMMON_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Links: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: { href: { type: 'string', format: 'uri-reference' }, templated: { type: 'boolean' } },
      required: ['href'],
    },
  },
  Query: {
    type: 'object',
    properties: {
      filter: { type: 'object', description: 'Values, lists of them, or operators and their values, by field.' },
      ...{ sort: LIST, fields: LIST, embed: LIST, cursor: text },
      ...{ page: { type: 'integer', minimum: 0 }, size: { type: 'integer', minimum: 1 } },
    },
    additionalProperties: false,
  },
  Operation: {
    type: 'object',
    properties: {
      id: text,
      status: { type: 'string', enum: ['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] },
      percent: { type: 'integer', minimum: 0, maximum: 100 },
      ...{ createdAt: MOMENT, updatedAt: MOMENT, error: reference('Error'), _links: reference('Links') },
    },
    required: ['id', 'status', 'percent', 'createdAt', 'updatedAt', '_links'],
  },
  PageFacts: {
    type: 'object',
    properties: {
      number: { type: 'integer', minimum: 0 },
      size: { type: 'integer', minimum: 1, maximum: 100 },
      totalElements: { type: 'integer', minimum: 0 },
      totalPages: { type: 'integer', minimum: 0 },
    },
    required: ['number', 'size'],
  },
  Error: {
    type: 'object',
    properties: {
      timestamp: { type: 'string', format: 'date-time' },
      ...{ status: { type: 'integer' }, error: text, message: text, path: text, code: text },
      errors: {
        type: 'array',
        items: { type: 'object', properties: { pointer: text, location: text, field: text, code: text, detail: text } },
      },
    },
    required: ['timestamp', 'status', 'error', 'message', 'path'],
  },
}
