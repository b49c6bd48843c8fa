import { inspectValue } from '../../internal/options.ts'
import { type AcceptItem, isBlank, parseAcceptList } from './accept-list.ts'
import { type MediaType, parseMediaType } from './media-type.ts'
import { assertOfferOptions, findBest, type NegotiationResult, type TieBreaker, unmatched } from './offer-match.ts'
import { scoreOffer } from './score-offer.ts'

/** Options for `mediaType()` and its offers. */
export interface MediaTypeOptions {
  /**
   * Decides between types that the client prefers equally: the order of the offers or of the
   * header.
   * @defaultValue 'server'
   */
  tieBreaker?: TieBreaker
  /**
   * Whether to ignore items of the header that are outside the grammar, instead of reading them
   * leniently.
   * @defaultValue false
   */
  strict?: boolean
  /**
   * Parameters that a client may request although the offer does not have them. If the offer has
   * one, the values must be equal.
   * @defaultValue ['charset']: `application/json;charset=utf-8` accepts `application/json`
   */
  ignoreParameters?: readonly string[]
  /**
   * Other types that a client may accept instead: with
   * `{ 'application/hal+json': ['application/json'] }` a client that only accepts JSON gets HAL.
   * @defaultValue {}
   */
  aliases?: Readonly<Record<string, readonly string[]>>
}

interface MediaTypeOffer extends MediaType {
  readonly wildcard: string
  readonly aliases: readonly string[]
}

// Scores of a range by its specificity, with room for more parameters than a header can have.
const ANY = 10_000
const TYPE = 20_000
const ALIAS = 30_000
const EXACT = 40_000

const OPTIONS = ['tieBreaker', 'strict', 'ignoreParameters', 'aliases']

/**
 * Compiles media types into the function that negotiates by `Accept`. Throws a `TypeError` if an
 * offer is not a media type.
 */
export function compileMediaTypes<T extends string>(
  values: readonly T[],
  options: MediaTypeOptions = {},
): (header: string | undefined) => NegotiationResult<T> {
  assertOfferOptions('negotiate: mediaType', options, OPTIONS)
  const { tieBreaker = 'server', ignoreParameters = ['charset'], aliases = {} } = options
  const ignored = new Set(ignoreParameters.map((name) => name.toLowerCase()))
  const offers = values.map((value, index) => {
    const offer = toOffer(value, aliases)
    return { base: unmatched(value, index, 0), score: (range: AcceptItem) => scoreRange(offer, range, ignored) }
  })
  return (header) => {
    const ranges = header === undefined || isBlank(header) ? undefined : parseAcceptList(header, options)
    const all = offers.map(({ base, score }) =>
      ranges === undefined ? { ...base, q: 1 } : scoreOffer(base, ranges, score, ALIAS),
    )
    return { best: findBest(all, tieBreaker), all }
  }
}

function toOffer(value: string, aliasesByType: Readonly<Record<string, readonly string[]>>): MediaTypeOffer {
  const type = parseMediaType(value)
  if (type === undefined)
    throw new TypeError(`negotiate: mediaType: an offer must be a media type, got ${inspectValue(value)}`)
  const aliases = Object.entries(aliasesByType)
    .filter(([name]) => name.toLowerCase() === type.essence)
    .flatMap(([, names]) => names.map((name) => name.toLowerCase()))
  return { ...type, wildcard: `${type.essence.slice(0, type.essence.indexOf('/'))}/*`, aliases }
}

/**
 * Returns 0 for a range that does not match, else its specificity: first by its form, then by its
 * parameters.
 */
function scoreRange(offer: MediaTypeOffer, range: AcceptItem, ignored: ReadonlySet<string>): number {
  const { name, parameters, extensions } = range
  let score = 0
  if (name === offer.essence) score = EXACT
  else if (name === offer.wildcard) score = TYPE
  else if (name === '*/*') score = ANY
  else if (offer.aliases.length > 0 && offer.aliases.includes(name)) score = ALIAS
  if (score === 0 || parameters.size === 0) return score
  for (const [parameter, value] of parameters) {
    const offered = offer.parameters.get(parameter)
    if (offered === value) score++
    else if (offered !== undefined || !(ignored.has(parameter) || extensions?.has(parameter))) return 0
  }
  return score
}
