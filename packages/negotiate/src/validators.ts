import { hash } from 'node:crypto'
import { MAX_MS } from '../../internal/date.ts'
import { createArgumentError, inspectValue } from '../../internal/options.ts'
import { isToken } from './media-type.ts'
import type { NegotiationResult } from './offer-match.ts'
import { assertETag, someTag } from './parse-etags.ts'
import type { Representation } from './representation.ts'

/** Properties by which the representations of a resource differ. */
export interface ETagVariant {
  /** Media type of the representation. */
  type?: string | undefined
  /** Language of the representation. */
  language?: string | undefined
  /** Any other difference between representations, such as an API version. */
  variant?: string | undefined
  /** Content encoding; `identity` is not part of the ETag. */
  encoding?: string | undefined
  /** Whether the bytes may differ between equivalent representations. @defaultValue false */
  weak?: boolean | undefined
}

/** The common part of the ETags of a representation, before the suffix for the encoding. */
export interface ETagStem {
  readonly weak: boolean
  /** `<version>.<variant>`. */
  readonly text: string
}

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/
const LENGTH = 32 // hexadecimal digits: 128 bits
const MAX_VARIANTS = 256
const variants = new Map<string, string>()
let latest: Pick<ETagVariant, 'type' | 'language' | 'variant'> & { part: string } = { part: '' }

/** Returns the ETag of a body: 128 bits of its SHA-256, then the variant (RFC 9110 §8.8.3). */
export function etagFromContent(content: string | Uint8Array, variant?: ETagVariant): string {
  if (typeof content !== 'string' && !ArrayBuffer.isView(content))
    throw createArgumentError('negotiate: etagFromContent', 'content', 'a string or bytes', content)
  return formatETag(digest(content), variant)
}

/**
 * Returns the ETag of a version of the resource: a revision number, an `updatedAt`, a hash. The
 * body is not needed. A version with characters other than `A-Z a-z 0-9 _ -`, or longer than 64, is
 * hashed.
 */
export function etagFromVersion(version: string | number | bigint, variant?: ETagVariant): string {
  return formatETag(toVersionPart(version), variant)
}

/** Returns the part of an ETag for the version, before the first dot. */
export function toVersionPart(version: string | number | bigint): string {
  if (typeof version === 'number' && Number.isSafeInteger(version)) return `${version}`
  const text = typeof version === 'string' ? version : formatVersion(version)
  if (text === '')
    throw new TypeError(`negotiate: etagFromVersion: version must not be empty, got ${inspectValue(version)}`)
  return PLAIN.test(text) ? text : digest(text)
}

// The text of anything else is the same for several versions, so that one change would overwrite
// another: that of a Date has no milliseconds.
function formatVersion(version: number | bigint): string {
  if (typeof version === 'bigint' || Number.isFinite(version)) return `${version}`
  throw createArgumentError('negotiate: etagFromVersion', 'version', 'a string, a number or a bigint', version)
}

/** Returns the part of an ETag for the variant; an empty string for the only representation. */
export function toVariantPart({ type, language, variant }: ETagVariant): string {
  // Building a key creates a string, which costs more than the rest of an ETag. Mostly the last one
  // matches.
  if (type === latest.type && language === latest.language && variant === latest.variant) return latest.part
  latest = { type, language, variant, part: formatVariant(type ?? '', language, variant) }
  return latest.part
}

/** Returns 128 bits of SHA-256 in hexadecimal. Base64 of 256 bits costs a tenth of hashing 1 KB. */
export function digest(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex').slice(0, LENGTH)
}

function formatVariant(type: string, language: string | undefined, variant: string | undefined): string {
  const hasTypeOnly = language === undefined && variant === undefined
  if (hasTypeOnly && type === '') return ''
  const key = hasTypeOnly ? type : `${type}\n${language ?? ''}\n${variant ?? ''}`
  let part = variants.get(key)
  if (part === undefined) {
    part = hash('sha256', key, 'base64url').slice(0, 6)
    if (variants.size >= MAX_VARIANTS) variants.clear()
    variants.set(key, part)
  }
  return part
}

function formatETag(version: string, variant: ETagVariant | undefined): string {
  if (variant === undefined) return `"${version}"`
  const { encoding, weak } = variant
  if (encoding !== undefined && !isToken(encoding))
    throw createArgumentError('negotiate', 'encoding', 'a content encoding such as gzip', encoding)
  const part = toVariantPart(variant)
  const end = encoding === undefined || encoding === 'identity' ? '"' : `.${encoding}"`
  return `${weak ? 'W/' : ''}"${version}${part === '' && end === '"' ? '' : `.${part}`}${end}`
}

/** Returns the stem if it can be built without the body. */
export function createStem(representation: Representation): ETagStem | undefined {
  const { etag, version, formats } = representation
  if (etag === false) return undefined
  if (etag !== undefined) return parseStem(etag, formats ? `.${toVariantPart(representation)}` : '')
  if (version === undefined) return undefined
  return { weak: false, text: `${toVersionPart(version)}.${toVariantPart(representation)}` }
}

/** Builds the stem from a hash of the body. */
export function buildStem(hash: string, variant: ETagVariant): ETagStem {
  return { weak: false, text: `${hash}.${toVariantPart(variant)}` }
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

/** Returns the stem of a custom ETag: two formats must not have the same one (RFC 9110 §8.8.3). */
function parseStem(etag: string, suffix: string): ETagStem {
  const tag = assertETag('sendRepresentation', etag)
  return { weak: tag.weak, text: tag.opaque + suffix }
}

/**
 * Formats `Last-Modified`, which must not be later than now (RFC 9110 §8.8.2.1). Throws a
 * `TypeError` if the time is invalid.
 */
export function formatLastModified(time: Date | number): string {
  return new Date(Math.min(toMilliseconds(time), Date.now())).toUTCString()
}

/**
 * Returns a time in milliseconds. Throws a `TypeError` if it is invalid, since every comparison
 * with it is false.
 */
export function toMilliseconds(time: Date | number): number {
  const ms = Number(time ?? Number.NaN)
  if (!(Math.abs(ms) <= MAX_MS))
    throw new TypeError(`negotiate: lastModified must be a Date or milliseconds, got ${inspectTime(time)}`)
  return ms
}

function inspectTime(time: unknown): string {
  return time instanceof Date ? 'an invalid Date' : inspectValue(time)
}
