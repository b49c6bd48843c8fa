import type { CharsetOptions } from './charsets.ts'
import type { EncodingOptions } from './encodings.ts'
import { type HeaderSource, readHeader } from './header-source.ts'
import type { LanguageOptions } from './languages.ts'
import type { MediaTypeOptions } from './media-types.ts'
import { type Available, getNegotiator } from './offers.ts'

/**
 * The offered media type that the client likes best, `undefined` when it accepts none (RFC 9110 12.5.1).
 * Without `Accept`, and between equals, the first offer. The result is the union of the offers:
 * `mediaType(req, ['application/json', 'text/csv'])` is `'application/json' | 'text/csv' | undefined`.
 */
export function mediaType<const T extends string>(
  source: HeaderSource,
  available: Available<T>,
  options?: MediaTypeOptions,
): T | undefined {
  return getNegotiator('media', available, options)(readHeader(source, 'accept')).best?.value as T | undefined
}

/**
 * The offered language for the client, by lookup (RFC 4647 3.4). When nothing matches it is the option `default`,
 * which is the first offer where you do not say otherwise; with `default: false` it is `undefined`.
 */
export function language<const T extends string>(
  source: HeaderSource,
  available: Available<T>,
  options?: LanguageOptions<NoInfer<T>>,
): T | undefined {
  return getNegotiator('language', available, options)(readHeader(source, 'accept-language')).best?.value as
    | T
    | undefined
}

/**
 * The offered content coding for the client, or `'identity'` for none; `undefined` when it accepts neither
 * (RFC 9110 12.5.3). Of equals the first offer; `'identity'` when the request has no `Accept-Encoding`.
 */
export function encoding<const T extends string>(
  source: HeaderSource,
  available: Available<T>,
  options?: EncodingOptions,
): T | 'identity' | undefined {
  const { best } = getNegotiator('encoding', available, options)(readHeader(source, 'accept-encoding'))
  return best?.value as T | 'identity' | undefined
}

/** The offered charset for the client, `undefined` when it accepts none (RFC 9110 12.5.2, deprecated there). */
export function charset<const T extends string>(
  source: HeaderSource,
  available: Available<T>,
  options?: CharsetOptions,
): T | undefined {
  return getNegotiator('charset', available, options)(readHeader(source, 'accept-charset')).best?.value as T | undefined
}
