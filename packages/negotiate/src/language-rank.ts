import type { Member } from './accept-list.ts'
import { type Choice, NO_PARAMETERS, unmatched } from './choice.ts'

/**
 * Ranks language tags one by one, for interfaces that return lists: a range speaks for the tag that equals it, for
 * what is left of it when subtags are cut (RFC 4647 3.4), and for tags that it is a prefix of. A tag for which only
 * `*` speaks comes after those that a range names.
 */
export function rankByRange<T extends string>(values: readonly T[], ranges: readonly Member[]): Choice<T>[] {
  const isNamed = ranges.some((range) => range.name !== '*' && range.q > 0)
  return values.map((value, index) => {
    const tag = value.toLowerCase()
    let decisive: Member | undefined
    let specificity = -1
    let order = -1
    for (let at = 0; at < ranges.length; at++) {
      const range = ranges[at] as Member
      const score = scoreOf(range.name, tag)
      if (score < 0 || score < specificity) continue
      if (score === specificity && range.q <= (decisive?.q ?? 0)) continue
      decisive = range
      specificity = score
      order = at
    }
    if (decisive === undefined) return unmatched(value, index, 0)
    const { q, text: range, name } = decisive
    const explicit = name !== '*'
    const weight = explicit || !isNamed ? q / 1000 : Math.min(q, 1) / 1_000_000
    return { value, index, q: weight, explicit, range, order, specificity, parameters: NO_PARAMETERS }
  })
}

// Equal, cut (the longer what is left, the better), prefix, wildcard.
function scoreOf(range: string, tag: string): number {
  if (range === tag) return 4000
  if (range.startsWith(`${tag}-`)) return 2000 + Math.min(tag.length, 1000)
  if (tag.startsWith(`${range}-`)) return 1000
  return range === '*' ? 0 : -1
}
