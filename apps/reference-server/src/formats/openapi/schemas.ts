import type { CompiledCollection, RenderContext } from '../../engine/compiled-collection.ts'
import { type Fields, type JsonSchema, objectSchema } from '../../engine/field.ts'
import { money } from '../../engine/field-types.ts'
import type { Payload } from '../../engine/route.ts'
import type { Body } from '../../engine/versions.ts'
import { renderRecord } from '../json.ts'
import common from './common-components.json' with { type: 'json' }
import {
  bodyExample,
  type Components,
  itemExample,
  type Operation,
  pageExample,
  patchExamples,
  type Reference,
  schemaReference,
} from './components.ts'

export function schemaNames({ names: { item } }: Pick<CompiledCollection, 'names'>) {
  return {
    item,
    page: `${item}Page`,
    halPage: `${item}HalPage`,
    create: `New${item}`,
    update: `${item}Update`,
    patch: `${item}Patch`,
  }
}

/** Adds the schemas of a collection in a version, from the fields that validate requests. */
export function addCollectionSchemas(shape: CompiledCollection, context: RenderContext, components: Components): void {
  const { fields, visible } = shape.codec(context.version)
  const { description, methods, name, longIds } = shape.collection
  const names = schemaNames(shape)
  const add = (key: string, schema: JsonSchema): void => void components.add('schemas', key, schema)
  add(names.item, {
    type: 'object',
    description,
    properties: {
      id: { ...idSchema(longIds), readOnly: true, description: 'ID, assigned by the service.' },
      ...Object.fromEntries(visible.map((field) => [field, readSchema(fields, field)])),
      _links: LINKS,
      ...buildEmbedded(shape),
    },
    required: ['id', ...visible.filter((field) => fields[field]?.required), '_links'],
    examples: [itemExample(shape, context)],
  })
  const items = { type: 'array', items: schemaReference(names.item), description: 'Items of the page.' }
  add(names.page, { ...buildPage({ items }), examples: [pageExample(shape, context)] })
  add(names.halPage, buildPage({ _embedded: { type: 'object', properties: { [name]: items }, required: [name] } }))
  const created = buildBodySchema(fields, 'create', bodyExample(shape, 'create', context))
  const updated = buildBodySchema(fields, 'update', bodyExample(shape, 'update', context))
  const isSame = methods.includes('POST') && JSON.stringify(created) === JSON.stringify(updated)
  if (methods.includes('POST')) add(names.create, created)
  if (methods.includes('PUT')) add(names.update, isSame ? { ...schemaReference(names.create) } : updated)
  if (methods.includes('PATCH')) add(names.patch, toPatchBody(updated))
}

function buildPage(content: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: 'object',
    properties: { ...content, page: schemaReference('PageInfo'), _links: LINKS },
    required: [...Object.keys(content), 'page', '_links'],
  }
}

function buildEmbedded({ relations, related }: CompiledCollection): Record<string, JsonSchema> {
  if (relations.size === 0) return {}
  const members = [...relations.keys()].flatMap((relation) => {
    const target = related(relation)
    return target ? [[relation, schemaReference(schemaNames(target).item)]] : []
  })
  const description = 'Linked items that `embed` names, by link relation.'
  return { _embedded: { type: 'object', description, properties: Object.fromEntries(members) } }
}

/** Adds the schema of a record that responses return, with the links that its example declares. */
export function addRecordSchema(record: Payload, context: RenderContext, components: Components): void {
  const { name, schema, example, links } = record
  const shared = shareSchemas(schema)
  const { properties, required = [] } = shared
  components.add('schemas', name, {
    ...shared,
    ...(links && { properties: { ...properties, _links: LINKS }, required: [...required, '_links'] }),
    examples: [renderRecord({ kind: 'record', name, value: example, ...(links && { links }) }, context)],
  })
}

/** Returns the schema of the body of an operation. Adds it if it is not that of a collection. */
export function bodySchema({ method, action, context, components }: Operation): Reference {
  const { takes, shape, operationId, pathField } = action
  if (method === 'QUERY') return schemaReference('Query')
  if (takes) {
    const { name, schema, example } = takes
    const body = { ...shareSchemas(schema), examples: [example] }
    if (method !== 'PATCH') return components.add('schemas', name, body)
    return components.add('schemas', `${name.replace(/^New/, '')}Patch`, toPatchBody(body))
  }
  if (!shape) throw new TypeError(`openapi: ${operationId} does not declare its body`)
  const { create, update, patch } = schemaNames(shape)
  if (pathField === undefined) return schemaReference(method === 'POST' ? create : method === 'PUT' ? update : patch)
  // The path names the parent of the new item.
  const { [pathField]: _, ...fields } = shape.codec(context.version).fields
  const { [pathField]: __, ...example } = bodyExample(shape, 'create', context)
  const name = operationId.replace(/^create/, 'New')
  return components.add('schemas', name, buildBodySchema(fields, 'create', example))
}

/** The schema of IDs, in paths and in bodies. */
export function idSchema(isLong: boolean): JsonSchema {
  return isLong
    ? { type: ['integer', 'string'], minimum: 1, pattern: '^[1-9]\\d{0,18}$' }
    : { type: 'integer', minimum: 1 }
}

function readSchema(fields: Fields, name: string): JsonSchema {
  const field = fields[name]
  const isReadOnly = field && !field.writable.create && !field.writable.update
  return shareSchemas({ ...field?.json, ...(isReadOnly && { readOnly: true }) })
}

function buildBodySchema(fields: Fields, mode: 'create' | 'update', example: object): JsonSchema {
  const writable = Object.entries(fields).filter(([, field]) => field.writable[mode])
  return { ...shareSchemas(objectSchema(Object.fromEntries(writable))), examples: [example] }
}

function toPatchBody({ examples, ...schema }: JsonSchema): JsonSchema {
  const example: Body = Object(examples?.[0])
  return { ...toPatchSchema(schema), examples: [patchExamples(example).merge] }
}

/** Converts a schema to that of a merge patch: members may be omitted or null. */
function toPatchSchema(schema: JsonSchema): JsonSchema {
  if (schema.type !== 'object') return schema
  const { required = [], properties = {}, minProperties: _, ...rest } = schema
  const members = Object.entries(properties).map(([name, member]) => {
    const { description, ...patched } = toPatchSchema(member)
    const value = required.includes(name) ? patched : { anyOf: [patched, { type: 'null' }] }
    return [name, { ...(description !== undefined && { description }), ...value }]
  })
  return { ...rest, properties: Object.fromEntries(members) }
}

const LINKS = schemaReference('Links')

const { json: MONEY } = money()
const MONEY_TEXT = JSON.stringify(MONEY)

/** Adds the schema of money, and the example of the forms. */
export function addCommonSchemas(components: Components, formsExample: object | undefined): void {
  const { Forms } = common.schemas
  components.add('schemas', 'Forms', { ...Forms, ...(formsExample && { examples: [formsExample] }) })
  components.add('schemas', 'Money', { ...MONEY, description: 'Exact amount of money and its currency.' })
}

/** Replaces shared parts of a schema by references: amounts of money, on every level. */
function shareSchemas({ description, readOnly, ...schema }: JsonSchema): JsonSchema {
  const notes = { ...(description !== undefined && { description }), ...(readOnly === true && { readOnly }) }
  if (JSON.stringify(schema) === MONEY_TEXT) return { ...schemaReference('Money'), ...notes }
  const { properties, items } = schema
  const members = Object.entries(properties ?? {}).map(([name, member]) => [name, shareSchemas(member)])
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(members) }),
    ...(items && { items: shareSchemas(items) }),
    ...notes,
  }
}
