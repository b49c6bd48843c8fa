import { splitList, trim } from '../../internal/list.ts'
import { type ApiVersion, type ApiVersions, findVersion } from './api-versions.ts'

/** A vendor media type of a header: `application/vnd.svc.v2+json`. */
export interface VendorRange<V extends string = string> {
  /** The type in lower case, without parameters. */
  mediaType: string
  quality: number
  /** The versions that it selects; empty if none exists. */
  versions: readonly ApiVersion<V>[]
}

/** The versions in an `Accept` header. */
export interface VersionedAccept<V extends string = string> {
  /** Acceptable vendor types, the preferred one first. */
  vendor: readonly VendorRange<V>[]
  /** The highest quality of a range without a version; 0 if there is none. */
  plainQuality: number
}

const MAX_RANGES = 256
const SEMICOLON = 0x3b

/**
 * Parses the versions of an `Accept` header. Returns `undefined` if it names none. Linear, and
 * never throws.
 */
export function parseAccept<V extends string>(
  accept: string,
  vendor: string,
  apiVersions: ApiVersions<V>,
): VersionedAccept<V> | undefined {
  const text = accept.toLowerCase()
  if (!text.includes(getVendorPrefix(vendor))) return undefined
  const vendorRanges: VendorRange<V>[] = []
  let plainQuality = 0
  for (const item of splitList(text, undefined, MAX_RANGES)) {
    const [mediaType = '', ...parameters] = splitList(item, SEMICOLON)
    const quality = getQuality(parameters)
    if (quality === 0) continue
    const versions = findVendorVersions(mediaType, vendor, apiVersions)
    if (versions) vendorRanges.push({ mediaType, quality, versions })
    else plainQuality = Math.max(plainQuality, quality)
  }
  if (vendorRanges.length === 0) return undefined
  return { vendor: vendorRanges.sort((a, b) => b.quality - a.quality), plainQuality }
}

/** Parses the version of a `Content-Type`. Returns `undefined` if it names none. */
export function parseContentType<V extends string>(
  contentType: string,
  vendor: string,
  apiVersions: ApiVersions<V>,
): readonly ApiVersion<V>[] | undefined {
  const semicolon = contentType.indexOf(';')
  const essence = trim(contentType, 0, semicolon === -1 ? contentType.length : semicolon)
  return findVendorVersions(essence.toLowerCase(), vendor, apiVersions)
}

/**
 * Formats a vendor type from a plain type, such as `application/vnd.svc.v2+json`: its subtype
 * becomes the suffix (RFC 6838 §4.2.8).
 */
export function formatVendorType(plainType: string, vendor: string, version: string): string | undefined {
  const subtype = /^[a-z]+\/(?:[a-z0-9.-]+\+)?([a-z0-9-]+)$/i.exec(plainType)?.[1]
  return subtype === undefined ? undefined : `${getVendorPrefix(vendor)}${version}+${subtype.toLowerCase()}`
}

function getVendorPrefix(vendor: string): string {
  return `application/vnd.${vendor}.v`
}

function findVendorVersions<V extends string>(
  mediaType: string,
  vendor: string,
  apiVersions: ApiVersions<V>,
): readonly ApiVersion<V>[] | undefined {
  const start = getVendorPrefix(vendor)
  if (!mediaType.startsWith(start)) return undefined
  const plus = mediaType.lastIndexOf('+')
  const name = mediaType.slice(start.length, plus === -1 ? mediaType.length : plus)
  const digit = name.charCodeAt(0)
  // `vnd.svc.vehicle+json` is a type of this vendor without a version.
  if (!(digit >= 0x30 && digit <= 0x39)) return undefined
  const isToken = plus === -1 || /^[a-z0-9.-]+$/.test(mediaType.slice(plus + 1))
  const versions = isToken ? findVersion(name, apiVersions) : 'malformed'
  return typeof versions === 'string' ? [] : versions
}

// An invalid weight counts as absent (RFC 9110 §12.4.2).
function getQuality(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return weight !== undefined && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 1
}
