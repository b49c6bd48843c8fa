import type { CharsetOptions } from './charsets.ts'
import { byClient, type Choice } from './choice.ts'
import type { EncodingOptions } from './encodings.ts'
import { fieldFrom, type HeaderSource } from './header-source.ts'
import type { LanguageOptions } from './languages.ts'
import type { MediaTypeOptions } from './media-types.ts'
import { type Available, type Dimension, deciderOf, type OfferOptions } from './offers.ts'

/**
 * Every offered media type with its quality and the range that decided: first the one that `mediaType` chooses, then
 * the others as the client likes them; those with `q` 0 are not acceptable. For logs, tests, and 300 answers.
 */
export function rankMediaTypes<const T extends string>(
  source: HeaderSource,
  available: Available<T>,
  options?: MediaTypeOptions,
): Choice<T>[] {
  return rank('media', fieldFrom(source, 'accept'), available, options)
}

/** Every offered language, first the one that `language` chooses. */
export function rankLanguages<const T extends string>(
  source: HeaderSource,
  available: Available<T>,
  options?: LanguageOptions<NoInfer<T>>,
): Choice<T>[] {
  return rank('language', fieldFrom(source, 'accept-language'), available, options)
}

/** Every offered coding and `identity`, first the one that `encoding` chooses. */
export function rankEncodings<const T extends string>(
  source: HeaderSource,
  available: Available<T>,
  options?: EncodingOptions,
): Choice<T | 'identity'>[] {
  return rank('encoding', fieldFrom(source, 'accept-encoding'), available, options) as Choice<T | 'identity'>[]
}

/** Every offered charset, first the one that `charset` chooses. */
export function rankCharsets<const T extends string>(
  source: HeaderSource,
  available: Available<T>,
  options?: CharsetOptions,
): Choice<T>[] {
  return rank('charset', fieldFrom(source, 'accept-charset'), available, options)
}

function rank<T extends string>(
  dimension: Dimension,
  field: string | undefined,
  available: Available<T>,
  options: OfferOptions | undefined,
): Choice<T>[] {
  const { best, all } = deciderOf(dimension, available, options)(field)
  const rest = all.filter((choice) => choice !== best).sort((a, b) => b.q - a.q || byClient(a, b))
  return (best ? [best, ...rest] : rest) as Choice<T>[]
}
