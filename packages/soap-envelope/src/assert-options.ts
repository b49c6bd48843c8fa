import {
  assertInteger,
  assertKnownOptions,
  assertOneOf,
  assertType,
  inspectValue,
  type OptionTypes,
} from '../../internal/options.ts'

/**
 * Rule for an option: values of a type, some words, or integers. `any` is for options that are
 * checked where they are read.
 */
type Rule = OptionTypes[string] | 'any' | readonly string[] | { readonly min: number; readonly max?: number }

/** A rule for each option. */
export type OptionRules<Options> = { readonly [Name in keyof Options]-?: Rule }

/** Durations in milliseconds: a timer of Node fires at once if it is longer. */
export const TIMEOUT_MS = { min: 1, max: 2_147_483_647 }

/** Throws on an option that does not exist, or is not what its rule accepts. */
export function assertOptions<Options extends object>(
  owner: string,
  options: Options,
  rules: OptionRules<Options>,
): void {
  assertKnownOptions(owner, options, Object.keys(rules))
  for (const name in rules) {
    const value: unknown = options[name]
    const rule: Rule = rules[name]
    if (value === undefined || rule === 'any') continue
    if (typeof rule === 'string') assertType(owner, name, value, rule)
    else if ('min' in rule) assertInteger(owner, name, value, rule)
    else assertOneOf(owner, name, value, rule)
  }
}

/** Throws unless the value is an array of qualified names, or what `other` describes. */
export function assertNames(owner: string, name: string, value: unknown, other: string): void {
  if (!Array.isArray(value) || !value.every(isName))
    throw new TypeError(`${owner}: ${name} must be ${other} or an array of { uri, local }, got ${inspectValue(value)}`)
}

/** Whether a value is a qualified name. */
export function isName(value: unknown): boolean {
  const { uri, local } = Object(value)
  return typeof uri === 'string' && typeof local === 'string'
}

/** Throws unless the headers are a record of strings. The message omits them, as secrets. */
export function assertHeaders(owner: string, headers: object = {}): void {
  // Headers and Map are iterable, and have no properties that could be sent.
  const isRecord = typeof headers === 'object' && headers !== null && !(Symbol.iterator in headers)
  if (!isRecord || !Object.values(headers).every((value) => typeof value === 'string'))
    throw new TypeError(`${owner}: headers must be a record of strings`)
}
