import type { AcceptItem } from './accept-list.ts'
import { type OfferMatch, unmatched } from './offer-match.ts'
import { scoreOffer } from './score-offer.ts'

/**
 * Ranks language tags one by one, for interfaces that return lists: a range speaks for the tag that equals it, for
 * what is left of it when subtags are cut (RFC 4647 3.4), and for tags that it is a prefix of. A tag for which only
 * `*` speaks comes after those that a range names.
 */
export function rankByRange<T extends string>(values: readonly T[], ranges: readonly AcceptItem[]): OfferMatch<T>[] {
  const isNamed = ranges.some((range) => range.name !== '*' && range.q > 0)
  return values.map((value, index) => {
    const tag = value.toLowerCase()
    const choice = scoreOffer(unmatched(value, index, 0), ranges, (range) => scoreRange(range.name, tag), NAMED)
    return choice.explicit || !isNamed ? choice : { ...choice, q: choice.q / 10_000 }
  })
}

const NAMED = 1000

// Equal, cut (the longer what is left, the better), prefix, wildcard.
function scoreRange(range: string, tag: string): number {
  if (range === tag) return 4 * NAMED
  if (range.startsWith(`${tag}-`)) return 2 * NAMED + Math.min(tag.length, NAMED)
  if (tag.startsWith(`${range}-`)) return NAMED
  return range === '*' ? 1 : 0
}
