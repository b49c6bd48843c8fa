import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { type AcceptItem, isBlank, parseAcceptList } from './accept-list.ts'
import { type MediaType, parseMediaType } from './media-type.ts'
import { findBest, type NegotiationResult, type TieBreaker, unmatched } from './offer-match.ts'
import { scoreOffer } from './score-offer.ts'

/** Options for `mediaType()` and its offers. */
export interface MediaTypeOptions {
  /** Who decides between types that the client prefers equally. @defaultValue 'server': the first offer */
  tieBreaker?: TieBreaker
  /** Ignores each item of the header that is outside the grammar, instead of reading it leniently. @defaultValue false */
  strict?: boolean
  /**
   * Parameters that a client may name although the offer does not have them. An offer that has one must still agree.
   * @defaultValue ['charset']: `application/json;charset=utf-8` accepts `application/json`
   */
  ignoreParameters?: readonly string[]
  /**
   * Other types that a client may accept instead: `{ 'application/hal+json': ['application/json'] }` sends HAL to a client
   * that accepts only JSON. @defaultValue {}
   */
  aliases?: Readonly<Record<string, readonly string[]>>
}

interface Offer extends MediaType {
  readonly wildcard: string
  readonly aliases: readonly string[]
}

// Breadths of a range, with room for more parameters than a field can hold.
const ANY = 10_000
const TYPE = 20_000
const ALIAS = 30_000
const EXACT = 40_000

const KNOWN = ['tieBreaker', 'strict', 'ignoreParameters', 'aliases']

/** Compiles offers into the function that reads `Accept` for them. Throws on what is no media type. */
export function compileMediaTypes<T extends string>(
  values: readonly T[],
  options: MediaTypeOptions = {},
): (field: string | undefined) => NegotiationResult<T> {
  assertKnownOptions('negotiate: mediaType', options, KNOWN)
  const { tieBreaker = 'server', strict = false, ignoreParameters = ['charset'], aliases = {} } = options
  const ignored = new Set(ignoreParameters.map((name) => name.toLowerCase()))
  const offers = values.map((value, index) => {
    const offer = toOffer(value, aliases)
    return { none: unmatched(value, index, 0), scoreOf: (range: AcceptItem) => match(offer, range, ignored) }
  })
  return (field) => {
    const ranges = field === undefined || isBlank(field) ? undefined : parseAcceptList(field, strict)
    const all = offers.map(({ none, scoreOf }) =>
      ranges === undefined ? { ...none, q: 1 } : scoreOffer(none, ranges, scoreOf, ALIAS),
    )
    return { best: findBest(all, tieBreaker), all }
  }
}

function toOffer(value: string, aliasesByType: Readonly<Record<string, readonly string[]>>): Offer {
  const type = parseMediaType(value)
  if (type === undefined)
    throw new TypeError(`negotiate: mediaType: an offer must be a media type, got ${inspectValue(value)}`)
  const aliases = Object.entries(aliasesByType)
    .filter(([name]) => name.toLowerCase() === type.essence)
    .flatMap(([, names]) => names.map((name) => name.toLowerCase()))
  return { ...type, wildcard: `${type.essence.slice(0, type.essence.indexOf('/'))}/*`, aliases }
}

/** 0 for a range that does not match; else how specific it is: by its breadth, then by its matching parameters. */
function match(offer: Offer, range: AcceptItem, ignored: ReadonlySet<string>): number {
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
