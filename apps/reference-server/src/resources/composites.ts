import { z } from 'zod'
import { type Field, field, type ValueOf } from './fields.ts'

/** Several values of one field, kept as JSON. */
export function list<T>(of: Field<T>, { max = 1000 }: { max?: number } = {}): Field<T[]> {
  return field<T[]>({
    schema: z.array(of.schema).max(max),
    json: { type: 'array', items: of.json, maxItems: max },
    range: (values) => firstOf(values, (value) => of.range?.(value)),
    store: (value) => [JSON.stringify(value)],
    load: ([stored]) => JSON.parse(String(stored ?? '[]')) as T[],
    fromText: (input) =>
      input
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(of.fromText),
  })
}

/** An object of fields inside a resource, kept as JSON. */
export function group<const G extends Record<string, Field>>(fields: G): Field<{ [K in keyof G]: ValueOf<G[K]> }> {
  type Value = { [K in keyof G]: ValueOf<G[K]> }
  const shape = Object.fromEntries(
    Object.entries(fields).map(([name, { schema, required }]) => [name, required ? schema : schema.optional()]),
  )
  const names = Object.keys(fields)
  return field<Value>({
    schema: z.strictObject(shape) as unknown as z.ZodType<Value>,
    json: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(fields).map(([name, { json }]) => [name, json])),
      required: names.filter((name) => fields[name]?.required),
      additionalProperties: false,
    },
    range: (value) => firstOf(names, (name) => rangeOf(name, fields[name], value[name as keyof Value])),
    store: (value) => [JSON.stringify(value)],
    load: ([stored]) => JSON.parse(String(stored)) as Value,
  })
}

/** A group that has at least one of its members. */
export function atLeastOne<T>(of: Field<T>): Field<T> {
  const { properties = {}, ...json } = of.json
  const names = Object.keys(Object(properties))
  return {
    ...of,
    schema: of.schema.refine((value) => Object.keys(Object(value)).length > 0, `must have ${names.join(' or ')}`),
    json: { ...json, properties, minProperties: 1 },
  }
}

function rangeOf(name: string, member: Field | undefined, value: unknown): string | undefined {
  const problem = value === undefined ? undefined : member?.range?.(value)
  return problem && `${name} ${problem}`
}

function firstOf<T>(values: readonly T[], problemOf: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const problem = problemOf(value)
    if (problem !== undefined) return problem
  }
  return undefined
}
