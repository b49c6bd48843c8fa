import { assertKnownOptions, inspectValue } from '../../../internal/options.ts'

/** Maximum sizes of a message. A message that exceeds one gets a fault `LimitExceeded`. */
export interface MessageLimits {
  /** Maximum bytes of the decompressed message. @defaultValue 1048576 (1 MiB) */
  maxBytes: number
  /** Maximum depth of nested elements. @defaultValue 64 */
  maxDepth: number
  /** Maximum number of elements. @defaultValue 20000 */
  maxElements: number
  /** Maximum number of children of an element. @defaultValue 10000 */
  maxChildren: number
  /**
   * Maximum number of attributes of an element, including namespace declarations. @defaultValue 64
   */
  maxAttributes: number
  /** Maximum characters of an attribute value. @defaultValue 8192 */
  maxAttributeLength: number
  /** Maximum characters of text directly in an element. @defaultValue 262144 */
  maxTextLength: number
  /** Maximum characters of the name of an element or attribute. @defaultValue 256 */
  maxNameLength: number
  /** Maximum number of header blocks. @defaultValue 64 */
  maxHeaderBlocks: number
}

export const DEFAULT_LIMITS: MessageLimits = {
  maxBytes: 1_048_576,
  maxDepth: 64,
  maxElements: 20_000,
  maxChildren: 10_000,
  maxAttributes: 64,
  maxAttributeLength: 8_192,
  maxTextLength: 262_144,
  maxNameLength: 256,
  maxHeaderBlocks: 64,
}

export const LIMIT_NAMES = Object.keys(DEFAULT_LIMITS) as (keyof MessageLimits)[]

/** For documents of the app, such as a WSDL, which do not come from an untrusted client. */
export const DOCUMENT_LIMITS: MessageLimits = {
  ...DEFAULT_LIMITS,
  maxBytes: 33_554_432,
  maxElements: 1_000_000,
  maxChildren: 100_000,
  maxTextLength: 1_048_576,
}

/** Completes the limits of a message. */
export function resolveLimits(owner: string, limits?: Partial<MessageLimits>): MessageLimits {
  return limits === undefined ? DEFAULT_LIMITS : completeLimits(owner, 'limits', limits, DEFAULT_LIMITS)
}

/** Completes limits. Throws a TypeError if one does not exist or is not a positive integer. */
export function completeLimits<Limits extends object>(
  owner: string,
  option: string,
  limits: Partial<Limits>,
  defaults: Limits,
): Limits {
  assertKnownOptions(`${owner}: ${option}`, limits, Object.keys(defaults))
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || Number(value) < 1)
      throw new TypeError(`${owner}: ${option}.${name} must be a positive integer, got ${inspectValue(value)}`)
  }
  return { ...defaults, ...limits }
}
