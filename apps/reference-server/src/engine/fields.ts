import { z } from 'zod'
import { ID_DIGITS, type Id, parseId, type Stored } from '../database/connection.ts'
import type { ProblemKey } from '../messages/errors.ts'
import type { Params } from '../messages/messages.ts'
import type { Operator } from './conditions.ts'
import { parseScaled } from './money.ts'

/** A JSON Schema, from which OpenAPI and forms are built. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Kind of values, by which they are compared in filters and sorted. */
export type Kind = 'text' | 'number' | 'boolean' | 'none'

/** Whether clients may set a field in new and in existing items. */
export interface Writable {
  create: boolean
  update: boolean
}

/** One field of a resource: its type (400), its range (422), its columns and its schema. */
export interface Field<T = unknown> {
  readonly schema: z.ZodType<T>
  readonly json: JsonSchema
  readonly kind: Kind
  readonly required: boolean
  readonly writable: Writable
  /** Whether it is part of representations. */
  readonly visible: boolean
  /** Returns the business rules that a value of the right type breaks. */
  range?(value: T): readonly RangeProblem[]
  /** Column types by suffix; none: the field has no column of its own. */
  readonly columns: Readonly<Record<string, 'integer' | 'text' | 'long'>>
  /** SQL that returns the value instead of a column of the table. */
  readonly select: string | undefined
  store(value: T): readonly Stored[]
  load(columns: readonly Stored[]): T
  /** Reads the value from the text of a query parameter, an XML element or a form field. */
  fromText(text: string): unknown
  /** Parses a filter value into the value of its column; `undefined` if it is invalid. */
  filter(text: string): Stored | undefined
  /** Whether two values are equal. @defaultValue whether their JSON is equal */
  isEqual?(a: T, b: T): boolean
  /** Creates the condition of a field with a value in several columns. */
  condition?(column: string, operator: Operator, texts: readonly string[]): FieldCondition | undefined
  /** Suffixes of the columns that the field is sorted by. @defaultValue the first one */
  readonly sortColumns?: readonly string[]
}

/** A broken business rule in a value. */
export interface RangeProblem {
  /** JSON Pointer from the value; empty for all of it. */
  pointer: string
  key: ProblemKey
  params?: Params
}

/** A condition as SQL, with one `?` for each value. */
export interface FieldCondition {
  sql: string
  values: readonly Stored[]
}

/** The value type of a field. */
export type ValueOf<F> = F extends Field<infer T> ? T : never

/** The parts of a field that have no default, and those that have one. */
export type Basics<T> = Pick<Field<T>, 'schema' | 'json'> &
  Partial<Pick<Field<T>, 'kind' | 'range' | 'columns' | 'store' | 'load' | 'fromText' | 'condition' | 'sortColumns'>>

/** Stores a value that its column can hold. */
export function storeAsIs(value: unknown): readonly Stored[] {
  return [value as Stored]
}

/** Loads what `storeAsIs` stored. */
export function loadAsIs([value]: readonly Stored[]): unknown {
  return value
}

/** Creates a field from its type. Everything else has a default. */
export function field<T>(basics: Basics<T>): Field<T> {
  const complete: Omit<Field<T>, 'filter'> = {
    kind: 'none',
    required: true,
    writable: { create: true, update: true },
    visible: true,
    columns: { '': 'text' },
    select: undefined,
    store: storeAsIs,
    load: loadAsIs as Field<T>['load'],
    fromText: (text) => text,
    ...basics,
  }
  const { schema, store, fromText } = complete
  return {
    ...complete,
    filter: (text) => {
      const parsed = schema.safeParse(fromText(text))
      return parsed.success ? store(parsed.data)[0] : undefined
    },
  }
}

// A line of text may contain letters of every script, but no control characters.
const CONTROL = /\p{Cc}/u

export interface TextOptions {
  /** @defaultValue 1 */
  min?: number
  max: number
  /** Pattern of the whole text, including its length. */
  pattern?: RegExp
  /** Message that describes `pattern` in words, with `min` and `max`. */
  format?: ProblemKey
}

/** Creates a custom issue, which `toProblems` reads. */
export function formatIssue(
  key: ProblemKey,
  params?: Params,
): { error: string; params: { key: ProblemKey; params?: Params } } {
  return { error: key, params: { key, ...(params && { params }) } }
}

/** A line of text, trimmed. */
export function text({ min = 1, max, pattern, format }: TextOptions): Field<string> {
  const line = z.string().trim()
  const schema = pattern
    ? line.refine(
        (value) => pattern.test(value),
        formatIssue(format ?? 'FORMAT.pattern', { min, max, pattern: pattern.source }),
      )
    : line.min(min).max(max)
  const isPlain = (value: string): boolean => !CONTROL.test(value) && value.isWellFormed()
  return field({
    schema: schema.refine(
      (value) => isPlain(value) || (pattern && !pattern.test(value)),
      formatIssue('FORMAT.control'),
    ),
    json: { type: 'string', minLength: min, maxLength: max, ...(pattern && { pattern: pattern.source }) },
    kind: 'text',
  })
}

/** Text of several lines. */
export function prose({ max }: { max: number }): Field<string> {
  return field({
    schema: z.string().trim().min(1).max(max),
    json: { type: 'string', minLength: 1, maxLength: max },
    kind: 'text',
  })
}

/** An email address. */
export function email(): Field<string> {
  return field({
    schema: z.email().max(254),
    json: { type: 'string', format: 'email', maxLength: 254 },
    kind: 'text',
  })
}

/** One of several words. */
export function choice<const W extends string>(...words: readonly W[]): Field<W> {
  return field<W>({
    schema: z.enum(words) as unknown as z.ZodType<W>,
    json: { type: 'string', enum: words },
    kind: 'text',
  })
}

/** Yes or no. */
export function flag(): Field<boolean> {
  return field({
    schema: z.boolean(),
    json: { type: 'boolean' },
    kind: 'boolean',
    columns: { '': 'integer' },
    store: (value) => [value ? 1 : 0],
    load: ([stored]) => Number(stored) === 1,
    fromText: (input) => (input === 'true' ? true : input === 'false' ? false : input),
  })
}

const INTEGER = /^-?(?:0|[1-9]\d{0,15})$/

function integerFromText(input: string): unknown {
  return INTEGER.test(input) ? Number(input) : input
}

/** An integer. A value out of range breaks a business rule. */
export function integer({ min, max }: { min: number; max: number }): Field<number> {
  return field({
    schema: z.number().int(),
    json: { type: 'integer', minimum: min, maximum: max },
    kind: 'number',
    range: (value) => (value < min || value > max ? [{ pointer: '', key: 'RANGE.between', params: { min, max } }] : []),
    columns: { '': 'integer' },
    fromText: integerFromText,
  })
}

/** The id of another item. That it exists is a business rule. */
export function reference(): Field<number> {
  return field({
    schema: z.number().int().min(1),
    json: { type: 'integer', minimum: 1 },
    kind: 'number',
    columns: { '': 'integer' },
    fromText: integerFromText,
  })
}

/** The 64-bit id of another item. */
export function longReference(): Field<Id> {
  return field<Id>({
    schema: z.union([z.number().int().min(1), z.string().refine((digits) => parseId(digits) !== undefined)]),
    json: { type: ['integer', 'string'], minimum: 1, pattern: ID_DIGITS.source },
    kind: 'number',
    columns: { '': 'long' },
    store: (id) => [BigInt(id)],
    load: ([digits]) => parseId(String(digits)) ?? 0,
    fromText: (input) => parseId(input) ?? input,
  })
}

/** A number with at most `scale` digits after the point, kept exactly. */
export function decimal({ min, max, scale }: { min: number; max: number; scale: number }): Field<number> {
  const unit = 10 ** scale
  const isExact = (value: number): boolean => parseScaled(String(value), scale) !== undefined
  return field({
    schema: z.number().refine(isExact, formatIssue('FORMAT.decimals', { count: scale })),
    json: { type: 'number', minimum: min, maximum: max, multipleOf: 1 / unit },
    kind: 'number',
    range: (value) => (value < min || value > max ? [{ pointer: '', key: 'RANGE.between', params: { min, max } }] : []),
    columns: { '': 'integer' },
    store: (value) => [parseScaled(String(value), scale) ?? null],
    load: ([stored]) => Number(stored) / unit,
    fromText: (input) => (/^-?\d{1,15}(?:\.\d{1,9})?$/.test(input) ? Number(input) : input),
  })
}

/** A day: `2026-11-21`. */
export function date(): Field<string> {
  return field({ schema: z.iso.date(), json: { type: 'string', format: 'date' }, kind: 'text' })
}

/** A time: `2026-11-21T07:30:00.000Z`. */
export function moment(): Field<string> {
  return field({
    schema: z.iso.datetime({ offset: true }).transform((value) => new Date(value).toISOString()),
    json: { type: 'string', format: 'date-time' },
    kind: 'text',
  })
}
