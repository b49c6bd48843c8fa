/** The parts of an OpenAPI document that the reference shows. */
export interface ApiDocument {
  tags: readonly { name: string; description?: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  components: {
    schemas: Readonly<Record<string, ApiSchema>>
    parameters?: Readonly<Record<string, ApiParameter>>
    responses?: Readonly<Record<string, ApiResponse>>
    requestBodies?: Readonly<Record<string, ApiBody>>
  }
}

export interface ApiOperation {
  operationId: string
  summary: string
  description?: string
  tags: readonly string[]
  parameters?: readonly ApiParameter[]
  requestBody?: ApiBody
  responses: Readonly<Record<string, ApiResponse>>
}

interface ApiBody {
  $ref?: string
  content: Readonly<Record<string, ApiMedia>>
}

interface ApiResponse {
  $ref?: string
  description?: string
  content?: Readonly<Record<string, ApiMedia>>
}

export interface ApiParameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: ApiSchema
  example?: unknown
}

export interface ApiMedia {
  schema?: ApiSchema
  example?: unknown
}

export interface ApiSchema {
  $ref?: string
  type?: string | readonly string[]
  format?: string
  description?: string
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
  allOf?: readonly ApiSchema[]
}

export interface ListedOperation {
  method: string
  path: string
  operation: ApiOperation
}

/** Returns the operations of a tag, in the order of the document. */
export function listOperations({ paths, components }: ApiDocument, tag: string): ListedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.tags?.includes(tag))
      .map(([method, operation]) => ({
        method: method.replace(/^x-/, '').toUpperCase(),
        path,
        operation: withoutRefs(operation, components),
      })),
  )
}

// Parameters, bodies and responses may be named parts of the document.
function withoutRefs(operation: ApiOperation, components: ApiDocument['components']): ApiOperation {
  const { parameters = [], requestBody, responses } = operation
  return {
    ...operation,
    parameters: parameters.map((parameter) => findPart(parameter, components.parameters)),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, findPart(response, components.responses)]),
    ),
    ...(requestBody && { requestBody: findPart(requestBody, components.requestBodies) }),
  }
}

function findPart<T extends { $ref?: string }>(part: T, parts: Readonly<Record<string, T>> = {}): T {
  const name = part.$ref?.slice(part.$ref.lastIndexOf('/') + 1)
  return name === undefined ? part : (parts[name] ?? part)
}

/** Returns the media type that most readers want: JSON, or else the first one. Its example may be one of its schema. */
export function findMedia(
  content: Readonly<Record<string, ApiMedia>> = {},
  document: ApiDocument,
): readonly [type: string, media: ApiMedia | undefined] {
  const types = Object.keys(content)
  const isJson = (type: string): boolean => type === 'application/json'
  const type = types.find(isJson) ?? types.find((each) => each.endsWith('+json')) ?? types[0]
  const media = type === undefined ? undefined : content[type]
  if (type === undefined || media === undefined) return ['', undefined]
  const [example] = media.schema ? (resolveSchema(media.schema, document).examples ?? []) : []
  return [type, { ...media, example: media.example ?? example }]
}

const MAX_DEPTH = 4

function resolveSchema(schema: ApiSchema, document: ApiDocument): ApiSchema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? schema : (document.components.schemas[name] ?? schema)
}

/** Returns a type in a few words: `string, 1 to 100 characters`. */
export function describeType(schema: ApiSchema, document: ApiDocument, depth = 0): string {
  if (depth > MAX_DEPTH) return 'object'
  const { type, format, enum: values, const: value, items, oneOf, anyOf } = resolveSchema(schema, document)
  const describe = (each: ApiSchema): string => describeType(each, document, depth + 1)
  const choices = oneOf ?? anyOf
  if (choices) return [...new Set(choices.map(describe))].join(' or ')
  if (value !== undefined) return JSON.stringify(value)
  if (values) return values.length > 12 ? `one of ${values.length} values` : values.join(' | ')
  if (type === 'array') return `array of ${items ? describe(items) : 'any'}`
  const name = typeof type === 'string' ? type : (type?.join(' or ') ?? 'any')
  return [format ? `${name} (${format})` : name, describeLimits(resolveSchema(schema, document))]
    .filter(Boolean)
    .join(', ')
}

function describeLimits({ minimum, maximum, minLength, maxLength }: ApiSchema): string {
  const low = minimum ?? minLength
  const high = maximum ?? maxLength
  if (low === undefined && high === undefined) return ''
  const unit = minLength === undefined && maxLength === undefined ? '' : ' characters'
  if (low === undefined) return `at most ${high}${unit}`
  return high === undefined ? `at least ${low}${unit}` : `${low} to ${high}${unit}`
}

interface ListedField {
  name: string
  required: boolean
  description: string | undefined
  schema: ApiSchema
}

/** Returns the fields of a body that a client may send, those of nested objects by their path. */
export function listFields(schema: ApiSchema | undefined, document: ApiDocument, prefix = ''): ListedField[] {
  if (schema === undefined || prefix.split('.').length > MAX_DEPTH) return []
  const { properties = {}, required = [] } = resolveSchema(schema, document)
  return Object.entries(properties).flatMap(([name, property]) => {
    if (property.readOnly || name.startsWith('_')) return []
    const field = resolveSchema(property, document)
    const nested = field.type === 'array' ? field.items : field
    const path = `${prefix}${name}${field.type === 'array' ? '[]' : ''}`
    const row = {
      name: prefix + name,
      required: required.includes(name),
      description: field.description,
      schema: property,
    }
    return [row, ...listFields(nested, document, `${path}.`)]
  })
}
