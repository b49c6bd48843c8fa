import { assertKnownOptions, assertOneOf, assertTypes } from '../../internal/options.ts'

/** Result of matching one offer with a header. */
export interface OfferMatch<T extends string = string> {
  /** The offer. */
  readonly value: T
  /** Its index in the offers. */
  readonly index: number
  /** Its quality, 0 to 1; 0 means not acceptable. */
  readonly q: number
  /** Whether the client named it, rather than only a wildcard or nothing. */
  readonly explicit: boolean
  /** The item of the header that decided, as the client wrote it; `undefined` if none matches. */
  readonly range: string | undefined
  /** The index of that item in the header; -1 if none matches. */
  readonly order: number
  /** The specificity of that item; higher wins (RFC 9110 §12.5.1). */
  readonly specificity: number
  /** The parameters of that item except `q`. */
  readonly parameters: ReadonlyMap<string, string>
}

/** Result of matching all offers with a header. */
export interface NegotiationResult<T extends string = string> {
  /** The chosen offer; `undefined` if none is acceptable. */
  readonly best: OfferMatch<T> | undefined
  /** Every offer, in the order of the server. */
  readonly all: readonly OfferMatch<T>[]
}

/** Decides between offers that the client prefers equally. */
export type TieBreaker = 'server' | 'client'

const TYPES = { strict: 'boolean', ignoreParameters: 'strings', aliases: 'object' } as const

/** Throws a `TypeError` on an option that does not exist or has a wrong type. */
export function assertOfferOptions(
  owner: string,
  options: { readonly tieBreaker?: TieBreaker },
  supported: readonly string[],
): void {
  assertKnownOptions(owner, options, supported)
  assertTypes(owner, options, TYPES)
  if (options.tieBreaker !== undefined) assertOneOf(owner, 'tieBreaker', options.tieBreaker, ['server', 'client'])
}

/** Shared by all matches without parameters. */
export const NO_PARAMETERS: ReadonlyMap<string, string> = new Map()

/** Creates the match of an offer that no item of the header mentions. */
export function unmatched<T extends string>(value: T, index: number, q: number): OfferMatch<T> {
  return { value, index, q, explicit: false, range: undefined, order: -1, specificity: 0, parameters: NO_PARAMETERS }
}

/**
 * Returns the acceptable offer of the highest quality. Of equals the first, or with
 * `tieBreaker: 'client'` the one that the client names best.
 */
export function findBest<T extends string>(
  matches: readonly OfferMatch<T>[],
  tieBreaker: TieBreaker,
): OfferMatch<T> | undefined {
  let best: OfferMatch<T> | undefined
  for (const match of matches) {
    if (match.q === 0) continue
    if (best === undefined || match.q > best.q) best = match
    else if (tieBreaker === 'client' && match.q === best.q && compareByClient(match, best) < 0) best = match
  }
  return best
}

/**
 * Compares as the client prefers: the more specific first, then by the order of the header, then of
 * the offers.
 */
export function compareByClient(a: OfferMatch, b: OfferMatch): number {
  return b.specificity - a.specificity || a.order - b.order || a.index - b.index
}
