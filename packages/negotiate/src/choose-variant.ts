import { charset, encoding, language, mediaType } from './choose.ts'
import type { HeaderSource } from './header-source.ts'
import type { Available } from './offers.ts'

/** What a resource can be sent as; each dimension that is left out is not negotiated. */
export interface VariantOffers<
  T extends string = never,
  L extends string = never,
  E extends string = never,
  C extends string = never,
> {
  /** Media types, the preferred first. */
  types?: Available<T>
  /** Language tags, the preferred first. */
  languages?: Available<L>
  /** Content codings, the preferred first. */
  encodings?: Available<E>
  /** Charsets, the preferred first. */
  charsets?: Available<C>
}

/** The choice in every dimension; `undefined` where the client accepts nothing, or nothing was offered. */
export interface Variant<T extends string, L extends string, E extends string, C extends string> {
  /** The media type. */
  readonly type: T | undefined
  /** The language. */
  readonly language: L | undefined
  /** The content coding; `identity` is none. */
  readonly encoding: E | 'identity' | undefined
  /** The charset. */
  readonly charset: C | undefined
  /** The request fields that could have changed the choice, for `Vary`. */
  readonly vary: readonly string[]
}

/**
 * Chooses in all dimensions at once:
 * `const { type, language, vary } = chooseVariant(req, { types: ['text/html'], languages: ['en', 'de'] })`.
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
