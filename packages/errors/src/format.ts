import { parseWeightedList, type WeightedItem } from './weighted-list.ts'

/** The formats in which an error can be sent. */
export type Format = 'json' | 'problem+json' | 'problem+xml' | 'xml' | 'html' | 'text'

interface FormatOffer {
  format: Format
  type: string
  /** Whether the client must name the type. With a wildcard it expects JSON. */
  named?: boolean
}

// In order of preference: problem documents, which the client must name, come before JSON.
const OFFERS: readonly FormatOffer[] = [
  { format: 'problem+json', type: 'application/problem+json', named: true },
  { format: 'problem+xml', type: 'application/problem+xml', named: true },
  { format: 'json', type: 'application/json' },
  { format: 'xml', type: 'application/xml' },
  { format: 'xml', type: 'text/xml', named: true },
  { format: 'html', type: 'text/html' },
  { format: 'text', type: 'text/plain' },
]

interface MediaRange {
  type: string
  /** Specificity: 3 for a type, 2 with unsupported parameters, 1 for `type/*`, 0 for any type. */
  rank: number
  quality: number
}

/**
 * Selects the format of an error by `Accept`: the offer with the highest quality by its most
 * specific range (RFC 9110 §12.5.1). Falls back to JSON if no format is acceptable. A client that
 * prefers HTML gets JSON if there are no pages, not the format that browsers list after HTML.
 */
export function selectFormat(accept: string | undefined, hasPages: boolean): Format {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json') return 'json'
  const ranges = (parseWeightedList(accept) ?? []).map(toMediaRange).filter((range) => range !== undefined)
  let best: Format = 'json'
  let bestQuality = 0
  for (const { format, type, named } of OFFERS) {
    if (format === 'html' && !hasPages && !ranges.some((range) => range.type === type)) continue
    const quality = getQuality(type, ranges, named)
    if (quality <= bestQuality) continue
    best = format
    bestQuality = quality
  }
  return best === 'html' && !hasPages ? 'json' : best
}

function getQuality(type: string, ranges: readonly MediaRange[], named = false): number {
  const group = `${type.slice(0, type.indexOf('/'))}/*`
  let rank = -1
  let quality = 0
  for (const range of ranges) {
    if (range.type !== type && (named || (range.type !== group && range.type !== '*/*'))) continue
    if (range.rank < rank || (range.rank === rank && range.quality <= quality)) continue
    rank = range.rank
    quality = range.quality
  }
  return quality
}

function toMediaRange({ value: type, parameters, quality }: WeightedItem): MediaRange | undefined {
  const slash = type.indexOf('/')
  if (slash < 1 || (type.startsWith('*/') && type !== '*/*')) return undefined
  const isPlain = parameters.every((parameter) => /^charset[\t ]*=/i.test(parameter))
  const rank = type === '*/*' ? 0 : type.endsWith('/*') ? 1 : isPlain ? 3 : 2
  return { type, rank, quality }
}
