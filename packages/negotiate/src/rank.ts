import type { CharsetOptions } from './charsets.ts'
import type { EncodingOptions } from './encodings.ts'
import { type HeaderSource, readHeader } from './header-source.ts'
import type { LanguageOptions } from './languages.ts'
import type { MediaTypeOptions } from './media-types.ts'
import { compareByClient, type OfferMatch } from './offer-match.ts'
import { type Dimension, getNegotiator, type OfferOptions, type OffersLike } from './offers.ts'

/**
 * Returns every offered media type with its quality and the range that decided: the choice of
 * `mediaType` first, then the others by preference. `q: 0` is not acceptable. For logs, tests, and
 * responses with 300.
 */
export function rankMediaTypes<const T extends string>(
  source: HeaderSource,
  available: OffersLike<T>,
  options?: MediaTypeOptions,
): OfferMatch<T>[] {
  return rank('media', readHeader(source, 'accept'), available, options)
}

/** Returns every offered language, the choice of `language` first. */
export function rankLanguages<const T extends string>(
  source: HeaderSource,
  available: OffersLike<T>,
  options?: LanguageOptions<NoInfer<T>>,
): OfferMatch<T>[] {
  return rank('language', readHeader(source, 'accept-language'), available, options)
}

/** Returns every offered encoding and `identity`, the choice of `encoding` first. */
export function rankEncodings<const T extends string>(
  source: HeaderSource,
  available: OffersLike<T>,
  options?: EncodingOptions,
): OfferMatch<T | 'identity'>[] {
  return rank('encoding', readHeader(source, 'accept-encoding'), available, options) as OfferMatch<T | 'identity'>[]
}

/** Returns every offered charset, the choice of `charset` first. */
export function rankCharsets<const T extends string>(
  source: HeaderSource,
  available: OffersLike<T>,
  options?: CharsetOptions,
): OfferMatch<T>[] {
  return rank('charset', readHeader(source, 'accept-charset'), available, options)
}

function rank<T extends string>(
  dimension: Dimension,
  header: string | undefined,
  available: OffersLike<T>,
  options: OfferOptions | undefined,
): OfferMatch<T>[] {
  const { best, all } = getNegotiator(dimension, available, options)(header)
  const rest = all.filter((match) => match !== best).sort((a, b) => b.q - a.q || compareByClient(a, b))
  return (best ? [best, ...rest] : rest) as OfferMatch<T>[]
}
