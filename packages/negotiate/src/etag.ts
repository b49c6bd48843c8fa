import { hash } from 'node:crypto'
import { inspectValue } from '../../internal/options.ts'

/** What tells the representations of one resource apart. */
export interface ETagVariant {
  /** Media type of the representation. */
  type?: string | undefined
  /** Language of the representation. */
  language?: string | undefined
  /** Anything else that tells representations of one resource apart, such as an API version. */
  variant?: string | undefined
  /** Content coding; `identity` is none. */
  encoding?: string | undefined
  /** For bytes that may differ although they mean the same. @defaultValue false */
  weak?: boolean | undefined
}

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/
const LENGTH = 32 // hexadecimal digits: 128 bits
const MAX_VARIANTS = 256
const variants = new Map<string, string>()
let latest: Pick<ETagVariant, 'type' | 'language' | 'variant'> & { part: string } = { part: '' }

/** The entity tag of some bytes: 128 bits of their SHA-256, then the variant (RFC 9110 8.8.3). */
export function etagFromContent(content: string | Uint8Array, variant?: ETagVariant): string {
  return assemble(digest(content), variant)
}

/**
 * The entity tag of a version that the service knows: a revision number, an `updatedAt`, a hash. The body is not
 * looked at. A version of other characters than `A-Z a-z 0-9 _ -`, or longer than 64, is hashed.
 */
export function etagFromVersion(version: string | number | bigint, variant?: ETagVariant): string {
  return assemble(versionPart(version), variant)
}

/** What stands for a version before the first dot of its tags. */
export function versionPart(version: string | number | bigint): string {
  if (typeof version === 'number' && Number.isSafeInteger(version)) return `${version}`
  const text = String(version)
  if (text === '')
    throw new TypeError(`negotiate: etagFromVersion: version must not be empty, got ${inspectValue(version)}`)
  return PLAIN.test(text) ? text : digest(text)
}

/** The name of what tells this representation from the other ones of its resource; empty when nothing does. */
export function variantPart({ type, language, variant }: ETagVariant): string {
  // A key put together is a new string, which costs more than all the rest of a tag: mostly it is the last one again.
  if (type === latest.type && language === latest.language && variant === latest.variant) return latest.part
  latest = { type, language, variant, part: formatVariant(type ?? '', language, variant) }
  return latest.part
}

/** 128 bits of SHA-256. In hexadecimal: writing 256 bits as base64 costs a tenth of hashing 1 KB. */
export function digest(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex').slice(0, LENGTH)
}

function formatVariant(type: string, language: string | undefined, variant: string | undefined): string {
  const isPlain = language === undefined && variant === undefined
  if (isPlain && type === '') return ''
  const key = isPlain ? type : `${type}\n${language ?? ''}\n${variant ?? ''}`
  let part = variants.get(key)
  if (part === undefined) {
    part = hash('sha256', key, 'base64url').slice(0, 6)
    if (variants.size >= MAX_VARIANTS) variants.clear()
    variants.set(key, part)
  }
  return part
}

function assemble(version: string, variant: ETagVariant | undefined): string {
  if (variant === undefined) return `"${version}"`
  const { encoding, weak } = variant
  const part = variantPart(variant)
  const end = encoding === undefined || encoding === 'identity' ? '"' : `.${encoding}"`
  return `${weak ? 'W/' : ''}"${version}${part === '' && end === '"' ? '' : `.${part}`}${end}`
}
