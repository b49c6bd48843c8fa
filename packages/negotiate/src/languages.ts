import { inspectValue } from '../../internal/options.ts'
import { type AcceptItem, parseAcceptList } from './accept-list.ts'
import { matchesLanguageRange } from './language-range.ts'
import {
  assertOfferOptions,
  type NegotiationResult,
  type OfferMatch,
  type TieBreaker,
  unmatched,
} from './offer-match.ts'
import { scoreOffer } from './score-offer.ts'

/** Options for `language()` and its offers. */
export interface LanguageOptions<T extends string = string> {
  /**
   * The result if no offer matches; `false` for none, if the app responds with 406.
   * @defaultValue the first offer
   */
  default?: T | false
  /**
   * Decides between ranges of the same weight: the order of the header or of the offers.
   * @defaultValue 'client'
   */
  tieBreaker?: TieBreaker
  /**
   * Whether to ignore items of the header that are outside the grammar, instead of reading them
   * leniently.
   * @defaultValue false
   */
  strict?: boolean
}

interface LanguageOffer<T> {
  readonly value: T
  readonly tag: string
  readonly index: number
}

interface LanguageMatch<T> {
  readonly offer: LanguageOffer<T>
  readonly range: AcceptItem | undefined
  readonly order: number
}

/** The score of the chosen offer, higher than the length of any range. */
const CHOSEN = 10_000
const TAG = /^[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8})*$/

/**
 * Compiles language tags into the function that negotiates by `Accept-Language`: lookup (RFC 4647
 * §3.4) with one addition: a range that equals no tag matches the first tag that begins with it, so
 * that `pt` matches `pt-BR`.
 */
export function compileLanguages<T extends string>(
  values: readonly T[],
  options: LanguageOptions<T> = {},
): (header: string | undefined) => NegotiationResult<T> {
  assertOfferOptions('negotiate: language', options, ['default', 'tieBreaker', 'strict'])
  const { tieBreaker = 'client' } = options
  const offers = values.map((value, index) => toOffer(value, index))
  const fallback = options.default === undefined ? values[0] : options.default
  if (fallback !== false && fallback !== undefined && !values.includes(fallback))
    throw new TypeError(`negotiate: language: default must be one of the offers, got ${inspectValue(fallback)}`)
  return (header) => {
    const ranges = parseAcceptList(header, options) ?? []
    const acceptable = offers.filter((offer) => !isExcluded(offer.tag, ranges))
    const match = findMatch(acceptable, ranges, tieBreaker) ?? chooseFallback(offers, acceptable, ranges, fallback)
    const all = offers.map((offer) => toOfferMatch(offer, ranges, match))
    return { best: match && all[match.offer.index], all }
  }
}

function toOffer<T extends string>(value: T, index: number): LanguageOffer<T> {
  if (!TAG.test(value))
    throw new TypeError(`negotiate: language: an offer must be a language tag, got ${inspectValue(value)}`)
  return { value, tag: value.toLowerCase(), index }
}

/**
 * A tag is excluded if the most specific range that matches it has the weight 0; `*` excludes
 * nothing.
 */
function isExcluded(tag: string, ranges: readonly AcceptItem[]): boolean {
  let longest = 0
  let q = 1
  for (const range of ranges) {
    if (range.name === '*' || range.name.length < longest || !matchesLanguageRange(range.name, tag)) continue
    q = range.name.length === longest ? Math.max(q, range.q) : range.q
    longest = range.name.length
  }
  return q === 0
}

function findMatch<T extends string>(
  offers: readonly LanguageOffer<T>[],
  ranges: readonly AcceptItem[],
  tieBreaker: TieBreaker,
): LanguageMatch<T> | undefined {
  let best: LanguageMatch<T> | undefined
  let bestQ = 0
  for (let order = 0; order < ranges.length; order++) {
    const range = ranges[order] as AcceptItem
    if (range.q < bestQ || range.q === 0 || range.name === '*') continue
    if (range.q === bestQ && tieBreaker === 'client') continue
    const offer = lookup(offers, range.name)
    if (offer === undefined || (range.q === bestQ && best && offer.index >= best.offer.index)) continue
    best = { offer, range, order }
    bestQ = range.q
  }
  return best
}

/**
 * Shortens the range by its last subtag until it equals an offer; a single-letter subtag is removed
 * together with the one after it (RFC 4647 §3.4).
 */
function lookup<T extends string>(offers: readonly LanguageOffer<T>[], range: string): LanguageOffer<T> | undefined {
  let rest = range.includes('*') ? removeWildcards(range) : range
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

function removeWildcards(range: string): string {
  return range
    .split('-')
    .filter((subtag, index) => index === 0 || subtag !== '*')
    .join('-')
}

function chooseFallback<T extends string>(
  offers: readonly LanguageOffer<T>[],
  acceptable: readonly LanguageOffer<T>[],
  ranges: readonly AcceptItem[],
  fallback: T | false | undefined,
): LanguageMatch<T> | undefined {
  const order = ranges.findIndex((range) => range.name === '*' && range.q > 0)
  if (fallback === false && order === -1 && ranges.length > 0) return undefined
  const offer =
    acceptable.find((offer) => offer.value === fallback) ??
    acceptable[0] ??
    offers.find((offer) => offer.value === fallback)
  return offer && { offer, range: ranges[order], order }
}

function toOfferMatch<T extends string>(
  { value, index, tag }: LanguageOffer<T>,
  ranges: readonly AcceptItem[],
  match: LanguageMatch<T> | undefined,
): OfferMatch<T> {
  if (ranges.length === 0) return unmatched(value, index, 1)
  const score = (range: AcceptItem): number => {
    if (range === match?.range && match.offer.index === index) return CHOSEN
    if (range.name === '*') return 1
    return matchesLanguageRange(range.name, tag) ? 1 + range.name.length : 0
  }
  return scoreOffer(unmatched(value, index, 0), ranges, score, 2)
}
