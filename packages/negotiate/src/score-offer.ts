import type { AcceptItem } from './accept-list.ts'
import type { OfferMatch } from './offer-match.ts'

/**
 * Judges one offer by the member that speaks most exactly for it; of equally exact ones by that with the highest
 * weight, then by the first. `none` is what it is when no member speaks for it. `scoreOf` is 0 for a member that does not match; from `explicitFrom` on it names the offer.
 */
export function scoreOffer<T extends string>(
  none: OfferMatch<T>,
  members: readonly AcceptItem[],
  scoreOf: (member: AcceptItem) => number,
  explicitFrom: number,
): OfferMatch<T> {
  let decisive: AcceptItem | undefined
  let specificity = 0
  let order = -1
  for (let position = 0; position < members.length; position++) {
    const member = members[position] as AcceptItem
    const score = scoreOf(member)
    if (score === 0 || score < specificity) continue
    if (score === specificity && member.q <= (decisive?.q ?? 0)) continue
    decisive = member
    specificity = score
    order = position
  }
  if (decisive === undefined) return none
  const { value, index } = none
  const { q, text: range, parameters } = decisive
  return { value, index, q: q / 1000, explicit: specificity >= explicitFrom, range, order, specificity, parameters }
}
