import { splitList } from '../../internal/list.ts'
import { type AcceptItem, parseAcceptList } from './accept-list.ts'
import { parseName, scoreName } from './charsets.ts'
import {
  assertOfferOptions,
  findBest,
  type NegotiationResult,
  NO_PARAMETERS,
  type OfferMatch,
  type TieBreaker,
  unmatched,
} from './offer-match.ts'

/** Options for `encoding()` and its offers. */
export interface EncodingOptions {
  /**
   * Decides between encodings that the client prefers equally: the order of the offers or of the
   * header.
   * @defaultValue 'server'
   */
  tieBreaker?: TieBreaker
  /**
   * Whether to ignore items of the header that are outside the grammar, instead of reading them
   * leniently.
   * @defaultValue false
   */
  strict?: boolean
}

/** No legitimate client compresses a body more often than this. */
export const MAX_LAYERS = 2

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['x-gzip', 'gzip'],
  ['x-compress', 'compress'],
])

/**
 * Compiles encodings into the function that negotiates by `Accept-Encoding` (RFC 9110 §12.5.3).
 * `identity` is always on offer: it is chosen if the header is absent, if no encoding is
 * acceptable, or if the client prefers it.
 */
export function compileEncodings<T extends string>(
  values: readonly T[],
  options: EncodingOptions = {},
): (header: string | undefined) => NegotiationResult<T | 'identity'> {
  assertOfferOptions('negotiate: encoding', options, ['tieBreaker', 'strict'])
  const { tieBreaker = 'server' } = options
  const offers: (T | 'identity')[] = values.includes('identity' as T) ? [...values] : [...values, 'identity']
  const names = offers.map((value) => normalizeEncoding(parseName('encoding', value)))
  const identityIndex = names.indexOf('identity')
  return (header) => {
    const items = parseAcceptList(header, options)?.map(resolveAlias)
    if (items === undefined) {
      const all = offers.map((value, index) => unmatched(value, index, 1))
      return { best: all[identityIndex], all }
    }
    const all = offers.map((value, index) =>
      index === identityIndex ? matchIdentity(index, items) : scoreName(value, index, names[index] ?? '', items),
    )
    const identity = all[identityIndex]
    const candidates = identity?.explicit ? all : all.filter((choice) => choice !== identity)
    const best = findBest(candidates, tieBreaker) ?? (identity && identity.q > 0 ? identity : undefined)
    return { best, all }
  }
}

/** Returns the name by which an encoding is compared: `x-gzip` is gzip (RFC 9110 §8.4.1.3). */
export function normalizeEncoding(name: string): string {
  return ALIASES.get(name) ?? name
}

/**
 * Parses `Content-Encoding` into the encodings in the order in which they were applied, without
 * `identity` (RFC 9110 §8.4).
 */
export function parseContentEncoding(contentEncoding: string | undefined): string[] {
  if (contentEncoding === undefined) return []
  return splitList(contentEncoding)
    .map((name) => normalizeEncoding(name.toLowerCase()))
    .filter((name) => name !== 'identity')
}

function resolveAlias(item: AcceptItem): AcceptItem {
  const name = ALIASES.get(item.name)
  return name === undefined ? item : { ...item, name }
}

// `identity` is acceptable unless it or `*` is excluded. If it is not named, it never wins over an
// encoding.
function matchIdentity(index: number, items: readonly AcceptItem[]): OfferMatch<'identity'> {
  const scored = scoreName('identity', index, 'identity', items)
  return scored.specificity > 0 ? scored : { ...unmatched('identity', index, 0.001), parameters: NO_PARAMETERS }
}
