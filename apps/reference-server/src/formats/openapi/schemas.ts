import type { CompiledCollection } from '../../engine/compiled-collection.ts'
import type { JsonSchema } from '../../engine/fields.ts'
import type { Action, Payload } from '../../engine/route.ts'

/** Names of the schemas of a collection. */
export interface SchemaNames {
  item: string
  /** An item of which the client selected some fields. */
  selection: string
  page: string
  halPage: string
  create: string
  update: string
  patch: string
}

/** Returns what the schemas of a collection are called. */
export function schemaNames({ names: { item } }: Pick<CompiledCollection, 'names'>): SchemaNames {
  return {
    item,
    selection: `${item}Selection`,
    page: `${item}Page`,
    halPage: `${item}HalPage`,
    create: `New${item}`,
    update: `${item}Update`,
    patch: `${item}Patch`,
  }
}

/** Returns the schemas of a collection in a version, from the declarations that requests are validated by. */
export function schemasOf(shape: CompiledCollection, version: string): Record<string, JsonSchema> {
  const { collection } = shape
  const { fields, visible } = shape.codec(version)
  const names = schemaNames(shape)
  const properties = {
    id: { ...idSchema(collection.longIds), readOnly: true, description: 'Id of the item.' },
    ...Object.fromEntries(visible.map((name) => [name, readSchema(fields[name])])),
    _links: LINKS,
    _embedded: { type: 'object', description: 'Items that `embed` names, by relation.' },
  }
  const always = visible.filter((name) => fields[name]?.required)
  const items = { type: 'array', items: itemSchema(shape), description: collection.description }
  const common = { page: reference('PageInfo'), _links: LINKS }
  const writable = (mode: 'create' | 'update'): JsonSchema => bodySchema(fields, mode)
  return {
    [names.item]: {
      type: 'object',
      description: collection.description,
      properties,
      required: ['id', ...always, '_links'],
    },
    [names.selection]: {
      type: 'object',
      description: 'The fields of an item that `fields` selects.',
      properties,
      required: ['_links'],
    },
    [names.page]: { type: 'object', properties: { items, ...common }, required: ['items', 'page', '_links'] },
    [names.halPage]: {
      type: 'object',
      properties: {
        _embedded: { type: 'object', properties: { [collection.name]: items }, required: [collection.name] },
        ...common,
      },
      required: ['_embedded', 'page', '_links'],
    },
    ...(collection.methods.includes('POST') && { [names.create]: writable('create') }),
    ...(collection.methods.includes('PUT') && { [names.update]: writable('update') }),
    ...(collection.methods.includes('PATCH') && { [names.patch]: patchSchema(writable('update')) }),
  }
}

/** Returns the schema of an item in a response to a request that can select fields. */
export function itemSchema(shape: Pick<CompiledCollection, 'names'>): JsonSchema {
  const { item, selection } = schemaNames(shape)
  return { anyOf: [reference(item), reference(selection)] }
}

/** Returns the schemas of what an action takes and gives, if that belongs to no collection. */
export function payloadSchemas({ takes, gives, accepts }: Action): Record<string, JsonSchema> {
  const isPatch = accepts.includes('application/merge-patch+json')
  return {
    ...(takes && { [takes.name]: takes.schema }),
    ...(takes && isPatch && { [patchName(takes)]: patchSchema(takes.schema) }),
    ...(gives && { [gives.name]: withLinks(gives) }),
  }
}

/** Returns the schema of a new item without the field that the path names. */
export function schemaWithin({ shape, pathField, operationId }: Action, version: string): Record<string, JsonSchema> {
  if (!shape || pathField === undefined) return {}
  const { [pathField]: _, ...fields } = shape.codec(version).fields
  return { [newNameWithin(operationId)]: bodySchema(fields, 'create') }
}

/** Name of a new item whose parent the path names: `NewCustomerOrder`. */
export function newNameWithin(operationId: string): string {
  return operationId.replace(/^create/, 'New')
}

/** Name of the merge patch of what an action takes. */
export function patchName({ name }: Payload): string {
  return `${name.replace(/^New/, '')}Patch`
}

/** The schema of ids, in paths and in bodies. */
export function idSchema(isLong: boolean): JsonSchema {
  return isLong
    ? { type: ['integer', 'string'], minimum: 1, pattern: '^[1-9]\\d{0,18}$' }
    : { type: 'integer', minimum: 1 }
}

function withLinks({ schema, links }: Payload): JsonSchema {
  if (!links) return schema
  const { properties, required = [] } = schema
  return {
    ...schema,
    properties: { ...Object(properties), _links: LINKS },
    required: [...(required as string[]), '_links'],
  }
}

type FieldSchema = ReturnType<CompiledCollection['codec']>['fields'][string] | undefined

function readSchema(field: FieldSchema): JsonSchema {
  const isReadOnly = field && !field.writable.create && !field.writable.update
  return { ...field?.json, ...(isReadOnly && { readOnly: true }) }
}

function bodySchema(fields: Readonly<Record<string, FieldSchema>>, mode: 'create' | 'update'): JsonSchema {
  const writable = Object.entries(fields).filter(([, field]) => field?.writable[mode])
  return {
    type: 'object',
    properties: Object.fromEntries(writable.map(([name, field]) => [name, field?.json ?? {}])),
    required: writable.flatMap(([name, field]) => (field?.required ? [name] : [])),
  }
}

/** A merge patch: every member may be omitted, on every level, and null removes one that is optional. */
function patchSchema({ required = [], minProperties: _, ...schema }: JsonSchema): JsonSchema {
  if (schema['type'] !== 'object') return schema
  const isRequired = (name: string): boolean => (required as string[]).includes(name)
  const members = Object.entries(Object(schema['properties']) as Record<string, JsonSchema>).map(([name, member]) => {
    const patched = patchSchema(member)
    const { description, ...rest } = patched
    return [
      name,
      isRequired(name) ? patched : { ...(description ? { description } : {}), anyOf: [rest, { type: 'null' }] },
    ]
  })
  return { ...schema, properties: Object.fromEntries(members) }
}

/** Points to a schema of the document. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

const text = (description: string): JsonSchema => ({ type: 'string', description })
const words = (description: string): JsonSchema => ({ type: 'array', items: { type: 'string' }, description })
const count = (description: string, minimum = 0): JsonSchema => ({ type: 'integer', minimum, description })

const LINKS = reference('Links')

/** The schemas that all collections share. */
export const COMMON_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Links: {
    type: 'object',
    description: 'Links by relation. `/rels` explains the relations.',
    additionalProperties: {
      type: 'object',
      properties: {
        href: { type: 'string', description: 'URL, or a URI template.' },
        templated: { type: 'boolean', description: 'Whether `href` is a template.' },
      },
      required: ['href'],
    },
  },
  Forms: {
    type: 'object',
    properties: {
      _templates: {
        type: 'object',
        description: 'Forms that the caller can send (HAL-FORMS).',
        additionalProperties: { type: 'object', properties: { method: text('HTTP method.'), target: text('URL.') } },
      },
    },
  },
  Query: {
    type: 'object',
    properties: {
      filter: { type: 'object', description: 'By field: a value, a list of values, or operators with their values.' },
      sort: words('Fields to sort by. A minus sorts descending.'),
      fields: words('Fields to return.'),
      embed: words('Relations to embed.'),
      cursor: text('Cursor from a link; empty for the first page.'),
      page: count('Number of the page, from 0.'),
      size: count('Items per page.', 1),
    },
    additionalProperties: false,
  },
  JsonPatch: {
    type: 'array',
    description: 'Operations of JSON Patch (RFC 6902).',
    maxItems: 100,
    items: {
      type: 'object',
      properties: {
        op: { type: 'string', enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'], description: 'Operation.' },
        path: text('JSON Pointer to the value.'),
        from: text('JSON Pointer to the source of move and copy.'),
        value: { description: 'Value of add, replace and test.' },
      },
      required: ['op', 'path'],
    },
  },
  PageInfo: {
    type: 'object',
    properties: {
      number: count('Number of the page, from 0.'),
      size: { ...count('Items per page.', 1), maximum: 100 },
      totalElements: count('Items on all pages, unless the client prefers a minimal response.'),
      totalPages: count('Number of pages.'),
    },
    required: ['size'],
  },
  ErrorEntry: {
    type: 'object',
    properties: {
      pointer: text('JSON Pointer into the body.'),
      location: text('Where the value is: `body`, `query`, `path` or `header`.'),
      field: text('Name of the value.'),
      code: text('What is wrong, as a code.'),
      detail: text('What is wrong, in words.'),
    },
  },
  Error: {
    type: 'object',
    description: 'What every failed request returns.',
    properties: {
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
      status: { type: 'integer', description: 'HTTP status.' },
      error: text('Words of the status; for `/tokens` the error code of OAuth 2.0.'),
      message: text('What is wrong and what to do about it.'),
      path: text('Path of the request.'),
      code: text('Stable code of the failure, explained at `/problems`.'),
      errors: { type: 'array', items: reference('ErrorEntry'), description: 'What is wrong with each value.' },
      error_description: text('The message for OAuth 2.0 clients of `/tokens`.'),
    },
    required: ['timestamp', 'status', 'error', 'message', 'path'],
  },
  Problem: {
    type: 'object',
    description: 'The same as problem details (RFC 9457).',
    properties: {
      type: { type: 'string', format: 'uri-reference', description: 'Page that explains the code.' },
      title: text('Words of the status.'),
      status: { type: 'integer', description: 'HTTP status.' },
      detail: text('What is wrong and what to do about it.'),
      instance: text('Path of the request.'),
      code: text('Stable code of the failure.'),
      errors: { type: 'array', items: reference('ErrorEntry'), description: 'What is wrong with each value.' },
    },
    required: ['title', 'status'],
  },
}
