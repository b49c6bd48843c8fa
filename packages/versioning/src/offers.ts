import { formatVendorType } from './media.ts'

/** A media type to negotiate with, and the version that it selects. */
export interface VersionedOffer {
  /**
   * The type that the client may request, and the Content-Type of the response:
   * `application/vnd.svc.v2+json`.
   */
  type: string
  /** The plain type to encode the body with: `application/json`. */
  format: string
}

/**
 * The plain types and behind them the vendor types of a version. A vendor type that the request
 * asked for comes first, so that it wins among equals.
 */
export function mediaTypesFor(
  plainTypes: readonly string[],
  vendor: string | undefined,
  version: string,
  asked: string | undefined,
): VersionedOffer[] {
  const offers: VersionedOffer[] = plainTypes.map((type) => ({ type, format: type }))
  if (vendor === undefined) return offers
  for (const format of plainTypes) {
    const type = formatVendorType(format, vendor, version)
    if (type !== undefined && type !== asked && !offers.some((offer) => offer.type === type))
      offers.push({ type, format })
  }
  const format = asked && plainTypes.find((plain) => getSuffix(plain) === getSuffix(asked))
  return asked && format ? [{ type: asked, format }, ...offers] : offers
}

/**
 * The last part of a media type: `json` of `application/json` and of `application/vnd.svc.v2+json`.
 */
export function getSuffix(type: string): string {
  return type.slice(Math.max(type.lastIndexOf('+'), type.indexOf('/')) + 1)
}
