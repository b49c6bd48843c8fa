import { memoize } from '../../internal/memoize.ts'
import { type CharsetOptions, compileCharsets } from './charsets.ts'
import { compileEncodings, type EncodingOptions } from './encodings.ts'
import { compileLanguages, type LanguageOptions } from './languages.ts'
import { compileMediaTypes, type MediaTypeOptions } from './media-types.ts'
import type { NegotiationResult } from './offer-match.ts'

/** What a service can send, compiled once. */
export interface Offers<T extends string = string> {
  /** The offers in the order of the server's preference. */
  readonly list: readonly T[]
}

/** Offers as they may be given: a plain array, or what `offers()` made of one. */
export type Available<T extends string> = readonly T[] | Offers<T>

/** The options of the dimension that the offers are for. */
export type OfferOptions = MediaTypeOptions | LanguageOptions | EncodingOptions | CharsetOptions
export type Dimension = 'media' | 'language' | 'encoding' | 'charset'
export type NegotiateHeader = (field: string | undefined) => NegotiationResult

const MAX_KNOWN = 256

class CompiledOffers<T extends string> implements Offers<T> {
  readonly list: readonly T[]
  readonly options: OfferOptions | undefined
  media: NegotiateHeader | undefined
  language: NegotiateHeader | undefined
  encoding: NegotiateHeader | undefined
  charset: NegotiateHeader | undefined

  constructor(values: readonly T[], options: OfferOptions | undefined) {
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
const byContent = new Map<string, CompiledOffers<string>>()

/**
 * Compiles offers once, for the quickest form of `mediaType`, `language`, `encoding` and `charset`. Plain arrays are
 * compiled too, and remembered; this saves looking them up. Options given here hold wherever the offers are used.
 */
export function offers<const T extends string>(values: readonly T[], options?: OfferOptions): Offers<T> {
  return new CompiledOffers(values, options)
}

// Array.isArray takes a readonly array for any.
function isList<T extends string>(available: Available<T>): available is readonly T[] {
  return Array.isArray(available)
}

/** The plain list of offers given in either form. */
export function toOfferList<T extends string>(available: Available<T>): readonly T[] {
  return isList(available) ? available : available.list
}

/** The function that reads a field for these offers. */
export function getNegotiator(
  dimension: Dimension,
  available: Available<string>,
  options?: OfferOptions,
): NegotiateHeader {
  const compiled =
    available instanceof CompiledOffers
      ? compileOwn(available, options)
      : compileOffers(dimension, toOfferList(available), options)
  const cached = compiled[dimension]
  if (cached) return cached
  const decide = memoize(compile(dimension, compiled.list, compiled.options))
  compiled[dimension] = decide
  return decide
}

function compileOwn(available: CompiledOffers<string>, options: OfferOptions | undefined): CompiledOffers<string> {
  if (options === undefined || options === available.options) return available
  throw new TypeError('negotiate: offers: options belong to offers(values, options), not to its use')
}

// An array may be changed after its first use, and a literal is a new array each time: the content decides. Mostly it
// is that of the last time; a key put together costs more than all the rest.
function compileOffers(
  dimension: Dimension,
  values: readonly string[],
  options: OfferOptions | undefined,
): CompiledOffers<string> {
  const last = latest[dimension]
  if (last && last.options === options && isSame(last.list, values)) return last
  const key = JSON.stringify([values, options])
  let compiled = byContent.get(key)
  if (compiled === undefined) {
    compiled = new CompiledOffers(values, options)
    if (byContent.size >= MAX_KNOWN) byContent.clear()
    byContent.set(key, compiled)
  }
  latest[dimension] = compiled
  return compiled
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}

function compile(dimension: Dimension, values: readonly string[], options: OfferOptions | undefined): NegotiateHeader {
  if (dimension === 'media') return compileMediaTypes(values, options as MediaTypeOptions)
  if (dimension === 'language') return compileLanguages(values, options as LanguageOptions)
  if (dimension === 'encoding') return compileEncodings(values, options as EncodingOptions)
  return compileCharsets(values, options as CharsetOptions)
}
