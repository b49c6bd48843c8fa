import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { type AcceptItem, isBlank, parseAcceptList } from './accept-list.ts'
import { isToken } from './media-type.ts'
import { findBest, type NegotiationResult, type OfferMatch, type TieBreaker, unmatched } from './offer-match.ts'
import { scoreOffer } from './score-offer.ts'

/** How `Accept-Charset` is weighed (RFC 9110 12.5.2). */
export interface CharsetOptions {
  /** Who decides between charsets that the client likes equally. @defaultValue 'server': the first offer */
  tieBreaker?: TieBreaker
  /** Leaves out every member of the field that is outside the grammar. @defaultValue false */
  strict?: boolean
}

/** Compiles charsets into the function that reads `Accept-Charset` for them (RFC 9110 12.5.2). */
export function compileCharsets<T extends string>(
  values: readonly T[],
  options: CharsetOptions = {},
): (field: string | undefined) => NegotiationResult<T> {
  assertKnownOptions('negotiate: charset', options, ['tieBreaker', 'strict'])
  const { tieBreaker = 'server', strict = false } = options
  const names = values.map((value) => parseName('charset', value))
  return (field) => {
    const members = field === undefined || isBlank(field) ? undefined : parseAcceptList(field, strict)
    const all = values.map((value, index) =>
      members === undefined ? unmatched(value, index, 1) : judgeName(value, index, names[index] ?? '', members),
    )
    return { best: findBest(all, tieBreaker), all }
  }
}

/** An offered name in lower case; throws on what is no token. */
export function parseName(owner: string, value: string): string {
  if (!isToken(value)) throw new TypeError(`negotiate: ${owner}: an offer must be a token, got ${inspectValue(value)}`)
  return value.toLowerCase()
}

/** The quality of one name: that of the member which names it, else that of `*`, else 0. Of equals the highest. */
export function judgeName<T extends string>(
  value: T,
  index: number,
  name: string,
  members: readonly AcceptItem[],
): OfferMatch<T> {
  return scoreOffer(
    unmatched(value, index, 0),
    members,
    (member) => (member.name === name ? 2 : member.name === '*' ? 1 : 0),
    2,
  )
}
