import { readWeighted, type Weighted } from './weight.ts'

/** The formats in which an error can be sent. */
export type Format = 'json' | 'problem+json' | 'problem+xml' | 'xml' | 'html' | 'text'

interface Offer {
  format: Format
  type: string
  /**
   * Problem documents are sent only to clients that name them; clients with a wildcard expect JSON.
   */
  named?: boolean
}

// In order of preference: problem documents, which the client named, come before JSON.
const OFFERS: readonly Offer[] = [
  { format: 'problem+json', type: 'application/problem+json', named: true },
  { format: 'problem+xml', type: 'application/problem+xml', named: true },
  { format: 'json', type: 'application/json' },
  { format: 'xml', type: 'application/xml' },
  { format: 'xml', type: 'text/xml', named: true },
  { format: 'html', type: 'text/html' },
  { format: 'text', type: 'text/plain' },
]

interface Range {
  type: string
  /**
   * Specificity: 3 for a type, 2 for a type with unsupported parameters, 1 for `type/*`, 0 for
   * everything.
   */
  rank: number
  quality: number
}

/**
 * Selects the format of an error by Accept (RFC 9110 §12.5.1): the offer with the highest quality
 * by its most specific range. An error is sent as JSON if no format is acceptable. A client that
 * prefers HTML gets JSON if there are no pages, and not the format that a browser lists after HTML.
 */
export function formatFor(accept: string | undefined, pages: boolean): Format {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json') return 'json'
  const ranges = (readWeighted(accept) ?? []).map(readRange).filter((range) => range !== undefined)
  let best: Format = 'json'
  let bestQuality = 0
  for (const { format, type, named } of OFFERS) {
    if (format === 'html' && !pages && !ranges.some((range) => range.type === type)) continue
    const quality = getQuality(type, ranges, named)
    if (quality <= bestQuality) continue
    best = format
    bestQuality = quality
  }
  return best === 'html' && !pages ? 'json' : best
}

function getQuality(type: string, ranges: readonly Range[], named = false): number {
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

function readRange({ value: type, parameters, quality }: Weighted): Range | undefined {
  const slash = type.indexOf('/')
  if (slash < 1 || (type.startsWith('*/') && type !== '*/*')) return undefined
  const bare = parameters.every((parameter) => /^charset[\t ]*=/i.test(parameter))
  const rank = type === '*/*' ? 0 : type.endsWith('/*') ? 1 : bare ? 3 : 2
  return { type, rank, quality }
}
