import { parseAccept } from './accept.ts'
import { type AcceptItem, parseAcceptList } from './accept-list.ts'
import { judgeName } from './charsets.ts'
import { canonical } from './encodings.ts'
import { type HeadersLike, readHeader } from './header-source.ts'
import { rankByRange } from './language-rank.ts'
import { parseMediaType } from './media-type.ts'
import { byClient, NO_PARAMETERS, type OfferMatch } from './offer-match.ts'
import { getNegotiator } from './offers.ts'

/** The request that a `Negotiator` reads: of node:http, Express, Koa or Fetch. */
export interface NegotiatorRequest {
  /** The headers of node:http, by their names in lower case, or those of Fetch. */
  headers: HeadersLike
}

/** Options of `encoding` and `encodings`. */
export interface EncodingPreference {
  /** The order of the server among codings that the client likes equally. */
  preferred?: readonly string[]
}

const EXACT = { ignoreParameters: [] }

class RequestNegotiator {
  /** The request; its headers are read when a method is called. */
  readonly request: NegotiatorRequest

  constructor(request: NegotiatorRequest) {
    this.request = request
  }

  /** The first of `mediaTypes`. */
  mediaType(available?: readonly string[]): string | undefined {
    return this.mediaTypes(available)[0]
  }

  /** The offers that `Accept` takes, the preferred first; without offers, the types that it names. */
  mediaTypes(available?: readonly string[]): string[] {
    const field = readHeader(this.request, 'accept')
    // The peer skips an offer that is not a media type; ours are checked when they are compiled.
    if (available) return accepted(getNegotiator('media', available.filter(isMediaType), EXACT)(field).all)
    return byQuality(parseAccept(field) ?? [createItem('*/*', 1000)])
  }

  /** The first of `languages`. */
  language(available?: readonly string[]): string | undefined {
    return this.languages(available)[0]
  }

  /** The offers that `Accept-Language` takes, the preferred first; without offers, those that it names. */
  languages(available?: readonly string[]): string[] {
    const members = readItems(this.request, 'accept-language')
    return available ? accepted(rankByRange(available, members)) : byQuality(members)
  }

  /** The first of `charsets`. */
  charset(available?: readonly string[]): string | undefined {
    return this.charsets(available)[0]
  }

  /** The offers that `Accept-Charset` takes, the preferred first; without offers, those that it names. */
  charsets(available?: readonly string[]): string[] {
    const members = readItems(this.request, 'accept-charset')
    return available
      ? accepted(available.map((value, index) => judgeName(value, index, value.toLowerCase(), members)))
      : byQuality(members)
  }

  /** The first of `encodings`. */
  encoding(available?: readonly string[], preference?: EncodingPreference): string | undefined {
    return this.encodings(available, preference)[0]
  }

  /** The offers that `Accept-Encoding` takes, the preferred first; without offers, those that it names. */
  encodings(available?: readonly string[], preference?: EncodingPreference): string[] {
    const members = withIdentity(parseAcceptList(readHeader(this.request, 'accept-encoding')) ?? [])
    if (!available) return byQuality(members, preference?.preferred)
    const named = members.map((member) => ({ ...member, name: canonical(member.name) }))
    const choices = available.map((value, index) => judgeName(value, index, canonical(value.toLowerCase()), named))
    return accepted(choices, preference?.preferred)
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
 * The interface of the package negotiator on this package's parsers: lists in the client's order, `undefined` for none.
 * `new` may be omitted. The docs list where the results differ.
 */
export const Negotiator = new Proxy(RequestNegotiator, {
  apply: (target, _this, [request]: [NegotiatorRequest]) => new target(request),
}) as typeof RequestNegotiator & ((request: NegotiatorRequest) => Negotiator)

export { Negotiator as default }

function isMediaType(value: string): boolean {
  return parseMediaType(value) !== undefined
}

/** An absent field accepts everything, an empty one nothing. */
function readItems(request: NegotiatorRequest, name: string): AcceptItem[] {
  return parseAcceptList(readHeader(request, name)) ?? [createItem('*', 1000)]
}

function createItem(name: string, q: number): AcceptItem {
  return { name, q, text: name, parameters: NO_PARAMETERS, extensions: undefined }
}

/** `identity` is acceptable after everything else, unless the field speaks of it or of `*` (RFC 9110 12.5.3). */
function withIdentity(members: readonly AcceptItem[]): AcceptItem[] {
  if (members.some(({ name }) => name === 'identity' || name === '*')) return [...members]
  const q = members.reduce((least, member) => Math.min(least, member.q || 1000), 1000)
  return [...members, createItem('identity', q)]
}

function accepted(choices: readonly OfferMatch[], preferred: readonly string[] = []): string[] {
  return choices
    .filter((choice) => choice.q > 0)
    .sort((a, b) => b.q - a.q || byPreference(a.value, b.value, preferred) || byClient(a, b))
    .map((choice) => choice.value)
}

function byQuality(members: readonly { q: number; text: string }[], preferred: readonly string[] = []): string[] {
  return members
    .map(({ q, text }) => ({ q, name: getName(text) }))
    .filter((member) => member.q > 0)
    .sort((a, b) => b.q - a.q || byPreference(a.name, b.name, preferred))
    .map((member) => member.name)
}

function getName(text: string): string {
  const end = text.indexOf(';')
  return end === -1 ? text : text.slice(0, end).trim()
}

function byPreference(a: string, b: string, preferred: readonly string[]): number {
  const rank = (value: string): number => {
    const index = preferred.indexOf(value)
    return index === -1 ? preferred.length : index
  }
  return rank(a) - rank(b)
}
