/** The parts of an OpenAPI document that the reference shows. */
export interface ApiDocument {
  tags: readonly { name: string; description?: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

/** A part of the document, or the reference to one among its components. */
interface Part {
  $ref?: string
  description?: string
}

export interface ApiOperation {
  operationId: string
  summary: string
  description?: string
  tags: readonly string[]
  parameters?: readonly ApiParameter[]
  requestBody?: ApiContent
  responses: Readonly<Record<string, ApiContent>>
}

/** The body of a request, or a response. */
interface ApiContent extends Part {
  content?: Readonly<Record<string, ApiMedia>>
}

export interface ApiParameter extends Part {
  name: string
  in: string
  required?: boolean
  schema?: ApiSchema
  example?: unknown
}

export interface ApiMedia {
  schema?: ApiSchema
  example?: unknown
}

export interface ApiSchema extends Part {
  type?: string | readonly string[]
  format?: string
  enum?: readonly unknown[]
  examples?: readonly unknown[]
  const?: unknown
  items?: ApiSchema
  properties?: Readonly<Record<string, ApiSchema>>
  required?: readonly string[]
  readOnly?: boolean
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  oneOf?: readonly ApiSchema[]
  anyOf?: readonly ApiSchema[]
}

export interface ListedOperation {
  method: string
  path: string
  operation: ApiOperation
}

/** Returns the operations of a tag, in the order of the document. */
export function listOperations(document: ApiDocument, tag: string): ListedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags?.includes(tag))
      .map(([method, operation]) => ({
        method: method.replace(/^x-/, '').toUpperCase(),
        path,
        operation: withoutReferences(operation, document),
      })),
  )
}

function withoutReferences(operation: ApiOperation, document: ApiDocument): ApiOperation {
  const { parameters = [], requestBody, responses } = operation
  const entries = Object.entries(responses).map(([status, response]) => [status, resolve(response, document)])
  return {
    ...operation,
    parameters: parameters.map((parameter) => resolve(parameter, document)),
    responses: Object.fromEntries(entries),
    ...(requestBody && { requestBody: resolve(requestBody, document) }),
  }
}

function resolve<T extends Part>(part: T, { components }: ApiDocument): T {
  const [, section = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(part.$ref ?? '') ?? []
  return (components[section]?.[name] as T | undefined) ?? part
}

/**
 * Returns the media type that most readers want: JSON, or else the first one. Its example may be
 * one of its schema.
 */
export function findMedia(
  content: Readonly<Record<string, ApiMedia>> = {},
  document: ApiDocument,
): readonly [type: string, media: ApiMedia | undefined] {
  const types = Object.keys(content)
  const isJson = (type: string): boolean => type === 'application/json'
  const type = types.find(isJson) ?? types.find((each) => each.endsWith('+json')) ?? types[0] ?? ''
  const media = content[type]
  if (!media) return ['', undefined]
  const [example] = resolve(media.schema ?? {}, document).examples ?? []
  return [type, { ...media, example: media.example ?? example }]
}

const MAX_DEPTH = 4

/** Returns a type in a few words: `string, 1 to 100 characters`. */
export function describeType(schema: ApiSchema, document: ApiDocument, depth = 0): string {
  if (depth > MAX_DEPTH) return 'object'
  const resolved = resolve(schema, document)
  const { type, format, enum: values, const: value, items, oneOf, anyOf } = resolved
  const describe = (each: ApiSchema): string => describeType(each, document, depth + 1)
  const choices = oneOf ?? anyOf
  if (choices) return [...new Set(choices.map(describe))].join(' or ')
  if (value !== undefined) return JSON.stringify(value)
  if (values) return values.length > 12 ? `one of ${values.length} values` : values.join(' | ')
  if (type === 'array') return `array of ${items ? describe(items) : 'any'}`
  const name = [type ?? 'any'].flat().join(' or ')
  return (format ? `${name} (${format})` : name) + describeLimits(resolved)
}

function describeLimits({ minimum, maximum, minLength, maxLength }: ApiSchema): string {
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
  schema?: ApiSchema | undefined
  /** The place of a parameter in a request. */
  in?: string
}

/** Returns the fields of a body that a client may send, those of nested objects by their path. */
export function listFields(schema: ApiSchema | undefined, document: ApiDocument, prefix = ''): ListedField[] {
  if (schema === undefined || prefix.split('.').length > MAX_DEPTH) return []
  const { properties = {}, required = [] } = resolve(schema, document)
  return Object.entries(properties).flatMap(([name, property]) => {
    if (property.readOnly || name.startsWith('_')) return []
    const { type, items, description, ...field } = resolve(property, document)
    const row = { name: prefix + name, required: required.includes(name), description, schema: property }
    const isArray = type === 'array'
    return [row, ...listFields(isArray ? items : field, document, `${prefix}${name}${isArray ? '[]' : ''}.`)]
  })
}
