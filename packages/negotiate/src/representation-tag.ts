import { variantPart, versionPart } from './etag.ts'
import type { NegotiationResult } from './offer-match.ts'
import { parseEntityTag, someTag } from './parse-etags.ts'
import type { Representation } from './representation.ts'

/** What the entity tags of one representation have in common; its codings differ in what follows. */
export interface Stem {
  readonly weak: boolean
  /** `<version>.<variant>`. */
  readonly text: string
}

/** The stem that is known before the body is. */
export function createStem(representation: Representation): Stem | undefined {
  const { etag, version } = representation
  if (etag === false) return undefined
  if (etag !== undefined) return ownStem(etag)
  return version === undefined ? undefined : stemFrom(versionPart(version), representation)
}

/** The stem of a version, or of a hash of the body. */
export function stemFrom(version: string, representation: Representation): Stem {
  return { weak: false, text: `${version}.${variantPart(representation)}` }
}

/** The entity tag of one coding. Every coding has its own (RFC 9110 8.8.3.3). */
export function formatTag({ weak, text }: Stem, coding: string): string {
  return `${weak ? 'W/' : ''}"${text}${coding === 'identity' ? '' : `.${coding}`}"`
}

/** The coding of the tag in a conditional field that belongs to this representation, if the client takes it now. */
export function codingHeld(field: string, stem: Stem, codings: NegotiationResult): string | undefined {
  const { text } = stem
  if (!field.includes(`"${text}`)) return undefined
  let held: string | undefined
  someTag(field, (start, end) => {
    if (!field.startsWith(text, start)) return false
    const next = start + text.length
    if (next > end || (next < end && field.charAt(next) !== '.')) return false
    const coding = next === end ? 'identity' : field.slice(next + 1, end)
    held = codings.all.find((choice) => choice.value === coding && choice.q > 0)?.value
    return held !== undefined
  })
  return held
}

function ownStem(etag: string): Stem {
  const tag = parseEntityTag(etag)
  if (tag === undefined)
    throw new TypeError(`negotiate: sendRepresentation: etag must be an entity tag in quotes, got ${etag}`)
  return { weak: tag.weak, text: tag.opaque }
}
