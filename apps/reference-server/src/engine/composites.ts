import { z } from 'zod'
import { type Field, field, formatIssue, type RangeProblem, type ValueOf } from './fields.ts'

/** Several values of one field, kept as JSON. */
export function list<T>(of: Field<T>, { max = 1000 }: { max?: number } = {}): Field<T[]> {
  return field<T[]>({
    schema: z.array(of.schema).max(max),
    json: { type: 'array', items: of.json, maxItems: max },
    range: (values) => values.flatMap((value, index) => problemsAt(String(index), of, value)),
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
    range: (value) => names.flatMap((name) => problemsAt(name, fields[name], value[name as keyof Value])),
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
    schema: of.schema.refine(
      (value) => Object.keys(Object(value)).length > 0,
      formatIssue('REQUIRED.oneOf', { names }),
    ),
    json: { ...json, properties, minProperties: 1 },
  }
}

function problemsAt(step: string, member: Field | undefined, value: unknown): RangeProblem[] {
  const problems = value === undefined ? [] : (member?.range?.(value) ?? [])
  return problems.map((problem) => ({ ...problem, pointer: `/${step}${problem.pointer}` }))
}
