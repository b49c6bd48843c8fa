/** Result of matching one offer with a header. */
export interface OfferMatch<T extends string = string> {
  /** The offer, as it was given. */
  readonly value: T
  /** Its place among the offers. */
  readonly index: number
  /** Its quality, 0 to 1; 0 means that the client does not accept it. */
  readonly q: number
  /** True when the client named it, false when only a wildcard or nothing at all speaks for it. */
  readonly explicit: boolean
  /** The member of the field that decided, as the client wrote it; `undefined` when no member matches. */
  readonly range: string | undefined
  /** Where that member stands in the field; -1 when no member matches. */
  readonly order: number
  /** How exactly that member names the offer: higher wins (RFC 9110 12.5.1). */
  readonly specificity: number
  /** The parameters of that member but `q`. */
  readonly parameters: ReadonlyMap<string, string>
}

/** Result of matching all offers with a header. */
export interface NegotiationResult<T extends string = string> {
  /** The chosen offer; `undefined` when none is acceptable. */
  readonly best: OfferMatch<T> | undefined
  /** Every offer, in the order of the server. */
  readonly all: readonly OfferMatch<T>[]
}

/** Who decides between offers that the client likes equally. */
export type TieBreaker = 'server' | 'client'

/** Shared by all choices without parameters. */
export const NO_PARAMETERS: ReadonlyMap<string, string> = new Map()

/** An offer that no member of the field speaks about. */
export function unmatched<T extends string>(value: T, index: number, q: number): OfferMatch<T> {
  return { value, index, q, explicit: false, range: undefined, order: -1, specificity: 0, parameters: NO_PARAMETERS }
}

/** The acceptable offer with the highest quality; of equals the first, or with `tieBreaker: 'client'` the one named best. */
export function findBest<T extends string>(
  choices: readonly OfferMatch<T>[],
  tieBreaker: TieBreaker,
): OfferMatch<T> | undefined {
  let best: OfferMatch<T> | undefined
  for (const choice of choices) {
    if (choice.q === 0) continue
    if (best === undefined || choice.q > best.q) best = choice
    else if (tieBreaker === 'client' && choice.q === best.q && byClient(choice, best) < 0) best = choice
  }
  return best
}

/** Orders like the client: the more exactly named first, then as the field lists them, then as the server does. */
export function byClient(a: OfferMatch, b: OfferMatch): number {
  return b.specificity - a.specificity || a.order - b.order || a.index - b.index
}
