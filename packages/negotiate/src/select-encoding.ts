import { type ContentEncoding, ENCODINGS } from './codecs.ts'
import { compileEncodings } from './encodings.ts'
import type { NegotiationResult } from './offer-match.ts'

/** Smaller bodies are not compressed: it saves less than it costs. */
export const MIN_BYTES = 1024

/** The result of negotiation if nothing is compressed. */
export const IDENTITY: NegotiationResult = compileEncodings([])(undefined)

/**
 * Returns the encoding for a body of this size, or `undefined` for an empty one, and for a small
 * one that the client accepts uncompressed.
 */
export function selectEncoding(
  encodings: NegotiationResult,
  size: number,
  minBytes: number,
): ContentEncoding | undefined {
  const best = encodings.best?.value
  if (best === undefined || best === 'identity' || size === 0) return undefined
  return size < minBytes && acceptsIdentity(encodings) ? undefined : ENCODINGS.find((encoding) => encoding === best)
}

/** Whether the client accepts an uncompressed body. `identity` comes after all encodings. */
export function acceptsIdentity(encodings: NegotiationResult): boolean {
  return (encodings.all.at(-1)?.q ?? 1) > 0
}
