import { createArgumentError } from '../../internal/options.ts'
import { isRecord } from './is-record.ts'

/** The keywords of JSON Schema that forms use. Others are ignored. */
export type JsonSchema = {
  [keyword in
    | '$ref'
    | 'type'
    | 'title'
    | 'format'
    | 'pattern'
    | 'enum'
    | 'const'
    | 'default'
    | 'readOnly'
    | 'writeOnly'
    | 'minimum'
    | 'maximum'
    | 'exclusiveMinimum'
    | 'exclusiveMaximum'
    | 'multipleOf'
    | 'minLength'
    | 'maxLength'
    | 'minItems'
    | 'maxItems'
    | 'items'
    | 'anyOf'
    | 'allOf'
    | 'properties'
    | 'required']?: unknown
}

/**
 * A schema of any library that implements Standard JSON Schema (`~standard.jsonSchema`), such as
 * zod since 4.2.
 */
export interface StandardJsonSchema {
  /** The properties of the library: its JSON Schema of the input. */
  readonly '~standard': { readonly jsonSchema: { input(options: { target: string }): Record<string, unknown> } }
}

/** Follows local references, merges `allOf`, and removes "or null". */
export type ResolveSchema = (schema: JsonSchema) => JsonSchema

/** Returns the JSON Schema of the input. Throws a `TypeError` if the schema cannot be converted. */
export function toJsonSchema(where: string, schema: StandardJsonSchema | JsonSchema): JsonSchema {
  // A schema of arktype is a function.
  const isSchema = (typeof schema === 'object' && schema !== null) || typeof schema === 'function'
  if (!isSchema || !('~standard' in schema)) {
    if (isObject(schema)) return schema
    throw createArgumentError(where, 'schema', 'a JSON Schema object or a schema of a library', schema)
  }
  const converter = schema['~standard']?.jsonSchema
  if (typeof converter?.input !== 'function')
    throw new TypeError(`${where}: schema must be of a library with "~standard".jsonSchema, or a JSON Schema object`)
  try {
    return converter.input({ target: 'draft-2020-12' })
  } catch (cause) {
    throw new TypeError(`${where}: schema must be convertible to JSON Schema: ${(cause as Error).message}`, { cause })
  }
}

/** Creates the resolver of a document. It stops after a chain of 32 references. */
export function createResolver(root: JsonSchema): ResolveSchema {
  const resolve = (schema: JsonSchema, depth = 0): JsonSchema => {
    if (depth > 32) return schema
    const { $ref, allOf, anyOf, ...keywords } = schema
    const target = typeof $ref === 'string' ? findReference(root, $ref) : undefined
    const inherited = target ? resolve(target, depth + 1) : {}
    const parts = toList(allOf).map((part) => resolve(part, depth + 1))
    const choices = toList(anyOf).filter((choice) => choice.type !== 'null')
    const choice = choices.length === 1 && choices[0] ? resolve(choices[0], depth + 1) : {}
    return removeNull([inherited, ...parts, choice, keywords].reduce(merge, {}))
  }
  return resolve
}

export function isObject(value: unknown): value is JsonSchema {
  return isRecord(value)
}

/**
 * Merges two schemas: properties and required names are combined; of any other keyword the later
 * one counts.
 */
function merge(first: JsonSchema, second: JsonSchema): JsonSchema {
  const merged = { ...first, ...second }
  if (isObject(first.properties) && isObject(second.properties)) {
    merged.properties = { ...first.properties, ...second.properties }
  }
  if (Array.isArray(first.required) && Array.isArray(second.required)) {
    merged.required = [...first.required, ...second.required]
  }
  return merged
}

function removeNull(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.type)) return schema
  const types = schema.type.filter((type) => type !== 'null')
  return types.length === 1 ? { ...schema, type: types[0] } : schema
}

/** Returns the target of `#/$defs/Name` (RFC 6901 in a fragment). */
function findReference(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (!reference.startsWith('#')) return undefined
  let value: unknown = root
  for (const token of reference.slice(1).split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return isObject(value) ? value : undefined
}

function toList(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
