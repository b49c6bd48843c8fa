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

/** Throws unless the value is one of the allowed ones. The nearest one is a hint in the message. */
export function assertOneOf(owner: string, name: string, value: unknown, allowed: readonly unknown[]): void {
  if (allowed.includes(value)) return
  const words = allowed.filter((word) => typeof word === 'string')
  const near = typeof value === 'string' ? findNearestName(value, words) : undefined
  const hint = near === undefined ? '' : `, did you mean '${near}'?`
  const list = allowed.map((word) => (typeof word === 'string' ? `'${word}'` : String(word))).join(', ')
  throw new TypeError(`${owner}: ${name} must be one of ${list}, got ${inspectValue(value)}${hint}`)
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

/** Throws unless the value is a function. */
export function assertFunction(owner: string, name: string, value: unknown): void {
  if (typeof value !== 'function')
    throw new TypeError(`${owner}: ${name} must be a function, got ${inspectValue(value)}`)
}

/** Formats a value for messages: short, and never with the content of an object. */
export function inspectValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value)
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
