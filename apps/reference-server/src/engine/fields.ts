import { z } from 'zod'
import { ID_DIGITS, type Id, idOf, type Stored } from '../database/connection.ts'
import type { ProblemKey } from '../messages/errors.ts'
import type { Params } from '../messages/messages.ts'
import type { Operator } from './conditions.ts'
import { parseScaled } from './money.ts'

/** A JSON Schema, as OpenAPI and forms are made of it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** How a value is compared in filters and sorted. */
export type Kind = 'text' | 'number' | 'boolean' | 'none'

/** When a client may set a field. */
export interface Writable {
  create: boolean
  update: boolean
}

/** One field of a resource: its shape (400), its range (422), its column, its schema. */
export interface Field<T = unknown> {
  readonly schema: z.ZodType<T>
  readonly json: JsonSchema
  readonly kind: Kind
  readonly required: boolean
  readonly writable: Writable
  /** Whether it is part of representations. */
  readonly visible: boolean
  /** What is wrong with a value of the right shape, by the rules of the business. */
  range?(value: T): readonly RangeProblem[]
  /** Column types by suffix; none: the field has no column of its own. */
  readonly columns: Readonly<Record<string, 'integer' | 'text' | 'long'>>
  /** SQL that gives the value instead of a column of the table. */
  readonly select: string | undefined
  store(value: T): readonly Stored[]
  load(columns: readonly Stored[]): T
  /** Reads the value from the text of a query parameter, an XML element or a form field. */
  fromText(text: string): unknown
  /** Reads a filter value into what its column holds; `undefined`: it is none. */
  filter(text: string): Stored | undefined
  /** Whether two values are the same to the service. @defaultValue whether they are the same JSON */
  isEqual?(a: T, b: T): boolean
  /** Compares the columns of a field whose first column alone does not say its value. */
  condition?(column: string, operator: Operator, texts: readonly string[]): FieldCondition | undefined
  /** Suffixes of the columns that the field is sorted by. @defaultValue the first one */
  readonly sortColumns?: readonly string[]
}

/** What breaks a rule of the business, in a value. */
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

export interface Basics<T> {
  schema: z.ZodType<T>
  json: JsonSchema
  kind?: Kind
  range?: (value: T) => readonly RangeProblem[]
  columns?: Field['columns']
  store?: (value: T) => readonly Stored[]
  load?: (columns: readonly Stored[]) => T
  fromText?: (text: string) => unknown
  condition?: Field['condition']
  sortColumns?: readonly string[]
}

/** Makes a field of its shape; everything else has a default. */
export function field<T>(basics: Basics<T>): Field<T> {
  const { store = (value) => [value as Stored], load = ([value]) => value as T, fromText = (text) => text } = basics
  return {
    schema: basics.schema,
    json: basics.json,
    kind: basics.kind ?? 'none',
    required: true,
    writable: { create: true, update: true },
    visible: true,
    ...(basics.range && { range: basics.range }),
    ...(basics.condition && { condition: basics.condition }),
    ...(basics.sortColumns && { sortColumns: basics.sortColumns }),
    columns: basics.columns ?? { '': 'text' },
    select: undefined,
    store,
    load,
    fromText,
    filter: (text) => {
      const parsed = basics.schema.safeParse(fromText(text))
      return parsed.success ? store(parsed.data)[0] : undefined
    },
  }
}

// A name may hold every letter of every script; what no line of text may hold are control characters.
const CONTROL = /\p{Cc}/u

export interface TextOptions {
  /** @defaultValue 1 */
  min?: number
  max: number
  /** What the whole text must match, its length included. */
  pattern?: RegExp
  /** The message that says in words what `pattern` wants, with `min` and `max`. */
  format?: ProblemKey
}

/** An issue of our own, which `toProblems` reads. */
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

/** An e-mail address. */
export function email(): Field<string> {
  return field({
    schema: z.email().max(254),
    json: { type: 'string', format: 'email', maxLength: 254 },
    kind: 'text',
  })
}

/** One of a few words. */
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

/** A whole number; out of range is against a rule of the business. */
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

/** The id of something else: whether it exists is a rule of the business. */
export function reference(): Field<number> {
  return field({
    schema: z.number().int().min(1),
    json: { type: 'integer', minimum: 1 },
    kind: 'number',
    columns: { '': 'integer' },
    fromText: integerFromText,
  })
}

/** The 64-bit id of something else. */
export function longReference(): Field<Id> {
  return field<Id>({
    schema: z.union([z.number().int().min(1), z.string().refine((digits) => idOf(digits) !== undefined)]),
    json: { type: ['integer', 'string'], minimum: 1, pattern: ID_DIGITS.source },
    kind: 'number',
    columns: { '': 'long' },
    store: (id) => [BigInt(id)],
    load: ([digits]) => idOf(String(digits)) ?? 0,
    fromText: (input) => idOf(input) ?? input,
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

/** A moment: `2026-11-21T07:30:00.000Z`. */
export function moment(): Field<string> {
  return field({
    schema: z.iso.datetime({ offset: true }).transform((value) => new Date(value).toISOString()),
    json: { type: 'string', format: 'date-time' },
    kind: 'text',
  })
}
