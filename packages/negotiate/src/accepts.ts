import { EXTENSIONS } from './extensions.ts'
import { readHeader } from './header-source.ts'
import { Negotiator, type NegotiatorRequest } from './negotiator.ts'

/** Returns all that the client accepts, in its order; with offers the best of them, or `false`. */
export interface AcceptsMethod {
  (): string[]
  (offers: readonly string[]): string | false
  (...offers: readonly string[]): string | false
}

/** The interface of the package accepts, with all its spellings. */
export interface Accepts {
  /** Returns the best media type or extension by `Accept`, or `false` if none is accepted. */
  readonly type: AcceptsMethod
  /**
   * The same as `type`. Without arguments, returns all types that the client accepts, best first.
   */
  readonly types: AcceptsMethod
  /** Returns the best encoding by `Accept-Encoding`, or `false` if none is accepted. */
  readonly encoding: AcceptsMethod
  /** The same as `encoding`. Without arguments, returns all encodings, best first. */
  readonly encodings: AcceptsMethod
  /** Returns the best charset by `Accept-Charset`, or `false` if none is accepted. */
  readonly charset: AcceptsMethod
  /** The same as `charset`. Without arguments, returns all charsets, best first. */
  readonly charsets: AcceptsMethod
  /** The same as `language`. */
  readonly lang: AcceptsMethod
  /** The same as `language`. */
  readonly langs: AcceptsMethod
  /** Returns the best language by `Accept-Language`, or `false` if none is accepted. */
  readonly language: AcceptsMethod
  /** The same as `language`. Without arguments, returns all languages, best first. */
  readonly languages: AcceptsMethod
}

/**
 * Returns the interface of the package accepts: `accepts(req).type('json', 'html')`. Types can be
 * given by their usual extension. The docs list where results differ.
 */
export function accepts(req: NegotiatorRequest): Accepts {
  const negotiator = new Negotiator(req)
  const type = createMethod(
    () => negotiator.mediaTypes(),
    (offers) => (readHeader(req, 'accept') ? chooseType(negotiator, offers) : offers[0]),
  )
  const encoding = createMethod(
    () => negotiator.encodings(),
    (offers) => negotiator.encoding(offers),
  )
  const charset = createMethod(
    () => negotiator.charsets(),
    (offers) => negotiator.charset(offers),
  )
  const language = createMethod(
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

function createMethod(all: () => string[], choose: (offers: readonly string[]) => string | undefined): AcceptsMethod {
  return ((...args: readonly (string | readonly string[])[]) => {
    const offers = args.flat()
    return offers[0] === undefined ? all() : (choose(offers) ?? false)
  }) as AcceptsMethod
}

function chooseType(negotiator: Negotiator, offers: readonly string[]): string | undefined {
  const types = offers.map((offer) =>
    offer.includes('/') ? offer : EXTENSIONS.get(offer.replace(/^\./, '').toLowerCase()),
  )
  const best = negotiator.mediaType(types.filter((type) => type !== undefined))
  return best === undefined ? undefined : offers[types.indexOf(best)]
}
