import { z } from 'zod'
import { type Field, field, formatIssue, type RangeProblem, type ValueOf } from './fields.ts'

/** A field with a sentence about what it holds, for the OpenAPI document. */
export function described<T>(of: Field<T>, description: string, ...examples: readonly T[]): Field<T> {
  return { ...of, json: { ...of.json, description, ...(examples.length > 0 && { examples }) } }
}

/** A field that may be omitted. */
export function optional<T>(of: Field<T>): Field<T | undefined> {
  return { ...(of as Field<T | undefined>), required: false }
}

/** A field that only the server sets. */
export function readOnly<T>(of: Field<T>): Field<T> {
  return { ...of, required: false, writable: { create: false, update: false } }
}

/** A field that is set at creation and never changes. */
export function fixed<T>(of: Field<T>): Field<T> {
  return { ...of, writable: { create: true, update: false } }
}

/** A field that the server sets at creation and clients can change afterward. */
export function changeable<T>(of: Field<T>): Field<T> {
  return { ...of, required: false, writable: { create: false, update: true } }
}

/** A field for links and rules that no representation shows. */
export function hidden<T>(of: Field<T>): Field<T> {
  return { ...of, visible: false, required: false, writable: { create: false, update: false } }
}

/** A field that clients write but never read. It has no column; a hook uses its value. */
export function secret<T>(of: Field<T>): Field<T> {
  return { ...of, json: { ...of.json, writeOnly: true }, visible: false, columns: {}, kind: 'none' }
}

/** A field whose value SQL computes from the row. */
export function computed<T>(of: Field<T>, select: string): Field<T> {
  return { ...of, select, kind: 'none', required: false, writable: { create: false, update: false } }
}

/** A field that has no column: a hook of the collection loads and saves it. */
export function apart<T>(of: Field<T>): Field<T> {
  return { ...of, columns: {}, kind: 'none' }
}

/** A field with its own comparison, since equal values may differ in their JSON. */
export function comparedBy<T>(isEqual: (a: T, b: T) => boolean, of: Field<T>): Field<T> {
  return { ...of, isEqual }
}

/** Adds the problems of a value that is at this pointer. */
export function addBelow<P extends { pointer: string }>(problems: P[], pointer: string, nested: readonly P[]): void {
  for (const problem of nested) problems.push({ ...problem, pointer: pointer + problem.pointer })
}

/** A list of values, stored as JSON. */
export function list<T>(of: Field<T>, { max = 1000 }: { max?: number } = {}): Field<T[]> {
  const { range } = of
  return field<T[]>({
    schema: z.array(of.schema).max(max),
    json: { type: 'array', items: of.json, maxItems: max },
    ...(range && {
      range(values) {
        const problems: RangeProblem[] = []
        let index = 0
        for (const value of values) addBelow(problems, `/${index++}`, range(value))
        return problems
      },
    }),
    store: (value) => [JSON.stringify(value)],
    load: ([stored]) => JSON.parse(String(stored ?? '[]')) as T[],
    fromText: (input) =>
      input
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(of.fromText),
  })
}

/** An object with fields inside a resource, stored as JSON. */
export function group<const G extends Record<string, Field>>(fields: G): Field<{ [K in keyof G]: ValueOf<G[K]> }> {
  type Value = { [K in keyof G]: ValueOf<G[K]> }
  const shape = Object.fromEntries(
    Object.entries(fields).map(([name, { schema, required }]) => [name, required ? schema : schema.optional()]),
  )
  const names = Object.keys(fields)
  const ranges = names.flatMap((name) => {
    const { range } = fields[name] ?? {}
    return range ? [{ name, range }] : []
  })
  return field<Value>({
    schema: z.strictObject(shape) as unknown as z.ZodType<Value>,
    json: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(fields).map(([name, { json }]) => [name, json])),
      required: names.filter((name) => fields[name]?.required),
      additionalProperties: false,
    },
    range(value) {
      const problems: RangeProblem[] = []
      for (const { name, range } of ranges) {
        const member = value[name]
        if (member !== undefined) addBelow(problems, `/${name}`, range(member))
      }
      return problems
    },
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
