import type { Member } from './accept-list.ts'
import type { Choice } from './choice.ts'

/**
 * Judges one offer by the member that speaks most exactly for it; of equally exact ones by that with the highest
 * weight, then by the first. `none` is what it is when no member speaks for it. `scoreOf` is 0 for a member that does not match; from `explicitFrom` on it names the offer.
 */
export function judge<T extends string>(
  none: Choice<T>,
  members: readonly Member[],
  scoreOf: (member: Member) => number,
  explicitFrom: number,
): Choice<T> {
  let decisive: Member | undefined
  let specificity = 0
  let order = -1
  for (let at = 0; at < members.length; at++) {
    const member = members[at] as Member
    const score = scoreOf(member)
    if (score === 0 || score < specificity) continue
    if (score === specificity && member.q <= (decisive?.q ?? 0)) continue
    decisive = member
    specificity = score
    order = at
  }
  if (decisive === undefined) return none
  const { value, index } = none
  const { q, text: range, parameters } = decisive
  return { value, index, q: q / 1000, explicit: specificity >= explicitFrom, range, order, specificity, parameters }
}
