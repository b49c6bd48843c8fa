import { assertKnownOptions } from '../../internal/options.ts'
import { charset, encoding, language, mediaType } from './choose.ts'
import type { HeaderSource } from './header-source.ts'
import type { OffersLike } from './offers.ts'

/** Offers by dimension. An omitted dimension is not negotiated. */
export interface VariantOffers<
  T extends string = never,
  L extends string = never,
  E extends string = never,
  C extends string = never,
> {
  /** Media types, the preferred one first. */
  types?: OffersLike<T>
  /** Language tags, the preferred one first. */
  languages?: OffersLike<L>
  /** Encodings, the preferred one first. */
  encodings?: OffersLike<E>
  /** Charsets, the preferred one first. */
  charsets?: OffersLike<C>
}

/**
 * The chosen offer of each dimension; `undefined` if the client accepts none or there are no
 * offers.
 */
export interface Variant<T extends string, L extends string, E extends string, C extends string> {
  /** The media type. */
  readonly type: T | undefined
  /** The language. */
  readonly language: L | undefined
  /** The encoding; `identity` means not compressed. */
  readonly encoding: E | 'identity' | undefined
  /** The charset. */
  readonly charset: C | undefined
  /** The request headers that could have changed the choice, for `Vary`. */
  readonly vary: readonly string[]
}

/**
 * Chooses in all dimensions in one call.
 * @example
 * const { type, language, vary } = chooseVariant(req, {
 *   types: ['text/html'],
 *   languages: ['en', 'de'],
 * })
 */
export function chooseVariant<
  const T extends string = never,
  const L extends string = never,
  const E extends string = never,
  const C extends string = never,
>(source: Exclude<HeaderSource, string>, available: VariantOffers<T, L, E, C>): Variant<T, L, E, C> {
  assertKnownOptions('negotiate: chooseVariant', available, ['types', 'languages', 'encodings', 'charsets'])
  const { types, languages, encodings, charsets } = available
  const vary: string[] = []
  if (types) vary.push('Accept')
  if (languages) vary.push('Accept-Language')
  if (encodings) vary.push('Accept-Encoding')
  if (charsets) vary.push('Accept-Charset')
  return {
    type: types && mediaType(source, types),
    language: languages && language(source, languages),
    encoding: encodings && encoding(source, encodings),
    charset: charsets && charset(source, charsets),
    vary,
  }
}
