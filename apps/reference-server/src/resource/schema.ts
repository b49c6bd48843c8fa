import type { Fields } from '../resources/define.ts'
import type { JsonSchema } from '../resources/fields.ts'

/** What clients send to create or replace an item: the same fields that are checked. */
export function writeSchema(fields: Fields, mode: 'create' | 'update'): JsonSchema {
  const writable = Object.entries(fields).filter(([, { writable }]) => writable[mode])
  return {
    type: 'object',
    properties: Object.fromEntries(writable.map(([name, { json }]) => [name, { title: name, ...json }])),
    required: writable.flatMap(([name, { required }]) => (required ? [name] : [])),
  }
}
