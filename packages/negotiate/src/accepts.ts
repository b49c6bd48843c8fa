import { EXTENSIONS } from './extensions.ts'
import { Negotiator, type NegotiatorRequest } from './negotiator.ts'

/** Without arguments all that the client accepts, in its order; with offers the best of them, or `false`. */
export interface AcceptsMethod {
  (): string[]
  (offers: readonly string[]): string | false
  (...offers: readonly string[]): string | false
}

/** The interface of the package accepts, with all its spellings. */
export interface Accepts {
  readonly type: AcceptsMethod
  readonly types: AcceptsMethod
  readonly encoding: AcceptsMethod
  readonly encodings: AcceptsMethod
  readonly charset: AcceptsMethod
  readonly charsets: AcceptsMethod
  readonly lang: AcceptsMethod
  readonly langs: AcceptsMethod
  readonly language: AcceptsMethod
  readonly languages: AcceptsMethod
}

/**
 * The interface of the package accepts: `accepts(req).type('json', 'html')`. Types may be named by their usual
 * extension. The README lists where the answers differ.
 */
export function accepts(req: NegotiatorRequest): Accepts {
  const negotiator = new Negotiator(req)
  const type = method(
    () => negotiator.mediaTypes(),
    (offers) => (req.headers['accept'] ? chooseType(negotiator, offers) : offers[0]),
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
