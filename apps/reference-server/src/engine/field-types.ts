import * as z from 'zod'
import { ID_DIGITS, type Id, parseId } from '../database/connection.ts'
import type { ProblemKey } from '../messages/errors.ts'
import type { Params } from '../messages/messages.ts'
import { Field, type Fields, objectSchema, type RangeProblem, type ValuesOf } from './field.ts'
import * as money from './money.ts'

export interface TextOptions {
  /** @defaultValue 1 */
  min?: number
  max: number
  /** Pattern of the whole text, including its length. */
  pattern?: RegExp
  /** Message that describes `pattern` in words, with `min` and `max`. */
  format?: ProblemKey
}

// A line of text may contain letters of every script, but no control characters.
const CONTROL = /\p{Cc}/u

/** A line of text, trimmed. */
export function text({ min = 1, max, pattern, format }: TextOptions): Field<string> {
  const line = z.string().trim()
  const schema = pattern
    ? line
        .max(max)
        .refine(
          (value) => value.length > max || pattern.test(value),
          formatIssue(format ?? 'FORMAT.pattern', { min, max, pattern: pattern.source }),
        )
    : line.min(min).max(max)
  const isPlain = (value: string): boolean => !CONTROL.test(value) && value.isWellFormed()
  return new Field({
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
  return new Field({
    schema: z.string().trim().min(1).max(max).refine(isStorable, formatIssue('FORMAT.control')),
    json: { type: 'string', minLength: 1, maxLength: max },
    kind: 'text',
    isProse: true,
  })
}

/** Whether every database stores a text: PostgreSQL has no NUL, and UTF-8 no lone surrogates. */
export function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed()
}

/** An email address. */
export function email(): Field<string> {
  return new Field({
    schema: z.email().max(254),
    json: { type: 'string', format: 'email', maxLength: 254 },
    kind: 'text',
  })
}

/** One of several words. */
export function choice<const W extends string>(...words: readonly W[]): Field<W> {
  return new Field<W>({
    schema: z.enum(words) as unknown as z.ZodType<W>,
    json: { type: 'string', enum: words },
    kind: 'text',
  })
}

/** Yes or no. */
export function boolean(): Field<boolean> {
  return new Field({
    schema: z.boolean(),
    json: { type: 'boolean' },
    kind: 'boolean',
    columns: { '': 'integer' },
    store: (value) => [value ? 1 : 0],
    load: (stored) => Number(stored) === 1,
    fromText: (input) => (input === 'true' ? true : input === 'false' ? false : input),
  })
}

interface Limits {
  min: number
  max: number
}

/** An integer. A value out of range breaks a business rule. */
export function integer({ min, max }: Limits): Field<number> {
  // Every number beyond is an integer, too: only its range is wrong.
  const toSafe = (value: number): number => Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
  return new Field({
    schema: z.number().overwrite(toSafe).int(),
    json: { type: 'integer', minimum: min, maximum: max },
    kind: 'number',
    range: requireBetween({ min, max }),
    columns: { '': 'integer' },
    fromText: integerFromText,
  })
}

/** The id of another item. That it exists is a business rule. */
export function reference(): Field<number> {
  return new Field({
    schema: z.number().int().min(1),
    json: { type: 'integer', minimum: 1 },
    kind: 'number',
    columns: { '': 'integer' },
    fromText: integerFromText,
  })
}

/** The 64-bit id of another item. */
export function longReference(): Field<Id> {
  const range = formatIssue('RANGE.between', { min: 1, max: '9223372036854775807' })
  // Aborts for other texts than integers: then neither type of the union fits.
  const digits = z.string().regex(/^-?(?:0|[1-9]\d*)$/, { abort: true })
  return new Field<Id>({
    schema: z.union([
      z.number().int().min(1),
      // The same id has one value. A transformation would hide the issues of this part.
      digits
        .refine((text) => parseId(text) !== undefined, range)
        .overwrite((text) => (parseId(text) ?? text) as string),
    ]),
    json: { type: ['integer', 'string'], minimum: 1, pattern: ID_DIGITS.source },
    kind: 'number',
    columns: { '': 'long' },
    store: (id) => [BigInt(id)],
    load: (digits) => parseId(String(digits)) ?? 0,
    fromText: (input) => parseId(input) ?? input,
  })
}

/** A number with at most `scale` digits after the point, kept exactly. */
export function decimal({ min, max, scale }: Limits & { scale: number }): Field<number> {
  const unit = 10 ** scale
  const isExact = (value: number): boolean => Number(value.toFixed(scale)) === value
  return new Field({
    schema: z.number().refine(isExact, formatIssue('FORMAT.decimals', { count: scale })),
    json: { type: 'number', minimum: min, maximum: max, multipleOf: 1 / unit },
    kind: 'number',
    range: requireBetween({ min, max }),
    columns: { '': 'integer' },
    store: (value) => [Math.round(value * unit)],
    load: (stored) => Number(stored) / unit,
    fromText: (input) => (/^-?\d{1,15}(?:\.\d{1,9})?$/.test(input) ? Number(input) : input),
  })
}

/** A day: `2026-11-21`. */
export function date(): Field<string> {
  return new Field({ schema: z.iso.date(), json: { type: 'string', format: 'date' }, kind: 'text' })
}

/** A time: `2026-11-21T07:30:00.000Z`. */
export function dateTime(): Field<string> {
  return new Field({
    schema: z.iso.datetime({ offset: true }).transform((value) => new Date(value).toISOString()),
    json: { type: 'string', format: 'date-time' },
    kind: 'text',
  })
}

export interface MoneyOptions {
  /** The smallest amount is one minor unit of its currency, instead of zero. @defaultValue false */
  positive?: boolean
  /** Largest amount by currency. @defaultValue none */
  max?: money.Money
  /** @defaultValue all currencies of the service */
  currencies?: readonly string[]
}

/** An exact amount and its currency, in two columns. */
function moneyField({ positive = false, max, currencies = money.CURRENCIES }: MoneyOptions = {}): Field<money.Money> {
  const shape = z.strictObject({ amount: z.string().max(20), currency: z.enum(currencies) })
  return new Field<money.Money>({
    schema: shape.transform((value, context) => {
      const issue = amountIssue(value.amount, value.currency)
      if (!issue) return money.parse(value.amount, value.currency) ?? value
      context.addIssue({ code: 'custom', message: issue.error, params: issue.params, path: ['amount'] })
      return z.NEVER
    }),
    json: {
      type: 'object',
      properties: {
        amount: {
          type: 'string',
          maxLength: 20,
          pattern: `^-?\\d{1,${money.MAX_WHOLE_DIGITS}}(\\.\\d{1,${money.MAX_DIGITS}})?$`,
          examples: ['10.00'],
        },
        currency: { type: 'string', enum: currencies },
      },
      required: ['amount', 'currency'],
      additionalProperties: false,
    },
    kind: 'number',
    range: ({ amount, currency }) => {
      const least = money.fromUnits(positive ? 1 : 0, currency)
      const units = 10 ** (money.MAX_WHOLE_DIGITS + money.countDigits(currency)) - 1
      const most = max?.currency === currency ? max : money.fromUnits(units, currency)
      if (Number(amount) < Number(least.amount))
        return [{ pointer: '/amount', key: 'RANGE.min', params: { min: least.amount } }]
      if (Number(amount) <= Number(most.amount)) return []
      return [{ pointer: '/amount', key: 'RANGE.max', params: { max: most.amount } }]
    },
    columns: { '': 'integer', Currency: 'text' },
    store: (value) => [money.toUnits(value), value.currency],
    load: (units, currency) => money.fromUnits(Number(units), String(currency)),
    fromText: (input) => {
      const [amount, currency] = input.split(' ')
      return { amount, currency }
    },
    condition: money.compareColumn,
    sortColumns: ['Currency', ''],
  })
}

export { moneyField as money }

/** A list of values, stored as JSON. */
export function list<T>(of: Field<T>, { max = 1000 }: { max?: number } = {}): Field<T[]> {
  const { range } = of
  return new Field<T[]>({
    schema: z.array(of.schema).max(max),
    json: { type: 'array', items: of.json, maxItems: max },
    range:
      range &&
      ((values) => {
        const problems: RangeProblem[] = []
        for (const [index, value] of values.entries())
          for (const problem of range(value)) problems.push({ ...problem, pointer: `/${index}${problem.pointer}` })
        return problems
      }),
    store: (value) => [JSON.stringify(value)],
    load: (stored): T[] => JSON.parse(String(stored ?? '[]')),
    fromText: (input) =>
      input
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(of.fromText),
  })
}

export interface GroupOptions {
  /** Whether one of its members must be there. @defaultValue false */
  atLeastOne?: boolean
}

/** An object with fields inside a resource, stored as JSON. */
export function group<const G extends Fields>(
  fields: G,
  { atLeastOne = false }: GroupOptions = {},
): Field<ValuesOf<G>> {
  const entries = Object.entries(fields)
  const shape = Object.fromEntries(
    entries.map(([name, { schema, required }]) => [name, required ? schema : schema.optional()]),
  )
  const object = z.strictObject(shape) as unknown as z.ZodType<ValuesOf<G>>
  const ranges = entries.flatMap(([name, { range }]) => (range ? [{ name, range }] : []))
  const issue = formatIssue('REQUIRED.oneOf', { names: Object.keys(fields) })
  return new Field({
    schema: atLeastOne ? object.refine((value) => Object.keys(value).length > 0, issue) : object,
    json: { ...objectSchema(fields), additionalProperties: false, ...(atLeastOne && { minProperties: 1 }) },
    range(value) {
      const problems: RangeProblem[] = []
      for (const { name, range } of ranges) {
        const member = value[name]
        if (member === undefined) continue
        for (const problem of range(member)) problems.push({ ...problem, pointer: `/${name}${problem.pointer}` })
      }
      return problems
    },
    store: (value) => [JSON.stringify(value)],
    load: (stored): ValuesOf<G> => JSON.parse(String(stored)),
  })
}

/** Creates a custom issue, which `toProblems` reads. */
function formatIssue(key: ProblemKey, params?: Params) {
  return { error: key, params: { key, ...(params && { params }) } }
}

// `1.001` is an amount that only has too many decimals, a longer number one that is out of range.
const AMOUNT = /^-?(?:\d{1,13}|[1-9]\d*)(?:\.(\d+))?$/

function amountIssue(amount: string, currency: string): ReturnType<typeof formatIssue> | undefined {
  const count = money.countDigits(currency)
  const [match, decimals = ''] = AMOUNT.exec(amount) ?? []
  if (match === undefined) return formatIssue('FORMAT.decimal', { count, example: money.zero(currency).amount })
  return decimals.length > count ? formatIssue('FORMAT.decimals', { count }) : undefined
}

function requireBetween({ min, max }: Limits): (value: number) => RangeProblem[] {
  return (value) => (value < min || value > max ? [{ pointer: '', key: 'RANGE.between', params: { min, max } }] : [])
}

const INTEGER = /^-?(?:0|[1-9]\d{0,15})$/

function integerFromText(input: string): unknown {
  return INTEGER.test(input) ? Number(input) : input
}
