import { type ContentEncoding, ENCODINGS } from './coding.ts'
import { compileEncodings } from './encodings.ts'
import type { NegotiationResult } from './offer-match.ts'

/** Bytes of a body below which a coding saves less than it costs. */
export const MIN_BYTES = 1024

/** What is said where nothing is coded. */
export const IDENTITY: NegotiationResult = compileEncodings([])(undefined)

/** The coding for a body of this size: none for what is small, unless the client refuses the body as it is. */
export function selectEncoding(
  codings: NegotiationResult,
  size: number,
  minBytes: number,
): ContentEncoding | undefined {
  const best = codings.best?.value
  if (best === undefined || best === 'identity') return undefined
  return size < minBytes && acceptsIdentity(codings) ? undefined : ENCODINGS.find((coding) => coding === best)
}

/** Whether the client takes a body as it is: `identity` stands behind all codings. */
export function acceptsIdentity(codings: NegotiationResult): boolean {
  return (codings.all.at(-1)?.q ?? 1) > 0
}
