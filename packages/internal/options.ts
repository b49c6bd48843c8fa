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

/** Types of options by their word in `assertTypes()`. */
const TYPES = {
  boolean: { meaning: 'true or false', matches: (value: unknown) => typeof value === 'boolean' },
  string: { meaning: 'a string', matches: (value: unknown) => typeof value === 'string' },
  function: { meaning: 'a function', matches: (value: unknown) => typeof value === 'function' },
  object: { meaning: 'an object', matches: isPlainObject },
  strings: { meaning: 'an array of strings', matches: isStringList },
}

export type OptionTypes = Readonly<Record<string, keyof typeof TYPES>>

/** Throws on an option of another type. `undefined` is the default. */
export function assertTypes(owner: string, options: object, types: OptionTypes): void {
  for (const name in types) {
    const value = (options as Readonly<Record<string, unknown>>)[name]
    if (value === undefined) continue
    const { meaning, matches } = TYPES[types[name] as keyof typeof TYPES]
    if (!matches(value)) throw new TypeError(`${owner}: ${name} must be ${meaning}, got ${inspectValue(value)}`)
  }
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isStringList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** Throws unless the value is one of the allowed ones. The nearest one is a hint in the message. */
export function assertOneOf(owner: string, name: string, value: unknown, allowed: readonly unknown[]): void {
  if (!allowed.includes(value)) throw createChoiceError(owner, name, value, allowed, '')
}

/** Throws unless the value is one of the words or a function. `undefined` is the default. */
export function assertWordOrFunction(owner: string, name: string, value: unknown, words: readonly string[]): void {
  if (value === undefined || typeof value === 'function' || words.includes(value as string)) return
  throw createChoiceError(owner, name, value, words, ', or a function')
}

function createChoiceError(
  owner: string,
  name: string,
  value: unknown,
  allowed: readonly unknown[],
  alternative: string,
): TypeError {
  const words = allowed.filter((word) => typeof word === 'string')
  const near = typeof value === 'string' ? findNearestName(value, words) : undefined
  const hint = near === undefined ? '' : `, did you mean '${near}'?`
  const list = allowed.map((word) => (typeof word === 'string' ? `'${word}'` : String(word))).join(', ')
  return new TypeError(`${owner}: ${name} must be one of ${list}${alternative}, got ${inspectValue(value)}${hint}`)
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
