import { findNearestName } from './near-name.ts'

/**
 * Throws on an option that does not exist, since a typo must not weaken a limit, and on options
 * that are not an object: `TypeError: ratelimit: unknown option "limt", did you mean "limit"?`.
 * `peerNames` maps options of well-known peers to ours: `{ limit: 'rate' }`.
 */
export function assertKnownOptions(
  owner: string,
  options: unknown,
  supported: readonly string[],
  peerNames?: Readonly<Record<string, string>>,
): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`${owner}: options must be an object, got ${inspectValue(options)}`)
  for (const name of Object.keys(options)) {
    if (supported.includes(name)) continue
    const near = findNearestName(name, supported, peerNames)
    const hint = near === undefined ? `supported options: ${supported.join(', ')}` : `did you mean "${near}"?`
    throw new TypeError(`${owner}: unknown option "${name}", ${hint}`)
  }
}

/** Types of options, as an error message says them. */
const TYPES = {
  boolean: 'true or false',
  string: 'a string',
  function: 'a function',
  object: 'an object',
  array: 'an array',
  strings: 'an array of strings',
  functions: 'an array of functions',
  objects: 'an array of objects',
}

export type OptionTypes = Readonly<Record<string, keyof typeof TYPES>>

/** Throws on an option of another type. `undefined` is the default. */
export function assertTypes(owner: string, options: object, types: OptionTypes): void {
  for (const name in types) {
    const value = (options as Readonly<Record<string, unknown>>)[name]
    if (value !== undefined) assertType(owner, name, value, types[name] as keyof typeof TYPES)
  }
}

/** Throws unless the value has the type. */
export function assertType(owner: string, name: string, value: unknown, type: keyof typeof TYPES): void {
  if (!hasType(value, type)) throw new TypeError(`${owner}: ${name} must be ${TYPES[type]}, got ${inspectValue(value)}`)
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type.endsWith('s')) return Array.isArray(value) && value.every((item) => hasType(item, type.slice(0, -1)))
  return typeof value === type && value !== null && !Array.isArray(value)
}

/**
 * Throws unless the value is one of the allowed ones, or a function if one is allowed. The nearest
 * one is a hint in the message.
 */
export function assertOneOf(
  owner: string,
  name: string,
  value: unknown,
  allowed: readonly unknown[],
  orFunction = false,
): void {
  if (allowed.includes(value) || (orFunction && typeof value === 'function')) return
  const words = allowed.filter((word) => typeof word === 'string')
  const near = typeof value === 'string' ? findNearestName(value, words) : undefined
  const hint = near === undefined ? '' : `, did you mean '${near}'?`
  const list = allowed.map((word) => (typeof word === 'string' ? `'${word}'` : String(word))).join(', ')
  const all = orFunction ? `${list}, or a function` : list
  throw new TypeError(`${owner}: ${name} must be one of ${all}, got ${inspectValue(value)}${hint}`)
}

/** The same for words and functions. `undefined` is the default. */
export function assertWordOrFunction(owner: string, name: string, value: unknown, words: readonly string[]): void {
  if (value !== undefined) assertOneOf(owner, name, value, words, true)
}

/** Throws unless the value is an integer within the limits, both inclusive. */
export function assertInteger(
  owner: string,
  name: string,
  value: unknown,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
): void {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return
  const limits = max === Number.MAX_SAFE_INTEGER ? `an integer of ${min} or more` : `an integer from ${min} to ${max}`
  throw new TypeError(`${owner}: ${name} must be ${limits}, got ${inspectValue(value)}`)
}

/** Creates the error of an argument of another type. Callers check it, which costs no call. */
export function createArgumentError(owner: string, name: string, meaning: string, value: unknown): TypeError {
  return new TypeError(`${owner}: ${name} must be ${meaning}, got ${inspectValue(value)}`)
}

/** Throws unless the value has a method, by which a client or database is recognized. */
export function assertMethod(owner: string, name: string, value: unknown, method: string, meaning: string): void {
  if (typeof (value as Readonly<Record<string, unknown>> | null | undefined)?.[method] !== 'function')
    throw new TypeError(`${owner}: ${name} must be ${meaning}, got ${inspectValue(value)}`)
}

/** Formats a value for messages: short, and never with the content of an object. */
export function inspectValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value)
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
