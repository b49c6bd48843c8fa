import { parseAccept } from './accept.ts'
import { type Member, parseAcceptList } from './accept-list.ts'
import { judgeName } from './charsets.ts'
import { byClient, type Choice, NO_PARAMETERS } from './choice.ts'
import { canonical } from './encodings.ts'
import { fieldFrom } from './header-source.ts'
import { rankByRange } from './language-rank.ts'
import { deciderOf } from './offers.ts'

/** What `Negotiator` reads: a request of node:http is one. */
export interface NegotiatorRequest {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Options of `encoding` and `encodings`. */
export interface EncodingPreference {
  /** The order of the server among codings that the client likes equally. */
  preferred?: readonly string[]
}

const EXACT = { ignoreParameters: [] }

/**
 * The interface of the package negotiator on this package's parsers: lists in the client's order, `undefined` for
 * nothing. Its answers are kept but where they contradict the standards; the README lists those.
 */
export class Negotiator {
  readonly request: NegotiatorRequest

  constructor(request: NegotiatorRequest) {
    this.request = request
  }

  mediaType(available?: readonly string[]): string | undefined {
    return this.mediaTypes(available)[0]
  }

  mediaTypes(available?: readonly string[]): string[] {
    const field = fieldFrom(this.request, 'accept')
    if (available) return accepted(deciderOf('media', available, EXACT)(field).all)
    return byQuality(parseAccept(field) ?? [memberOf('*/*', 1000)])
  }

  language(available?: readonly string[]): string | undefined {
    return this.languages(available)[0]
  }

  languages(available?: readonly string[]): string[] {
    const members = membersOf(this.request, 'accept-language')
    return available ? accepted(rankByRange(available, members)) : byQuality(members)
  }

  charset(available?: readonly string[]): string | undefined {
    return this.charsets(available)[0]
  }

  charsets(available?: readonly string[]): string[] {
    const members = membersOf(this.request, 'accept-charset')
    return available
      ? accepted(available.map((value, index) => judgeName(value, index, value.toLowerCase(), members)))
      : byQuality(members)
  }

  encoding(available?: readonly string[], preference?: EncodingPreference): string | undefined {
    return this.encodings(available, preference)[0]
  }

  encodings(available?: readonly string[], preference?: EncodingPreference): string[] {
    const members = withIdentity(parseAcceptList(fieldFrom(this.request, 'accept-encoding')) ?? [])
    if (!available) return byQuality(members, preference?.preferred)
    const named = members.map((member) => ({ ...member, name: canonical(member.name) }))
    const choices = available.map((value, index) => judgeName(value, index, canonical(value.toLowerCase()), named))
    return accepted(choices, preference?.preferred)
  }

  preferredMediaType(available?: readonly string[]): string | undefined {
    return this.mediaType(available)
  }

  preferredMediaTypes(available?: readonly string[]): string[] {
    return this.mediaTypes(available)
  }

  preferredLanguage(available?: readonly string[]): string | undefined {
    return this.language(available)
  }

  preferredLanguages(available?: readonly string[]): string[] {
    return this.languages(available)
  }

  preferredCharset(available?: readonly string[]): string | undefined {
    return this.charset(available)
  }

  preferredCharsets(available?: readonly string[]): string[] {
    return this.charsets(available)
  }

  preferredEncoding(available?: readonly string[], preference?: EncodingPreference): string | undefined {
    return this.encoding(available, preference)
  }

  preferredEncodings(available?: readonly string[], preference?: EncodingPreference): string[] {
    return this.encodings(available, preference)
  }
}

/** An absent field accepts everything, an empty one nothing. */
function membersOf(request: NegotiatorRequest, name: string): Member[] {
  return parseAcceptList(fieldFrom(request, name)) ?? [memberOf('*', 1000)]
}

function memberOf(name: string, q: number): Member {
  return { name, q, text: name, parameters: NO_PARAMETERS, extensions: undefined }
}

/** `identity` is acceptable after everything else, unless the field speaks of it or of `*` (RFC 9110 12.5.3). */
function withIdentity(members: readonly Member[]): Member[] {
  if (members.some(({ name }) => name === 'identity' || name === '*')) return [...members]
  const q = members.reduce((least, member) => Math.min(least, member.q || 1000), 1000)
  return [...members, memberOf('identity', q)]
}

function accepted(choices: readonly Choice[], preferred: readonly string[] = []): string[] {
  return choices
    .filter((choice) => choice.q > 0)
    .sort((a, b) => b.q - a.q || byPreference(a.value, b.value, preferred) || byClient(a, b))
    .map((choice) => choice.value)
}

function byQuality(members: readonly { q: number; text: string }[], preferred: readonly string[] = []): string[] {
  return members
    .map(({ q, text }) => ({ q, name: nameOf(text) }))
    .filter((member) => member.q > 0)
    .sort((a, b) => b.q - a.q || byPreference(a.name, b.name, preferred))
    .map((member) => member.name)
}

function nameOf(text: string): string {
  const end = text.indexOf(';')
  return end === -1 ? text : text.slice(0, end).trim()
}

function byPreference(a: string, b: string, preferred: readonly string[]): number {
  const rank = (value: string): number => {
    const at = preferred.indexOf(value)
    return at === -1 ? preferred.length : at
  }
  return rank(a) - rank(b)
}
