import { EXTENSIONS } from './extensions.ts'
import { readHeader } from './header-source.ts'
import { Negotiator, type NegotiatorRequest } from './negotiator.ts'

/** Without arguments all that the client accepts, in its order; with offers the best of them, or `false`. */
export interface AcceptsMethod {
  (): string[]
  (offers: readonly string[]): string | false
  (...offers: readonly string[]): string | false
}

/** The interface of the package accepts, with all its spellings. */
export interface Accepts {
  /** The best of some media types or extensions by `Accept`; `false` where none is accepted. */
  readonly type: AcceptsMethod
  /** The same as `type`; without arguments, all types that the client accepts, the preferred first. */
  readonly types: AcceptsMethod
  /** The best of some content codings by `Accept-Encoding`; `false` where none is accepted. */
  readonly encoding: AcceptsMethod
  /** The same as `encoding`; without arguments, all codings, the preferred first. */
  readonly encodings: AcceptsMethod
  /** The best of some charsets by `Accept-Charset`; `false` where none is accepted. */
  readonly charset: AcceptsMethod
  /** The same as `charset`; without arguments, all charsets, the preferred first. */
  readonly charsets: AcceptsMethod
  /** The same as `language`. */
  readonly lang: AcceptsMethod
  /** The same as `language`. */
  readonly langs: AcceptsMethod
  /** The best of some languages by `Accept-Language`; `false` where none is accepted. */
  readonly language: AcceptsMethod
  /** The same as `language`; without arguments, all languages, the preferred first. */
  readonly languages: AcceptsMethod
}

/**
 * The interface of the package accepts: `accepts(req).type('json', 'html')`. Types may be named by their usual
 * extension. The docs list where the results differ.
 */
export function accepts(req: NegotiatorRequest): Accepts {
  const negotiator = new Negotiator(req)
  const type = method(
    () => negotiator.mediaTypes(),
    (offers) => (readHeader(req, 'accept') ? chooseType(negotiator, offers) : offers[0]),
  )
  const encoding = method(
    () => negotiator.encodings(),
    (offers) => negotiator.encoding(offers),
  )
  const charset = method(
    () => negotiator.charsets(),
    (offers) => negotiator.charset(offers),
  )
  const language = method(
    () => negotiator.languages(),
    (offers) => negotiator.language(offers),
  )
  return {
    type,
    types: type,
    encoding,
    encodings: encoding,
    charset,
    charsets: charset,
    lang: language,
    langs: language,
    language,
    languages: language,
  }
}

export { accepts as default }

function method(all: () => string[], choose: (offers: readonly string[]) => string | undefined): AcceptsMethod {
  return ((...args: readonly (string | readonly string[])[]) => {
    const offers = args.flat()
    return offers.length === 0 ? all() : (choose(offers) ?? false)
  }) as AcceptsMethod
}

function chooseType(negotiator: Negotiator, offers: readonly string[]): string | undefined {
  const types = offers.map((offer) =>
    offer.includes('/') ? offer : EXTENSIONS.get(offer.replace(/^\./, '').toLowerCase()),
  )
  const best = negotiator.mediaType(types.filter((type) => type !== undefined))
  return best === undefined ? undefined : offers[types.indexOf(best)]
}
