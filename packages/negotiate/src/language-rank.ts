import type { AcceptItem } from './accept-list.ts'
import { type OfferMatch, unmatched } from './offer-match.ts'
import { scoreOffer } from './score-offer.ts'

/**
 * Ranks language tags one by one, for interfaces that return lists. A range matches an equal tag, a
 * tag that is a prefix of the range (RFC 4647 §3.4), and tags that begin with the range. Tags that
 * only `*` matches come after all others.
 */
export function rankByRange<T extends string>(values: readonly T[], ranges: readonly AcceptItem[]): OfferMatch<T>[] {
  const isNamed = ranges.some((range) => range.name !== '*' && range.q > 0)
  return values.map((value, index) => {
    const tag = value.toLowerCase()
    const match = scoreOffer(unmatched(value, index, 0), ranges, (range) => scoreRange(range.name, tag), NAMED)
    return match.explicit || !isNamed ? match : { ...match, q: match.q / 10_000 }
  })
}

const NAMED = 1000

// Equal, shortened range (the longer the better), prefix, wildcard.
function scoreRange(range: string, tag: string): number {
  if (range === tag) return 4 * NAMED
  if (range.startsWith(`${tag}-`)) return 2 * NAMED + Math.min(tag.length, NAMED)
  if (tag.startsWith(`${range}-`)) return NAMED
  return range === '*' ? 1 : 0
}
