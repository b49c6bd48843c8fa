import { charset, encoding, language, mediaType } from './choose.ts'
import type { HeaderSource } from './header-source.ts'
import type { Available } from './offers.ts'

/** Offers by dimension. An omitted dimension is not negotiated. */
export interface VariantOffers<
  T extends string = never,
  L extends string = never,
  E extends string = never,
  C extends string = never,
> {
  /** Media types, the preferred one first. */
  types?: Available<T>
  /** Language tags, the preferred one first. */
  languages?: Available<L>
  /** Encodings, the preferred one first. */
  encodings?: Available<E>
  /** Charsets, the preferred one first. */
  charsets?: Available<C>
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
>(
  source: Exclude<HeaderSource, string>,
  { types, languages, encodings, charsets }: VariantOffers<T, L, E, C>,
): Variant<T, L, E, C> {
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
