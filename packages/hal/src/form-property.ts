import { toHtmlPattern } from './html-pattern.ts'
import { isObject, type JsonSchema, type ResolveSchema } from './json-schema.ts'

/** A field of a form (HAL-FORMS, "The Property Element"). */
export interface FormProperty {
  /** Name of the property in the body. */
  name: string
  /** Human-readable label. */
  prompt?: string
  /** Whether the value is shown but cannot be changed. */
  readOnly?: boolean
  /** A pattern for the whole value, in the syntax of `pattern` in HTML. */
  regex?: string
  /** Whether the form must not be sent without a value. */
  required?: boolean
  /** Whether `value` is a URI template. */
  templated?: boolean
  /** The initial value. */
  value?: string
  /** Type of the field, as for `input` of HTML. */
  type?: FormInputType
  /** Minimum. */
  min?: number
  /** Maximum. */
  max?: number
  /** Minimum number of characters. */
  minLength?: number
  /** Maximum number of characters. */
  maxLength?: number
  /** Step of a number, counted from `min`. */
  step?: number
  /** Text of an empty field. */
  placeholder?: string
  /** Width of a `textarea` in characters. */
  cols?: number
  /** Height of a `textarea` in lines. */
  rows?: number
  /** The values to choose from. */
  options?: FormOptions
}

export type FormInputType =
  | ('hidden' | 'text' | 'textarea' | 'search' | 'tel' | 'url' | 'email' | 'password' | 'color')
  | ('date' | 'month' | 'week' | 'time' | 'datetime-local' | 'number' | 'range')

/** The possible values of a field: listed, or fetched from a link. */
export interface FormOptions {
  /** The values, each as a string or with a label. */
  inline?: readonly (string | { prompt: string; value: string })[]
  /** Link to the values: a HAL-FORMS link object. */
  link?: { href: string; type?: string; templated?: boolean }
  /** The property of a fetched value with its label; `prompt` if omitted. */
  promptField?: string
  /** The property of a fetched value that is sent; `value` if omitted. */
  valueField?: string
  /** Minimum number of values. */
  minItems?: number
  /** Maximum number of values; more than one makes the field a list. */
  maxItems?: number
  /** The initially selected values. */
  selectedValues?: readonly string[]
}

// A date-time stays a text field: `datetime-local` has no offset, so a validator of RFC 3339 would
// reject it.
const TYPES: Readonly<Record<string, FormInputType>> = {
  email: 'email',
  'idn-email': 'email',
  uri: 'url',
  iri: 'url',
  date: 'date',
  time: 'time',
  password: 'password',
}

/**
 * Converts a resolved property of a JSON Schema to a field, so that a form asks for input that the
 * validator accepts.
 */
export function toFormProperty(
  name: string,
  rules: JsonSchema,
  required: boolean,
  resolve: ResolveSchema,
): FormProperty {
  const property: FormProperty = { name }
  if (typeof rules.title === 'string') property.prompt = rules.title
  if (rules.readOnly === true) property.readOnly = true
  if (required) property.required = true
  const regex = typeof rules.pattern === 'string' ? toHtmlPattern(rules.pattern) : undefined
  if (regex !== undefined) property.regex = regex
  const value = rules.const ?? rules.default
  if (isScalar(value)) property.value = String(value)
  if (rules.const !== undefined) property.type = 'hidden'
  else addType(property, rules)
  addBounds(property, rules)
  const options = toFormOptions(rules, required, resolve)
  if (options) property.options = options
  return property
}

function addType(property: FormProperty, rules: JsonSchema): void {
  const type = rules.type === 'number' || rules.type === 'integer' ? 'number' : TYPES[String(rules.format)]
  if (rules.writeOnly === true && rules.type === 'string') property.type = 'password'
  else if (type !== undefined) property.type = type
}

function addBounds(property: FormProperty, rules: JsonSchema): void {
  const step = rules.type === 'integer' ? 1 : undefined
  const bounds = {
    min: rules.minimum ?? shiftBound(rules.exclusiveMinimum, step),
    max: rules.maximum ?? shiftBound(rules.exclusiveMaximum, step && -step),
    minLength: rules.minLength,
    maxLength: rules.maxLength,
    step: rules.multipleOf ?? step,
  }
  for (const name of ['min', 'max', 'minLength', 'maxLength', 'step'] as const) {
    const bound = bounds[name]
    // Schema libraries add the limits of safe integers to every integer, so they are not rules.
    if (typeof bound === 'number' && Math.abs(bound) !== Number.MAX_SAFE_INTEGER) property[name] = bound
  }
}

function shiftBound(bound: unknown, step: number | undefined): number | undefined {
  return typeof bound === 'number' && step !== undefined ? bound + step : undefined
}

function toFormOptions(rules: JsonSchema, required: boolean, resolve: ResolveSchema): FormOptions | undefined {
  if (rules.type === 'boolean') return { inline: ['true', 'false'], maxItems: 1 }
  if (Array.isArray(rules.enum))
    return { inline: rules.enum.filter(isScalar).map(String), ...(required && { minItems: 1 }), maxItems: 1 }
  const items = rules.type === 'array' && isObject(rules.items) ? resolve(rules.items) : {}
  if (!Array.isArray(items.enum)) return undefined
  const { minItems, maxItems } = rules
  return {
    inline: items.enum.filter(isScalar).map(String),
    ...(typeof minItems === 'number' && { minItems }),
    ...(typeof maxItems === 'number' && { maxItems }),
  }
}

export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
