import type { CharsetOptions } from './charsets.ts'
import type { EncodingOptions } from './encodings.ts'
import { type HeaderSource, readHeader } from './header-source.ts'
import type { LanguageOptions } from './languages.ts'
import type { MediaTypeOptions } from './media-types.ts'
import { getNegotiator, type OffersLike } from './offers.ts'

/**
 * Returns the offered media type that the client prefers, or `undefined` if it accepts none (RFC
 * 9110 §12.5.1). Of equals, and without `Accept`, the first offer. The result is the union of the
 * offers: `mediaType(req, ['application/json', 'text/csv'])` is
 * `'application/json' | 'text/csv' | undefined`.
 */
export function mediaType<const T extends string>(
  source: HeaderSource,
  available: OffersLike<T>,
  options?: MediaTypeOptions,
): T | undefined {
  return getNegotiator('media', available, options)(readHeader(source, 'accept')).best?.value as T | undefined
}

/**
 * Returns the offered language for the client, by lookup (RFC 4647 §3.4). If none matches, returns
 * `default`, which is the first offer unless set, and `undefined` with `default: false`.
 */
export function language<const T extends string>(
  source: HeaderSource,
  available: OffersLike<T>,
  options?: LanguageOptions<NoInfer<T>>,
): T | undefined {
  return getNegotiator('language', available, options)(readHeader(source, 'accept-language')).best?.value as
    | T
    | undefined
}

/**
 * Returns the offered encoding for the client, `'identity'` if the body is sent uncompressed, or
 * `undefined` if the client accepts neither (RFC 9110 §12.5.3). Of equals the first offer; without
 * `Accept-Encoding` always `'identity'`.
 */
export function encoding<const T extends string>(
  source: HeaderSource,
  available: OffersLike<T>,
  options?: EncodingOptions,
): T | 'identity' | undefined {
  const { best } = getNegotiator('encoding', available, options)(readHeader(source, 'accept-encoding'))
  return best?.value as T | 'identity' | undefined
}

/**
 * Returns the offered charset for the client, or `undefined` if it accepts none. Browsers no longer
 * send `Accept-Charset`, which RFC 9110 §12.5.2 deprecates.
 */
export function charset<const T extends string>(
  source: HeaderSource,
  available: OffersLike<T>,
  options?: CharsetOptions,
): T | undefined {
  return getNegotiator('charset', available, options)(readHeader(source, 'accept-charset')).best?.value as T | undefined
}
