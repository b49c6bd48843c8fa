import { createArgumentError } from '../../internal/options.ts'
import type { ProblemDefinition, ProblemKind } from './define-problems.ts'
import type { StandardSchema } from './standard-schema.ts'
import { getStatusDefaults } from './status.ts'

/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>

type ProblemCatalogLike = Readonly<Record<string, Pick<ProblemKind, 'code' | 'definition'>>>

const STATUS = { type: 'integer', minimum: 400, maximum: 599 }
const CODE = { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' }

const describeEntry = (pointer: string): JsonSchema => ({
  type: 'object',
  required: ['pointer', 'location', 'field', 'code', 'detail'],
  properties: {
    pointer: { type: 'string', description: pointer },
    location: { enum: ['body', 'query', 'header', 'path'] },
    field: { type: 'string' },
    code: CODE,
    detail: { type: 'string' },
  },
})

/** Schema of an entry of `errors`. */
export const errorEntrySchema: JsonSchema = describeEntry('JSON Pointer to the value; empty for the whole part.')

/** Schema of the Error record. */
export const errorRecordSchema: JsonSchema = {
  type: 'object',
  required: ['timestamp', 'status', 'error', 'message', 'path'],
  properties: {
    timestamp: { type: 'string', format: 'date-time' },
    status: STATUS,
    error: { type: 'string', description: 'Reason phrase of the status.' },
    message: { type: 'string' },
    path: { type: 'string', description: 'Path of the request, without its query.' },
    code: CODE,
    errors: { type: 'array', maxItems: 50, items: errorEntrySchema },
  },
}

const problemEntrySchema = describeEntry('URI fragment with a JSON Pointer to the value; # for the whole part.')

/** Schema of problem details (RFC 9457). */
export const problemSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'timestamp', 'path'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: STATUS,
    detail: { type: 'string' },
    instance: { type: 'string', format: 'uri' },
    code: CODE,
    timestamp: { type: 'string', format: 'date-time' },
    path: { type: 'string' },
    errors: { type: 'array', maxItems: 50, items: problemEntrySchema },
  },
}

/**
 * Returns the schemas of a catalog by name, each with its constant status and code, and with the
 * extension members if their library can convert them to JSON Schema. A recursive member accepts
 * any value.
 */
export function problemSchemas(catalog: ProblemCatalogLike): Record<string, JsonSchema> {
  if (typeof catalog !== 'object' || catalog === null)
    throw createArgumentError('errors', 'catalog', 'from defineProblems()', catalog)
  return Object.fromEntries(Object.entries(catalog).map(([name, kind]) => [name, toSchema(kind.code, kind.definition)]))
}

/**
 * Returns the `components` of an OpenAPI 3.1 document: the record, the problem, and those of a
 * catalog.
 */
export function openApiComponents(catalog: ProblemCatalogLike = {}): {
  schemas: Record<string, JsonSchema>
  responses: { Error: JsonSchema }
} {
  const reference = (name: string): JsonSchema => ({ schema: { $ref: `#/components/schemas/${name}` } })
  return {
    schemas: { ErrorRecord: errorRecordSchema, Problem: problemSchema, ...problemSchemas(catalog) },
    responses: {
      Error: {
        description: 'The request failed.',
        content: {
          'application/json': reference('ErrorRecord'),
          'application/xml': reference('ErrorRecord'),
          'application/problem+json': reference('Problem'),
          'application/problem+xml': reference('Problem'),
        },
      },
    },
  }
}

function toSchema(code: string, { status, title, type, extensions }: ProblemDefinition): JsonSchema {
  const properties = {
    status: { const: status },
    code: { const: code },
    title: { const: title ?? getStatusDefaults(status).reason },
    ...(type !== undefined && { type: { const: type } }),
  }
  // Only its properties: a schema that forbids other members would reject those of every problem.
  const schema = extensions && toMemberSchema(extensions)
  const members = { ...properties, ...schema?.properties }
  return { allOf: [problemSchema, { type: 'object', properties: members, required: schema?.required ?? [] }] }
}

interface MemberSchema {
  properties?: Record<string, unknown>
  required?: readonly string[]
}

/**
 * Returns the schema of extension members, or `undefined` if there is none, such as for `z.date()`.
 * A member with a reference, such as a recursive one, accepts any value: its target would be
 * missing in another document.
 */
function toMemberSchema(extensions: StandardSchema): MemberSchema | undefined {
  try {
    const schema: MemberSchema | undefined = extensions['~standard'].jsonSchema?.output({ target: 'draft-2020-12' })
    const members = Object.entries(schema?.properties ?? {}).map(([name, member]) => [
      name,
      hasReference(member) ? {} : member,
    ])
    return { ...schema, properties: Object.fromEntries(members) }
  } catch {
    return undefined
  }
}

function hasReference(schema: unknown): boolean {
  return /"\$(ref|dynamicRef)":/.test(JSON.stringify(schema))
}
