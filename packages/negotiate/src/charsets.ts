import { inspectValue } from '../../internal/options.ts'
import { type AcceptItem, isBlank, parseAcceptList } from './accept-list.ts'
import { isToken } from './media-type.ts'
import {
  assertOfferOptions,
  findBest,
  type NegotiationResult,
  type OfferMatch,
  type TieBreaker,
  unmatched,
} from './offer-match.ts'
import { scoreOffer } from './score-offer.ts'

/** Options for `charset()` and its offers. */
export interface CharsetOptions {
  /**
   * Decides between charsets that the client prefers equally: the order of the offers or of the
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

/** Compiles charsets into the function that negotiates by `Accept-Charset` (RFC 9110 §12.5.2). */
export function compileCharsets<T extends string>(
  values: readonly T[],
  options: CharsetOptions = {},
): (header: string | undefined) => NegotiationResult<T> {
  assertOfferOptions('negotiate: charset', options, ['tieBreaker', 'strict'])
  const { tieBreaker = 'server' } = options
  const names = values.map((value) => parseName('charset', value))
  return (header) => {
    const items = header === undefined || isBlank(header) ? undefined : parseAcceptList(header, options)
    const all = values.map((value, index) =>
      items === undefined ? unmatched(value, index, 1) : scoreName(value, index, names[index] ?? '', items),
    )
    return { best: findBest(all, tieBreaker), all }
  }
}

/** Returns an offered name in lower case. Throws a `TypeError` if it is not a token. */
export function parseName(owner: string, value: string): string {
  if (!isToken(value)) throw new TypeError(`negotiate: ${owner}: an offer must be a token, got ${inspectValue(value)}`)
  return value.toLowerCase()
}

/**
 * Scores a name by the item that names it, else by `*`, else 0. Of equal items the highest weight
 * counts.
 */
export function scoreName<T extends string>(
  value: T,
  index: number,
  name: string,
  items: readonly AcceptItem[],
): OfferMatch<T> {
  return scoreOffer(
    unmatched(value, index, 0),
    items,
    (item) => (item.name === name ? 2 : item.name === '*' ? 1 : 0),
    2,
  )
}
