import type { CharsetOptions } from './charsets.ts'
import type { EncodingOptions } from './encodings.ts'
import { type HeaderSource, readHeader } from './header-source.ts'
import type { LanguageOptions } from './languages.ts'
import type { MediaTypeOptions } from './media-types.ts'
import { byClient, type OfferMatch } from './offer-match.ts'
import { type Available, type Dimension, getNegotiator, type OfferOptions } from './offers.ts'

/**
 * Every offered media type with its quality and the range that decided: first the one that `mediaType` chooses, then
 * the others as the client likes them; those with `q` 0 are not acceptable. For logs, tests, and 300 answers.
 */
export function rankMediaTypes<const T extends string>(
  source: HeaderSource,
  available: Available<T>,
  options?: MediaTypeOptions,
): OfferMatch<T>[] {
  return rank('media', readHeader(source, 'accept'), available, options)
}

/** Every offered language, first the one that `language` chooses. */
export function rankLanguages<const T extends string>(
  source: HeaderSource,
  available: Available<T>,
  options?: LanguageOptions<NoInfer<T>>,
): OfferMatch<T>[] {
  return rank('language', readHeader(source, 'accept-language'), available, options)
}

/** Every offered coding and `identity`, first the one that `encoding` chooses. */
export function rankEncodings<const T extends string>(
  source: HeaderSource,
  available: Available<T>,
  options?: EncodingOptions,
): OfferMatch<T | 'identity'>[] {
  return rank('encoding', readHeader(source, 'accept-encoding'), available, options) as OfferMatch<T | 'identity'>[]
}

/** Every offered charset, first the one that `charset` chooses. */
export function rankCharsets<const T extends string>(
  source: HeaderSource,
  available: Available<T>,
  options?: CharsetOptions,
): OfferMatch<T>[] {
  return rank('charset', readHeader(source, 'accept-charset'), available, options)
}

function rank<T extends string>(
  dimension: Dimension,
  field: string | undefined,
  available: Available<T>,
  options: OfferOptions | undefined,
): OfferMatch<T>[] {
  const { best, all } = getNegotiator(dimension, available, options)(field)
  const rest = all.filter((choice) => choice !== best).sort((a, b) => b.q - a.q || byClient(a, b))
  return (best ? [best, ...rest] : rest) as OfferMatch<T>[]
}
