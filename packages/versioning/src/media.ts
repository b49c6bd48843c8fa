import { splitList, trim } from '../../internal/list.ts'
import { type ApiVersion, type ApiVersions, findVersion } from './api-versions.ts'

/** One vendor media type of a header: `application/vnd.svc.v2+json`. */
export interface VendorRange<V extends string = string> {
  /** In lower case, without parameters. */
  mediaType: string
  quality: number
  /** The versions that it selects; empty if none is supported. */
  versions: readonly ApiVersion<V>[]
}

/** The versions in an Accept header. */
export interface VersionedAccept<V extends string = string> {
  /** Acceptable vendor types, the most wanted first. */
  vendor: readonly VendorRange<V>[]
  /** The highest quality of a range that names no version; 0 when there is none. */
  plainQuality: number
}

const MAX_RANGES = 256
const SEMICOLON = 0x3b

/**
 * Reads the versions out of an Accept header; `undefined` when it names none. Linear, and never
 * throws.
 */
export function readAccept<V extends string>(
  accept: string,
  vendor: string,
  apiVersions: ApiVersions<V>,
): VersionedAccept<V> | undefined {
  const text = accept.toLowerCase()
  if (!text.includes(getVendorPrefix(vendor))) return undefined
  const vendorRanges: VendorRange<V>[] = []
  let plainQuality = 0
  for (const member of splitList(text, undefined, MAX_RANGES)) {
    const [mediaType = '', ...parameters] = splitList(member, SEMICOLON)
    const quality = getQuality(parameters)
    if (quality === 0) continue
    const versions = findVendorVersions(mediaType, vendor, apiVersions)
    if (versions) vendorRanges.push({ mediaType, quality, versions })
    else plainQuality = Math.max(plainQuality, quality)
  }
  if (vendorRanges.length === 0) return undefined
  return { vendor: vendorRanges.sort((a, b) => b.quality - a.quality), plainQuality }
}

/** Reads the version out of a Content-Type; `undefined` when it names none. */
export function readContentType<V extends string>(
  contentType: string,
  vendor: string,
  apiVersions: ApiVersions<V>,
): readonly ApiVersion<V>[] | undefined {
  const semicolon = contentType.indexOf(';')
  const essence = trim(contentType, 0, semicolon === -1 ? contentType.length : semicolon)
  return findVendorVersions(essence.toLowerCase(), vendor, apiVersions)
}

/**
 * `application/vnd.svc.v2+json`, from the plain type: a suffix replaces the subtype (RFC 6838
 * 4.2.8).
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
  // `vnd.svc.vehicle+json` is a type of the same vendor without a version.
  if (!(digit >= 0x30 && digit <= 0x39)) return undefined
  const isToken = plus === -1 || /^[a-z0-9.-]+$/.test(mediaType.slice(plus + 1))
  const versions = isToken ? findVersion(name, apiVersions) : 'malformed'
  return typeof versions === 'string' ? [] : versions
}

// RFC 9110 §12.4.2. A weight that is none counts as not given.
function getQuality(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return weight !== undefined && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 1
}
