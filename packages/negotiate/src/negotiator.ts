import { parseAccept } from './accept.ts'
import { type AcceptItem, parseAcceptList } from './accept-list.ts'
import { scoreName } from './charsets.ts'
import { normalizeEncoding } from './encodings.ts'
import { type HeadersLike, readHeader } from './header-source.ts'
import { rankByRange } from './language-rank.ts'
import { parseMediaType } from './media-type.ts'
import { compareByClient, NO_PARAMETERS, type OfferMatch } from './offer-match.ts'
import { getNegotiator } from './offers.ts'

/** The request that a `Negotiator` reads: of node:http, Express, Koa or Fetch. */
export interface NegotiatorRequest {
  /** The headers of node:http, by their names in lower case, or those of Fetch. */
  headers: HeadersLike
}

/** Options for `encoding` and `encodings`. */
export interface EncodingPreference {
  /** The preference of the server among encodings that the client prefers equally. */
  preferred?: readonly string[]
}

const EXACT = { ignoreParameters: [] }

class RequestNegotiator {
  /** The request. Its headers are read when a method is called. */
  readonly request: NegotiatorRequest

  constructor(request: NegotiatorRequest) {
    this.request = request
  }

  /** Returns the first of `mediaTypes`. */
  mediaType(available?: readonly string[]): string | undefined {
    return this.mediaTypes(available)[0]
  }

  /**
   * Returns the offers that `Accept` allows, best first; without offers, the types that it names.
   */
  mediaTypes(available?: readonly string[]): string[] {
    const header = readHeader(this.request, 'accept')
    // The peer skips an offer that is not a media type; here the compiler would throw.
    if (available) return sortAccepted(getNegotiator('media', available.filter(isMediaType), EXACT)(header).all)
    return sortByQuality(parseAccept(header) ?? [createItem('*/*', 1000)])
  }

  /** Returns the first of `languages`. */
  language(available?: readonly string[]): string | undefined {
    return this.languages(available)[0]
  }

  /**
   * Returns the offers that `Accept-Language` allows, best first; without offers, those that it
   * names.
   */
  languages(available?: readonly string[]): string[] {
    const items = readItems(this.request, 'accept-language')
    return available ? sortAccepted(rankByRange(available, items)) : sortByQuality(items)
  }

  /** Returns the first of `charsets`. */
  charset(available?: readonly string[]): string | undefined {
    return this.charsets(available)[0]
  }

  /**
   * Returns the offers that `Accept-Charset` allows, best first; without offers, those that it
   * names.
   */
  charsets(available?: readonly string[]): string[] {
    const items = readItems(this.request, 'accept-charset')
    return available
      ? sortAccepted(available.map((value, index) => scoreName(value, index, value.toLowerCase(), items)))
      : sortByQuality(items)
  }

  /** Returns the first of `encodings`. */
  encoding(available?: readonly string[], preference?: EncodingPreference): string | undefined {
    return this.encodings(available, preference)[0]
  }

  /**
   * Returns the offers that `Accept-Encoding` allows, best first; without offers, those that it
   * names.
   */
  encodings(available?: readonly string[], preference?: EncodingPreference): string[] {
    const items = addIdentity(parseAcceptList(readHeader(this.request, 'accept-encoding')) ?? [])
    if (!available) return sortByQuality(items, preference?.preferred)
    const named = items.map((item) => ({ ...item, name: normalizeEncoding(item.name) }))
    const matches = available.map((value, index) =>
      scoreName(value, index, normalizeEncoding(value.toLowerCase()), named),
    )
    return sortAccepted(matches, preference?.preferred)
  }

  /** The older name of `mediaType`. */
  preferredMediaType(available?: readonly string[]): string | undefined {
    return this.mediaType(available)
  }

  /** The older name of `mediaTypes`. */
  preferredMediaTypes(available?: readonly string[]): string[] {
    return this.mediaTypes(available)
  }

  /** The older name of `language`. */
  preferredLanguage(available?: readonly string[]): string | undefined {
    return this.language(available)
  }

  /** The older name of `languages`. */
  preferredLanguages(available?: readonly string[]): string[] {
    return this.languages(available)
  }

  /** The older name of `charset`. */
  preferredCharset(available?: readonly string[]): string | undefined {
    return this.charset(available)
  }

  /** The older name of `charsets`. */
  preferredCharsets(available?: readonly string[]): string[] {
    return this.charsets(available)
  }

  /** The older name of `encoding`. */
  preferredEncoding(available?: readonly string[], preference?: EncodingPreference): string | undefined {
    return this.encoding(available, preference)
  }

  /** The older name of `encodings`. */
  preferredEncodings(available?: readonly string[], preference?: EncodingPreference): string[] {
    return this.encodings(available, preference)
  }
}

/** The interface of the package negotiator, with one instance per request. */
export type Negotiator = RequestNegotiator

/**
 * The interface of the package negotiator with the parsers of this package: lists in the order of
 * the client, `undefined` for none. `new` is optional. The docs list where results differ.
 */
export const Negotiator = new Proxy(RequestNegotiator, {
  apply: (target, _this, [request]: [NegotiatorRequest]) => new target(request),
}) as typeof RequestNegotiator & ((request: NegotiatorRequest) => Negotiator)

export { Negotiator as default }

function isMediaType(value: string): boolean {
  return parseMediaType(value) !== undefined
}

/** Parses a header. Without it everything is acceptable; an empty one accepts nothing. */
function readItems(request: NegotiatorRequest, name: string): AcceptItem[] {
  return parseAcceptList(readHeader(request, name)) ?? [createItem('*', 1)]
}

function createItem(name: string, q: number): AcceptItem {
  return { name, q, text: name, parameters: NO_PARAMETERS, extensions: undefined }
}

/** Adds `identity` after everything else, unless it or `*` is listed (RFC 9110 §12.5.3). */
function addIdentity(items: readonly AcceptItem[]): AcceptItem[] {
  if (items.some(({ name }) => name === 'identity' || name === '*')) return [...items]
  const q = items.reduce((least, item) => Math.min(least, item.q || 1), 1)
  return [...items, createItem('identity', q)]
}

function sortAccepted(matches: readonly OfferMatch[], preferred: readonly string[] = []): string[] {
  return matches
    .filter((match) => match.q > 0)
    .sort((a, b) => b.q - a.q || compareByPreference(a.value, b.value, preferred) || compareByClient(a, b))
    .map((match) => match.value)
}

function sortByQuality(items: readonly { q: number; text: string }[], preferred: readonly string[] = []): string[] {
  return items
    .map(({ q, text }) => ({ q, name: getName(text) }))
    .filter((item) => item.q > 0)
    .sort((a, b) => b.q - a.q || compareByPreference(a.name, b.name, preferred))
    .map((item) => item.name)
}

function getName(text: string): string {
  const end = text.indexOf(';')
  return end === -1 ? text : text.slice(0, end).trim()
}

function compareByPreference(a: string, b: string, preferred: readonly string[]): number {
  const rank = (value: string): number => {
    const index = preferred.indexOf(value)
    return index === -1 ? preferred.length : index
  }
  return rank(a) - rank(b)
}
