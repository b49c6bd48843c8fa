import { toVariantPart, toVersionPart } from './etag.ts'
import type { NegotiationResult } from './offer-match.ts'
import { parseETag, someTag } from './parse-etags.ts'
import type { Representation } from './representation.ts'

/** The common part of the ETags of a representation, before the suffix for the encoding. */
export interface ETagStem {
  readonly weak: boolean
  /** `<version>.<variant>`. */
  readonly text: string
}

/** Returns the stem if it can be built without the body. */
export function createStem(representation: Representation): ETagStem | undefined {
  const { etag, version } = representation
  if (etag === false) return undefined
  if (etag !== undefined) return parseStem(etag)
  return version === undefined ? undefined : buildStem(toVersionPart(version), representation)
}

/** Builds the stem from a version, or from a hash of the body. */
export function buildStem(version: string, representation: Representation): ETagStem {
  return { weak: false, text: `${version}.${toVariantPart(representation)}` }
}

/** Formats the ETag for an encoding. Every encoding has its own (RFC 9110 §8.8.3.3). */
export function formatTag({ weak, text }: ETagStem, encoding: string): string {
  return `${weak ? 'W/' : ''}"${text}${encoding === 'identity' ? '' : `.${encoding}`}"`
}

/**
 * Returns the encoding of the ETag in a conditional header that belongs to this representation, if
 * the client still accepts that encoding.
 */
export function findHeldEncoding(header: string, stem: ETagStem, encodings: NegotiationResult): string | undefined {
  const { text } = stem
  if (!header.includes(`"${text}`)) return undefined
  let held: string | undefined
  someTag(header, (start, end) => {
    if (!header.startsWith(text, start)) return false
    const next = start + text.length
    if (next > end || (next < end && header.charAt(next) !== '.')) return false
    const encoding = next === end ? 'identity' : header.slice(next + 1, end)
    held = encodings.all.find((match) => match.value === encoding && match.q > 0)?.value
    return held !== undefined
  })
  return held
}

function parseStem(etag: string): ETagStem {
  const tag = parseETag(etag)
  if (tag === undefined)
    throw new TypeError(`negotiate: sendRepresentation: etag must be an ETag in quotes, got ${etag}`)
  return { weak: tag.weak, text: tag.opaque }
}
