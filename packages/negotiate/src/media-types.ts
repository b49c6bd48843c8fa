import { refuseUnknown, shown } from '../../internal/options.ts'
import { type MediaRange, parseAccept } from './accept.ts'
import { bestOf, type Choice, type Tie, unmatched, type Verdict } from './choice.ts'
import { type MediaType, parseMediaType } from './media-type.ts'

export interface MediaTypeOptions {
  /** Who decides between types that the client likes equally. @defaultValue 'server': the first offer */
  tie?: Tie
  /** Leaves out every member of the field that is outside the grammar, instead of reading it with good will. @defaultValue false */
  strict?: boolean
  /**
   * Parameters that a client may name although the offer does not have them. An offer that has one must still agree.
   * @defaultValue ['charset']: `application/json;charset=utf-8` accepts `application/json`
   */
  ignoreParameters?: readonly string[]
  /**
   * What else satisfies a range: `{ 'application/hal+json': ['application/json'] }` sends HAL to a client that
   * accepts JSON alone. No standard knows this, so nothing is in it unless you put it there. @defaultValue {}
   */
  alsoMatches?: Readonly<Record<string, readonly string[]>>
}

interface Offer<T> extends MediaType {
  readonly value: T
  readonly wildcard: string
  readonly aliases: readonly string[]
}

const KNOWN = ['tie', 'strict', 'ignoreParameters', 'alsoMatches']

/** Compiles offers into the function that reads `Accept` for them. Throws on what is no media type. */
export function compileMediaTypes<T extends string>(
  values: readonly T[],
  options: MediaTypeOptions = {},
): (field: string | undefined) => Verdict<T> {
  refuseUnknown('mediaType', options, KNOWN)
  const { tie = 'server', strict = false, ignoreParameters = ['charset'], alsoMatches = {} } = options
  const ignored = new Set(ignoreParameters.map((name) => name.toLowerCase()))
  const offers = values.map((value) => offerOf(value, alsoMatches))
  return (field) => {
    const ranges = parseAccept(field, strict)
    const all = offers.map((offer, index) =>
      ranges === undefined ? unmatched(offer.value, index, 1) : judge(offer, index, ranges, ignored),
    )
    return { best: bestOf(all, tie), all }
  }
}

function offerOf<T extends string>(value: T, alsoMatches: Readonly<Record<string, readonly string[]>>): Offer<T> {
  const type = parseMediaType(value)
  if (type === undefined) throw new TypeError(`mediaType: an offer must be a media type, got ${shown(value)}`)
  const aliases = Object.entries(alsoMatches)
    .filter(([name]) => name.toLowerCase() === type.essence)
    .flatMap(([, names]) => names.map((name) => name.toLowerCase()))
  return { ...type, value, wildcard: `${type.essence.slice(0, type.essence.indexOf('/'))}/*`, aliases }
}

// Specificity: breadth first, then whether the range names the type itself (not an alias), then matching parameters.
function judge<T extends string>(
  offer: Offer<T>,
  index: number,
  ranges: readonly MediaRange[],
  ignored: ReadonlySet<string>,
): Choice<T> {
  let decisive: MediaRange | undefined
  let specificity = 0
  let order = -1
  for (let at = 0; at < ranges.length; at++) {
    const range = ranges[at] as MediaRange
    const score = match(offer, range, ignored)
    if (score === 0 || score < specificity) continue
    if (score === specificity && range.q <= (decisive?.q ?? 0)) continue
    decisive = range
    specificity = score
    order = at
  }
  if (decisive === undefined) return unmatched(offer.value, index, 0)
  const { q, text: range, parameters, breadth } = decisive
  return { value: offer.value, index, q: q / 1000, explicit: breadth === 3, range, order, specificity, parameters }
}

function match(offer: Offer<string>, range: MediaRange, ignored: ReadonlySet<string>): number {
  let score = 0
  if (range.breadth === 1) score = 1000
  else if (range.breadth === 2) score = range.essence === offer.wildcard ? 2000 : 0
  else if (range.essence === offer.essence) score = 4000
  else if (offer.aliases.includes(range.essence)) score = 3000
  if (score === 0 || range.parameters.size === 0) return score
  for (const [name, value] of range.parameters) {
    const own = offer.parameters.get(name)
    if (own === value) score++
    else if (own !== undefined || !(ignored.has(name) || range.extensions?.has(name))) return 0
  }
  return score
}
