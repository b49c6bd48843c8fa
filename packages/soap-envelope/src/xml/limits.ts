import { refuseUnknown, shown } from '../../../internal/options.ts'

/** What a message may hold at most. A message beyond a limit gets a fault `LimitExceeded`. */
export interface Limits {
  /** Bytes of the message after decompression. @defaultValue 1 MiB */
  bytes: number
  /** Elements inside each other. @defaultValue 64 */
  depth: number
  /** Elements in the whole message. @defaultValue 20,000 */
  elements: number
  /** Children of one element. @defaultValue 10,000 */
  children: number
  /** Attributes of one element, namespace declarations included. @defaultValue 64 */
  attributes: number
  /** Characters of one attribute value. @defaultValue 8,192 */
  attributeValue: number
  /** Characters of text directly in one element. @defaultValue 262,144 */
  text: number
  /** Characters of an element's or attribute's name. @defaultValue 256 */
  name: number
  /** Blocks in the Header. @defaultValue 64 */
  headers: number
}

export const DEFAULT_LIMITS: Limits = {
  bytes: 1_048_576,
  depth: 64,
  elements: 20_000,
  children: 10_000,
  attributes: 64,
  attributeValue: 8_192,
  text: 262_144,
  name: 256,
  headers: 64,
}

const NAMES = Object.keys(DEFAULT_LIMITS)

/** For documents of our own, such as a WSDL: they are not what a stranger sends. */
export const DOCUMENT_LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  bytes: 33_554_432,
  elements: 1_000_000,
  children: 100_000,
  text: 1_048_576,
}

/** Completes limits; throws a TypeError on one that does not exist or is no positive integer. */
export function limitsOf(owner: string, given: Partial<Limits> = {}): Limits {
  refuseUnknown(owner, given, NAMES)
  for (const [name, value] of Object.entries(given)) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new TypeError(`${owner}: limits.${name} must be a positive integer, got ${shown(value)}`)
  }
  return { ...DEFAULT_LIMITS, ...given }
}
