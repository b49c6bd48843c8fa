import type { FormProperty } from '@svc/hal'
import type { Fields, JsonSchema } from './field.ts'

/** Points to the Error record among the schemas of the OpenAPI document. */
export const errorSchema: JsonSchema = { $ref: '#/components/schemas/Error' }

/** The schema of an object with these fields, all that the service knows about it. */
export function objectSchema(fields: Fields): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, { json }]) => [name, json])),
    required: Object.entries(fields).flatMap(([name, { required }]) => (required ? [name] : [])),
  }
}

/** Returns the schema of the body that creates or replaces an item. */
export function writeSchema(fields: Fields, mode: 'create' | 'update'): JsonSchema {
  const writable = Object.entries(fields).filter(([, { writable }]) => writable[mode])
  return {
    type: 'object',
    properties: Object.fromEntries(writable.map(([name, { json }]) => [name, { title: name, ...json }])),
    required: writable.flatMap(([name, { required }]) => (required ? [name] : [])),
  }
}

type Hints = Record<string, Pick<FormProperty, 'type' | 'placeholder'>>

/** Returns the inputs of fields with objects and lists: room for JSON, and a sample. */
export function buildHints(fields: Fields, mode: 'create' | 'update'): Hints {
  const hints: Hints = {}
  for (const [name, { json, writable }] of Object.entries(fields)) {
    const isChoice = (json['items'] as JsonSchema | undefined)?.['enum'] !== undefined
    if (writable[mode] && !isChoice && (json['type'] === 'object' || json['type'] === 'array'))
      hints[name] = { type: 'textarea', placeholder: JSON.stringify(buildSample(json)) }
  }
  return hints
}

/** A value of a schema, as simple as it may be: what is required, and no more. */
function buildSample({ type, items, properties = {}, required = [], ...rest }: JsonSchema): unknown {
  if (type === 'array') return [buildSample(items as JsonSchema)]
  if (type === 'object')
    return Object.fromEntries(
      (required as string[]).map((name) => [name, buildSample((properties as Record<string, JsonSchema>)[name] ?? {})]),
    )
  const [example] = (rest['examples'] ?? rest['enum'] ?? []) as unknown[]
  if (example !== undefined) return example
  if (type === 'number' || type === 'integer') return rest['minimum'] ?? 1
  return '…'
}
