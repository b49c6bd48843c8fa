import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { type AcceptItem, parseAcceptList } from './accept-list.ts'
import { matchesBasic } from './language-range.ts'
import { type NegotiationResult, type OfferMatch, type TieBreaker, unmatched } from './offer-match.ts'
import { scoreOffer } from './score-offer.ts'

/** How `Accept-Language` is weighed (RFC 9110 12.5.4, RFC 4647 3.4). */
export interface LanguageOptions<T extends string = string> {
  /**
   * What is sent when nothing matches; `false` chooses nothing, for an application that answers 406. @defaultValue the
   * first offer
   */
  default?: T | false
  /**
   * Who decides between ranges of the same weight: the order of the field, or that of the offers. @defaultValue
   * 'client'
   */
  tieBreaker?: TieBreaker
  /** Leaves out every member of the field that is outside the grammar. @defaultValue false */
  strict?: boolean
}

interface Offer<T> {
  readonly value: T
  readonly tag: string
  readonly index: number
}

interface Found<T> {
  readonly offer: Offer<T>
  readonly range: AcceptItem | undefined
  readonly order: number
}

const FOUND = 10_000 // more than any range can be long
const TAG = /^[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8})*$/

/**
 * Compiles language tags into the function that reads `Accept-Language` for them: lookup (RFC 4647 3.4), with one
 * addition: a range that equals no tag finds the first tag that it is a prefix of, so that `pt` finds `pt-BR`.
 */
export function compileLanguages<T extends string>(
  values: readonly T[],
  options: LanguageOptions<T> = {},
): (field: string | undefined) => NegotiationResult<T> {
  assertKnownOptions('negotiate: language', options, ['default', 'tieBreaker', 'strict'])
  const { tieBreaker = 'client', strict = false } = options
  const offers = values.map((value, index) => toOffer(value, index))
  const usual = options.default === undefined ? values[0] : options.default
  if (usual !== false && usual !== undefined && !values.includes(usual))
    throw new TypeError(`negotiate: language: default must be one of the offers, got ${inspectValue(usual)}`)
  return (field) => {
    const ranges = parseAcceptList(field, strict) ?? []
    const free = offers.filter((offer) => !isExcluded(offer.tag, ranges))
    const match = find(free, ranges, tieBreaker) ?? fallBack(offers, free, ranges, usual)
    const all = offers.map((offer) => describe(offer, ranges, match))
    return { best: match && all[match.offer.index], all }
  }
}

function toOffer<T extends string>(value: T, index: number): Offer<T> {
  if (!TAG.test(value))
    throw new TypeError(`negotiate: language: an offer must be a language tag, got ${inspectValue(value)}`)
  return { value, tag: value.toLowerCase(), index }
}

/** A weight of 0 excludes a tag when it stands at the most specific range that matches it; `*` excludes nothing. */
function isExcluded(tag: string, ranges: readonly AcceptItem[]): boolean {
  let longest = 0
  let q = 1000
  for (const range of ranges) {
    if (range.name === '*' || range.name.length < longest || !matchesBasic(range.name, tag)) continue
    q = range.name.length === longest ? Math.max(q, range.q) : range.q
    longest = range.name.length
  }
  return q === 0
}

function find<T extends string>(
  offers: readonly Offer<T>[],
  ranges: readonly AcceptItem[],
  tieBreaker: TieBreaker,
): Found<T> | undefined {
  let best: Found<T> | undefined
  let bestQ = 0
  for (let order = 0; order < ranges.length; order++) {
    const range = ranges[order] as AcceptItem
    if (range.q < bestQ || range.q === 0 || range.name === '*') continue
    if (range.q === bestQ && tieBreaker === 'client') continue
    const offer = lookUp(offers, range.name)
    if (offer === undefined || (range.q === bestQ && best && offer.index >= best.offer.index)) continue
    best = { offer, range, order }
    bestQ = range.q
  }
  return best
}

/**
 * RFC 4647 3.4: the whole range, then without its last subtag, and so on; a single letter is cut with what follows it.
 */
function lookUp<T extends string>(offers: readonly Offer<T>[], range: string): Offer<T> | undefined {
  let rest = range.includes('*') ? withoutWildcards(range) : range
  const exact = offers.find((offer) => offer.tag === rest) ?? offers.find((offer) => offer.tag.startsWith(`${rest}-`))
  if (exact !== undefined) return exact
  for (let cut = rest.lastIndexOf('-'); cut > 0; cut = rest.lastIndexOf('-')) {
    rest = rest.slice(0, cut)
    if (rest.charAt(rest.length - 2) === '-') rest = rest.slice(0, -2)
    const offer = offers.find(({ tag }) => tag === rest)
    if (offer !== undefined) return offer
  }
  return undefined
}

function withoutWildcards(range: string): string {
  return range
    .split('-')
    .filter((subtag, at) => at === 0 || subtag !== '*')
    .join('-')
}

function fallBack<T extends string>(
  offers: readonly Offer<T>[],
  free: readonly Offer<T>[],
  ranges: readonly AcceptItem[],
  usual: T | false | undefined,
): Found<T> | undefined {
  const order = ranges.findIndex((range) => range.name === '*' && range.q > 0)
  if (usual === false && order === -1 && ranges.length > 0) return undefined
  const pick = free.find((offer) => offer.value === usual) ?? free[0] ?? offers.find((offer) => offer.value === usual)
  return pick && { offer: pick, range: ranges[order], order }
}

function describe<T extends string>(
  { value, index, tag }: Offer<T>,
  ranges: readonly AcceptItem[],
  match: Found<T> | undefined,
): OfferMatch<T> {
  if (ranges.length === 0) return unmatched(value, index, 1)
  const score = (range: AcceptItem): number => {
    if (range === match?.range && match.offer.index === index) return FOUND
    if (range.name === '*') return 1
    return matchesBasic(range.name, tag) ? 1 + range.name.length : 0
  }
  return scoreOffer(unmatched(value, index, 0), ranges, score, 2)
}
