import { assertKnownOptions, assertTypes, createArgumentError } from '../../internal/options.ts'
import { type FormProperty, isScalar, toFormProperty } from './form-property.ts'
import { createResolver, isObject, type JsonSchema, type StandardJsonSchema, toJsonSchema } from './json-schema.ts'

/** A form of HAL-FORMS for a link: the input that it accepts. */
export interface FormDefinition<T, C> {
  /** HTTP method of the form. @defaultValue `POST` with a schema, `GET` without one */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The body: a schema of your validation library, or a JSON Schema object. */
  schema?: StandardJsonSchema | JsonSchema
  /**
   * Media type of the body: `application/json`, `application/x-www-form-urlencoded` or
   * `multipart/form-data`. @defaultValue `application/json`
   */
  contentType?: string
  /** Human-readable label of the form. */
  title?: string
  /**
   * Properties to add to the fields of the schema: `{ comment: { type: 'textarea' } }`. Without a
   * schema, these are the fields.
   */
  properties?: Readonly<Record<string, Partial<Omit<FormProperty, 'name'>>>>
  /**
   * Returns the initial values by field name, for example the item itself. Write-only fields have
   * none.
   */
  values?: (item: T, context: C) => object
}

/** A form in `_templates`. */
export interface FormTemplate {
  /** Human-readable label of the form. */
  title?: string
  /** HTTP method of the request. */
  method: string
  /** Media type of the body; absent if it is `application/json`. */
  contentType?: string
  /** The fields, in the order of the schema. */
  properties: FormProperty[]
  /** URL of the request. */
  target: string
}

/** Returns a compiled form for an item. */
export type FillForm<T, C> = (item: T, context: C, target: string) => FormTemplate

const OPTIONS = ['method', 'schema', 'contentType', 'title', 'properties', 'values']
const TYPES = { title: 'string', properties: 'object', values: 'function' } as const
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const CONTENT_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']

/** Compiles a form once. Throws a `TypeError` if clients could not send it. */
export function compileForm<T, C>(where: string, form: FormDefinition<T, C>): FillForm<T, C> {
  assertKnownOptions(where, form, OPTIONS)
  assertTypes(where, form, TYPES)
  const { schema, contentType, title, values } = form
  const method = form.method ?? (schema ? 'POST' : 'GET')
  if (!METHODS.includes(method)) throw createArgumentError(where, 'method', `one of ${METHODS}`, method)
  if (contentType !== undefined && !CONTENT_TYPES.includes(contentType))
    throw createArgumentError(where, 'contentType', `one of ${CONTENT_TYPES}`, contentType)
  const writeOnly: string[] = []
  const properties = compileProperties(where, form, writeOnly)
  const isExplicit = contentType !== undefined && contentType !== 'application/json'
  return (item, context, target) => {
    const defaults = values?.(item, context) as Record<string, unknown> | undefined
    return {
      ...(title !== undefined && { title }),
      method,
      ...(isExplicit && { contentType }),
      properties: defaults
        ? properties.map((field) => (writeOnly.includes(field.name) ? field : addValue(field, defaults[field.name])))
        : properties,
      target,
    }
  }
}

/** Compiles the fields, and lists those whose values are never sent. */
function compileProperties<T, C>(
  where: string,
  { schema, properties = {} }: FormDefinition<T, C>,
  writeOnly: string[],
): FormProperty[] {
  if (!schema) return Object.entries(properties).map(([name, property]) => ({ name, ...property }))
  const root = toJsonSchema(where, schema)
  const resolve = createResolver(root)
  const { properties: members, required } = resolve(root)
  const names = Array.isArray(required) ? required : []
  const fields = Object.entries(isObject(members) ? members : {}).map(([name, member]) => {
    const rules = resolve(isObject(member) ? member : {})
    if (rules.writeOnly === true) writeOnly.push(name)
    return {
      ...toFormProperty(name, rules, names.includes(name), resolve),
      ...(Object.hasOwn(properties, name) ? properties[name] : {}),
    }
  })
  assertKnownOptions(
    `${where}, properties`,
    properties,
    fields.map(({ name }) => name),
  )
  return fields
}

function addValue(property: FormProperty, value: unknown): FormProperty {
  const { options, type } = property
  if (type === 'hidden' && property.value !== undefined) return property // a constant of the schema
  if (type === 'password') return property
  if (Array.isArray(value) && options)
    return { ...property, options: { ...options, selectedValues: value.filter(isScalar).map(String) } }
  return isScalar(value) || typeof value === 'bigint' ? { ...property, value: String(value) } : property
}
