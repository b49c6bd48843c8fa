import { vendorTypeOf } from './media.ts'

/** One type to negotiate with, and what it stands for. */
export interface VersionedOffer {
  /** What the client may ask for, and what the answer's Content-Type is: `application/vnd.svc.v2+json`. */
  type: string
  /** The plain type to encode the body with: `application/json`. */
  format: string
}

/**
 * The plain types and behind them the vendor types of a version. A vendor type that the request asked for comes first,
 * so that it wins among equals.
 */
export function offersFor(
  plainTypes: readonly string[],
  vendor: string | undefined,
  version: string,
  asked: string | undefined,
): VersionedOffer[] {
  const offers: VersionedOffer[] = plainTypes.map((type) => ({ type, format: type }))
  if (vendor === undefined) return offers
  for (const format of plainTypes) {
    const type = vendorTypeOf(format, vendor, version)
    if (type !== undefined && type !== asked && !offers.some((offer) => offer.type === type))
      offers.push({ type, format })
  }
  const format = asked && plainTypes.find((plain) => suffixOf(plain) === suffixOf(asked))
  return asked && format ? [{ type: asked, format }, ...offers] : offers
}

/** The last part of a media type: `json` of `application/json` and of `application/vnd.svc.v2+json`. */
export function suffixOf(type: string): string {
  return type.slice(Math.max(type.lastIndexOf('+'), type.indexOf('/')) + 1)
}
