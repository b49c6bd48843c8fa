import { assertKnownOptions, inspectValue } from '../../../internal/options.ts'

/** Maximum sizes of a message. A message beyond a limit gets a fault `LimitExceeded`. */
export interface MessageLimits {
  /** Bytes of the message after decompression. @defaultValue 1 MiB */
  maxBytes: number
  /** Elements inside each other. @defaultValue 64 */
  maxDepth: number
  /** Elements in the whole message. @defaultValue 20,000 */
  maxElements: number
  /** Children of one element. @defaultValue 10,000 */
  maxChildren: number
  /** Attributes of one element, namespace declarations included. @defaultValue 64 */
  maxAttributes: number
  /** Characters of one attribute value. @defaultValue 8,192 */
  maxAttributeLength: number
  /** Characters of text directly in one element. @defaultValue 262,144 */
  maxTextLength: number
  /** Characters of an element's or attribute's name. @defaultValue 256 */
  maxNameLength: number
  /** Blocks in the Header. @defaultValue 64 */
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

/** For documents of our own, such as a WSDL: they are not what a stranger sends. */
export const DOCUMENT_LIMITS: MessageLimits = {
  ...DEFAULT_LIMITS,
  maxBytes: 33_554_432,
  maxElements: 1_000_000,
  maxChildren: 100_000,
  maxTextLength: 1_048_576,
}

/** Completes limits. Throws a TypeError if one does not exist or is not a positive integer. */
export function resolveLimits(owner: string, limits?: Partial<MessageLimits>): MessageLimits {
  if (limits === undefined) return DEFAULT_LIMITS
  assertKnownOptions(owner, limits, LIMIT_NAMES)
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new TypeError(`${owner}: limits.${name} must be a positive integer, got ${inspectValue(value)}`)
  }
  return { ...DEFAULT_LIMITS, ...limits }
}
