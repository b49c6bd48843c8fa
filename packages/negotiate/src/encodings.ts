import { assertKnownOptions } from '../../internal/options.ts'
import { type AcceptItem, parseAcceptList } from './accept-list.ts'
import { judgeName, parseName } from './charsets.ts'
import {
  findBest,
  type NegotiationResult,
  NO_PARAMETERS,
  type OfferMatch,
  type TieBreaker,
  unmatched,
} from './offer-match.ts'

/** How `Accept-Encoding` is weighed (RFC 9110 12.5.3). */
export interface EncodingOptions {
  /** Who decides between codings that the client likes equally. @defaultValue 'server': the first offer */
  tieBreaker?: TieBreaker
  /** Leaves out every member of the field that is outside the grammar. @defaultValue false */
  strict?: boolean
}

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['x-gzip', 'gzip'],
  ['x-compress', 'compress'],
])

/**
 * Compiles content codings into the function that reads `Accept-Encoding` for them (RFC 9110 12.5.3). `identity` is
 * always on offer too: chosen when the field is absent, when no coding is acceptable, or when the client prefers it.
 */
export function compileEncodings<T extends string>(
  values: readonly T[],
  options: EncodingOptions = {},
): (field: string | undefined) => NegotiationResult<T | 'identity'> {
  assertKnownOptions('negotiate: encoding', options, ['tieBreaker', 'strict'])
  const { tieBreaker = 'server', strict = false } = options
  const offers: (T | 'identity')[] = values.includes('identity' as T) ? [...values] : [...values, 'identity']
  const names = offers.map((value) => canonical(parseName('encoding', value)))
  const identityAt = names.indexOf('identity')
  return (field) => {
    const members = parseAcceptList(field, strict)?.map(withoutAlias)
    if (members === undefined) {
      const all = offers.map((value, index) => unmatched(value, index, 1))
      return { best: all[identityAt], all }
    }
    const all = offers.map((value, index) =>
      index === identityAt ? matchIdentity(index, members) : judgeName(value, index, names[index] ?? '', members),
    )
    const coded = findBest(
      all.filter((choice) => choice.index !== identityAt),
      tieBreaker,
    )
    const identity = all[identityAt]
    const plain = identity !== undefined && identity.q > 0
    if (coded === undefined) return { best: plain ? identity : undefined, all }
    return { best: plain && identity.explicit && identity.q > coded.q ? identity : coded, all }
  }
}

/** The name that a coding is compared by: `x-gzip` is gzip (RFC 9110 8.4.1.3). */
export function canonical(name: string): string {
  return ALIASES.get(name) ?? name
}

function withoutAlias(member: AcceptItem): AcceptItem {
  const name = ALIASES.get(member.name)
  return name === undefined ? member : { ...member, name }
}

// Acceptable without being named, unless `*` excludes what is not named. An unnamed one never beats a coding.
function matchIdentity(index: number, members: readonly AcceptItem[]): OfferMatch<'identity'> {
  const judged = judgeName('identity', index, 'identity', members)
  return judged.specificity > 0 ? judged : { ...unmatched('identity', index, 0.001), parameters: NO_PARAMETERS }
}
