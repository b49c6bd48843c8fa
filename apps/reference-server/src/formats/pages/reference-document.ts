import type {
  ContentObject,
  MediaTypeObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
  SchemaObject,
} from 'openapi3-ts/oas31'

/** An operation without references to components. */
export interface ListedOperation {
  method: string
  path: string
  id: string
  summary: string | undefined
  description: string | undefined
  parameters: readonly ParameterObject[]
  requestBody: RequestBodyObject | undefined
  responses: readonly (readonly [status: string, response: ResponseObject])[]
}

/** Returns the operations of a tag, in the order of the document. */
export function listOperations(document: OpenAPIObject, tag: string): ListedOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries<OperationObject>(Object(item))
      .filter(([, { tags }]) => tags?.includes(tag))
      .map(([method, { operationId = '', summary, description, parameters = [], requestBody, responses }]) => ({
        method: method.replace(/^x-/, '').toUpperCase(),
        path,
        id: operationId,
        summary,
        description,
        parameters: parameters.map((parameter) => resolve(parameter, document)),
        requestBody: requestBody && resolve(requestBody, document),
        responses: Object.entries<ResponseObject | ReferenceObject>(responses ?? {}).map(
          ([status, response]) => [status, resolve(response, document)] as const,
        ),
      })),
  )
}

function resolve<T extends object>(part: T | ReferenceObject, document: OpenAPIObject): T {
  if (!('$ref' in part)) return part
  const [, section = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(part.$ref) ?? []
  const sections: Readonly<Record<string, Readonly<Record<string, T | ReferenceObject>>>> = Object(document.components)
  const target = sections[section]?.[name]
  if (!target) throw new TypeError(`openapi: ${part.$ref} is not in the document`)
  return resolve(target, document)
}

/**
 * Returns the media type that most readers want: JSON, or else the first one. Its example may be
 * one of its schema.
 */
export function findMedia(
  content: ContentObject = {},
  document: OpenAPIObject,
): readonly [type: string, media: MediaTypeObject | undefined] {
  const types = Object.keys(content)
  const isJson = (type: string): boolean => type === 'application/json'
  const type = types.find(isJson) ?? types.find((each) => each.endsWith('+json')) ?? types[0] ?? ''
  const media = content[type]
  if (!media) return ['', undefined]
  const [example] = resolve<SchemaObject>(media.schema ?? {}, document).examples ?? []
  return [type, { ...media, example: media.example ?? example }]
}

type Schema = SchemaObject | ReferenceObject

const MAX_DEPTH = 4

/** Returns a type in a few words: `string, 1 to 100 characters`. */
export function describeType(schema: Schema, document: OpenAPIObject, depth = 0): string {
  if (depth > MAX_DEPTH) return 'object'
  const resolved = resolve<SchemaObject>(schema, document)
  const { type, format, enum: values, const: value, items, oneOf, anyOf } = resolved
  const describe = (each: Schema): string => describeType(each, document, depth + 1)
  const choices = oneOf ?? anyOf
  if (choices) return [...new Set(choices.map(describe))].join(' or ')
  if (value !== undefined) return JSON.stringify(value)
  if (values) return values.length > 12 ? `one of ${values.length} values` : values.join(' | ')
  if (type === 'array') return `array of ${items ? describe(items) : 'any'}`
  const name = [type ?? 'any'].flat().join(' or ')
  return (format ? `${name} (${format})` : name) + describeLimits(resolved)
}

function describeLimits({ minimum, maximum, minLength, maxLength }: SchemaObject): string {
  const low = minimum ?? minLength
  const high = maximum ?? maxLength
  if (low === undefined && high === undefined) return ''
  const unit = minLength === undefined && maxLength === undefined ? '' : ' characters'
  if (low === undefined) return `, at most ${high}${unit}`
  return high === undefined ? `, at least ${low}${unit}` : `, ${low} to ${high}${unit}`
}

/** A row of the reference: a parameter, or a field of a body. */
export interface ListedField {
  name: string
  required?: boolean | undefined
  description?: string | undefined
  schema?: Schema | undefined
  /** The place of a parameter in a request. */
  in?: string
}

/** Returns the fields of a body that a client may send, those of nested objects by their path. */
export function listFields(schema: Schema | undefined, document: OpenAPIObject, prefix = ''): ListedField[] {
  if (schema === undefined || prefix.split('.').length > MAX_DEPTH) return []
  const { properties = {}, required = [] } = resolve<SchemaObject>(schema, document)
  return Object.entries(properties).flatMap(([name, property]) => {
    if (('readOnly' in property && property.readOnly) || name.startsWith('_')) return []
    const { type, items, ...field } = resolve<SchemaObject>(property, document)
    // The description of a field is more specific than that of its type.
    const { description = field.description } = property
    const row = { name: prefix + name, required: required.includes(name), description, schema: property }
    const isArray = type === 'array'
    return [row, ...listFields(isArray ? items : field, document, `${prefix}${name}${isArray ? '[]' : ''}.`)]
  })
}
