import { expect, test } from 'vitest'
import { z } from 'zod'
import { collections, documents } from '../src/domain/collections.ts'
import { v2 } from '../src/domain/versions.ts'
import type { Field, JsonSchema } from '../src/engine/field.ts'

const declared: [name: string, field: Field][] = [
  ...collections.map(({ name, fields }) => ({ name, fields })),
  ...documents.map(({ name, gives }) => ({ name, fields: gives })),
  ...documents.map(({ name, post }) => ({ name: `POST ${name}`, fields: post?.fields ?? {} })),
  { name: 'employees in version 2', fields: v2.fields.employees },
].flatMap(({ name, fields }) =>
  Object.entries(fields).map(([field, declaration]): [string, Field] => [`${name}.${field}`, declaration]),
)

test('every field describes in JSON Schema what zod validates, and may add limits', () => {
  const differing = declared.flatMap(([name, { schema, json }]) => {
    const validated = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
    return differences(validated, json).map((difference) => `${name}${difference}`)
  })
  expect(differing).toEqual([])
  expect(declared.length).toBeGreaterThan(100)
})

test('a field that describes less than zod validates is found', () => {
  const validated = z.toJSONSchema(z.strictObject({ name: z.string().max(5) })) as JsonSchema
  const { properties, ...rest } = validated
  expect(differences(validated, { ...rest, properties: { name: { type: 'string', maxLength: 6 } } })).toEqual([
    '/name maxLength: 5, described as 6',
  ])
  expect(differences(validated, { ...rest, properties })).toEqual([])
})

/** Keywords that zod validates and a schema describes otherwise. */
function differences(validated: JsonSchema, described: JsonSchema, path = ''): string[] {
  const {
    $schema: _,
    properties,
    items,
    anyOf,
    ...keywords
  } = validated as {
    properties?: Record<string, JsonSchema>
    items?: JsonSchema
    anyOf?: JsonSchema[]
  } & JsonSchema
  const members = (described['properties'] ?? {}) as Record<string, JsonSchema>
  const types = anyOf?.map(({ type }) => type)
  return [
    ...Object.entries({ ...keywords, ...(types && { type: types }) })
      .filter(([keyword, value]) => !isImplied(keyword, value, validated))
      .filter(([keyword, value]) => JSON.stringify(described[keyword]) !== JSON.stringify(value))
      .map(([keyword, value]) => `${path} ${keyword}: ${value}, described as ${described[keyword]}`),
    ...Object.entries(properties ?? {}).flatMap(([name, member]) =>
      differences(member, members[name] ?? {}, `${path}/${name}`),
    ),
    ...(items ? differences(items, (described['items'] ?? {}) as JsonSchema, `${path}[]`) : []),
  ]
}

// The pattern of a format, and the range of numbers that are exact.
function isImplied(keyword: string, value: unknown, { format }: JsonSchema): boolean {
  if (keyword === 'pattern') return format !== undefined
  return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER
}
