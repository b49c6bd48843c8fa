import type { AcceptItem } from './accept-list.ts'
import type { OfferMatch } from './offer-match.ts'

/**
 * Scores an offer by the most specific item that matches it; of equally specific ones by the
 * highest weight, then by the first. `score` returns 0 for an item that does not match, and at
 * least `explicitFrom` for one that names the offer. Returns `unmatched` if no item matches.
 */
export function scoreOffer<T extends string>(
  unmatched: OfferMatch<T>,
  items: readonly AcceptItem[],
  score: (item: AcceptItem) => number,
  explicitFrom: number,
): OfferMatch<T> {
  let decisive: AcceptItem | undefined
  let specificity = 0
  let order = -1
  for (let position = 0; position < items.length; position++) {
    const item = items[position] as AcceptItem
    const value = score(item)
    if (value === 0 || value < specificity) continue
    if (value === specificity && item.q <= (decisive?.q ?? 0)) continue
    decisive = item
    specificity = value
    order = position
  }
  if (decisive === undefined) return unmatched
  const { value, index } = unmatched
  const { q, text: range, parameters } = decisive
  return { value, index, q, explicit: specificity >= explicitFrom, range, order, specificity, parameters }
}
