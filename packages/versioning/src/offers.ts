import { formatVendorType } from './media.ts'

/** A media type to negotiate with, and the version that it selects. */
export interface VersionedOffer {
  /**
   * The type for the `Content-Type` of the response, which the client can request:
   * `application/vnd.svc.v2+json`.
   */
  type: string
  /** The plain type that the body is encoded with: `application/json`. */
  format: string
}

/**
 * Returns the plain types, and after them the vendor types of a version. The requested vendor type
 * comes first, so that it wins among equals.
 */
export function mediaTypesFor(
  plainTypes: readonly string[],
  vendor: string | undefined,
  version: string,
  requested: string | undefined,
): VersionedOffer[] {
  const offers: VersionedOffer[] = plainTypes.map((type) => ({ type, format: type }))
  if (vendor === undefined) return offers
  for (const format of plainTypes) {
    const type = formatVendorType(format, vendor, version)
    if (type !== undefined && type !== requested && !offers.some((offer) => offer.type === type))
      offers.push({ type, format })
  }
  const format = requested && plainTypes.find((plain) => getSuffix(plain) === getSuffix(requested))
  return requested && format ? [{ type: requested, format }, ...offers] : offers
}

/**
 * Returns the format of a media type: `json` for `application/json` and
 * `application/vnd.svc.v2+json`.
 */
function getSuffix(type: string): string {
  return type.slice(Math.max(type.lastIndexOf('+'), type.indexOf('/')) + 1)
}

/**
 * Returns the vendor type for a response with the parameters of its type, or `undefined` if the
 * type stays.
 */
export function toVendorType(
  current: unknown,
  status: number,
  { mediaType }: { mediaType?: string },
): string | undefined {
  if (mediaType === undefined || status >= 400 || typeof current !== 'string') return undefined
  const [plain = '', ...parameters] = current.split(';')
  if (plain.trim().toLowerCase() !== `application/${getSuffix(mediaType)}`) return undefined
  return [mediaType, ...parameters].join(';')
}
