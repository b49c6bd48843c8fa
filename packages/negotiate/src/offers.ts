import { memoize } from '../../internal/memoize.ts'
import { inspectValue } from '../../internal/options.ts'
import { type CharsetOptions, compileCharsets } from './charsets.ts'
import { compileEncodings, type EncodingOptions } from './encodings.ts'
import { compileLanguages, type LanguageOptions } from './languages.ts'
import { compileMediaTypes, type MediaTypeOptions } from './media-types.ts'
import { assertOfferOptions, type NegotiationResult } from './offer-match.ts'

/** Offers of a service, compiled once. */
export interface Offers<T extends string = string> {
  /** The offers in the order of the server's preference. */
  readonly list: readonly T[]
}

/** Offers as an array, or from `offers()`. */
export type OffersLike<T extends string> = readonly T[] | Offers<T>

/** Options for the dimension of the offers. */
export type OfferOptions = MediaTypeOptions | LanguageOptions | EncodingOptions | CharsetOptions
export type Dimension = 'media' | 'language' | 'encoding' | 'charset'
export type NegotiateHeader = (header: string | undefined) => NegotiationResult

const MAX_CACHED = 256
const OPTIONS = ['default', 'tieBreaker', 'strict', 'ignoreParameters', 'aliases']

class CompiledOffers<T extends string> implements Offers<T> {
  readonly list: readonly T[]
  readonly options: OfferOptions | undefined
  media: NegotiateHeader | undefined
  language: NegotiateHeader | undefined
  encoding: NegotiateHeader | undefined
  charset: NegotiateHeader | undefined

  constructor(values: readonly T[], options: OfferOptions | undefined) {
    if (!Array.isArray(values) || values.some((value) => typeof value !== 'string')) throw createOffersError(values)
    this.list = Object.freeze([...values])
    this.options = options
  }
}

const latest: Record<Dimension, CompiledOffers<string> | undefined> = {
  media: undefined,
  language: undefined,
  encoding: undefined,
  charset: undefined,
}
const cache = new Map<string, CompiledOffers<string>>()

/**
 * Compiles offers once, for the fastest use of `mediaType`, `language`, `encoding` and `charset`.
 * Arrays are compiled and cached too; this saves the lookup. The options apply wherever the offers
 * are used.
 */
export function offers<const T extends string>(values: readonly T[], options?: OfferOptions): Offers<T> {
  if (options !== undefined) assertOfferOptions('negotiate: offers', options, OPTIONS)
  return new CompiledOffers(values, options)
}

// Array.isArray narrows a readonly array to any[].
function isList<T extends string>(available: OffersLike<T>): available is readonly T[] {
  return Array.isArray(available)
}

/** Returns offers as an array. */
export function toOfferList<T extends string>(available: OffersLike<T>): readonly T[] {
  if (isList(available)) return available
  const list: unknown = (available as Offers<T> | undefined)?.list
  if (!Array.isArray(list)) throw createOffersError(available)
  return available.list
}

function createOffersError(value: unknown): TypeError {
  return new TypeError(`negotiate: offers must be an array of strings or from offers(), got ${inspectValue(value)}`)
}

/** Returns the cached function that negotiates a header for these offers. */
export function getNegotiator(
  dimension: Dimension,
  available: OffersLike<string>,
  options?: OfferOptions,
): NegotiateHeader {
  const compiled =
    available instanceof CompiledOffers
      ? requireSameOptions(available, options)
      : compileOffers(dimension, available, options)
  const cached = compiled[dimension]
  if (cached) return cached
  const negotiateHeader = memoize(compile(dimension, compiled.list, compiled.options))
  compiled[dimension] = negotiateHeader
  return negotiateHeader
}

/** Throws a `TypeError` if compiled offers are used with other options. */
function requireSameOptions(
  available: CompiledOffers<string>,
  options: OfferOptions | undefined,
): CompiledOffers<string> {
  if (options === undefined || options === available.options) return available
  throw new TypeError(
    'negotiate: offers: options must be passed to offers(values, options), not where the offers are used',
  )
}

// An array may be changed after its first use, and a literal is a new array each time, so the
// content is compared. Mostly it is that of the last call; building a key costs more than
// everything else.
function compileOffers(
  dimension: Dimension,
  available: OffersLike<string>,
  options: OfferOptions | undefined,
): CompiledOffers<string> {
  const last = latest[dimension]
  if (last && last.options === options && isSame(last.list, available)) return last
  const values = toOfferList(available)
  const key = JSON.stringify([values, options])
  let compiled = cache.get(key)
  if (compiled === undefined) {
    compiled = new CompiledOffers(values, options)
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(key, compiled)
  }
  latest[dimension] = compiled
  return compiled
}

function isSame(list: readonly string[], available: OffersLike<string>): boolean {
  if (!Array.isArray(available) || available.length !== list.length) return false
  for (let index = 0; index < list.length; index++) if (list[index] !== available[index]) return false
  return true
}

function compile(dimension: Dimension, values: readonly string[], options: OfferOptions | undefined): NegotiateHeader {
  if (dimension === 'media') return compileMediaTypes(values, options as MediaTypeOptions)
  if (dimension === 'language') return compileLanguages(values, options as LanguageOptions)
  if (dimension === 'encoding') return compileEncodings(values, options as EncodingOptions)
  return compileCharsets(values, options as CharsetOptions)
}
