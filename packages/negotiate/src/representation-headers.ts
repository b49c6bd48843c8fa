import type { OutgoingHttpHeaders } from 'node:http'
import { splitList } from '../../internal/list.ts'
import { memoize } from '../../internal/memoize.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { mergeVary } from '../../internal/vary.ts'
import type { NegotiationResult } from './offer-match.ts'
import type { Representation } from './representation.ts'
import { formatLastModified } from './validators.ts'

/** A representation on its way to the client. */
export interface OutgoingRepresentation {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly representation: Representation
  readonly status: number
  /** Result of negotiating `Accept-Encoding`. */
  readonly encodings: NegotiationResult
  /**
   * Whether the type and the status allow compression. The response then varies by
   * `Accept-Encoding`.
   */
  readonly isCompressible: boolean
  readonly fail: (error: unknown) => void
}

/** The input of a header section. A prepared representation has no response yet. */
export interface HeaderParts extends Pick<OutgoingRepresentation, 'representation' | 'isCompressible'> {
  readonly res?: ServerResponse
}

// An app has few lists of them.
const mergeNames = memoize((list: string) => mergeVary('', splitList(list)))

const CONTENT_HEADER = /^(?:content-(?:type|length|encoding|language|range|digest|md5)|digest)$/i
const FRAMING_HEADER = /^(?:content-length|transfer-encoding)$/i
export const VARY = /^vary$/i

const OWN_HEADERS = ['Content-Type', 'Content-Language', 'Content-Encoding', 'Last-Modified', 'ETag', 'Cache-Control']
/** Names of the headers that a representation may set itself, by these names in lower case. */
const USUAL_NAMES: ReadonlyMap<string, string> = new Map(OWN_HEADERS.map((name) => [name.toLowerCase(), name]))
/** Their lengths, which exclude most names before they are put in lower case. */
const OWN_LENGTHS = new Set(OWN_HEADERS.map(({ length }) => length))

/**
 * Builds the headers of a response with content, except `Content-Length`. That of the app is kept
 * only for a stream that is sent unchanged, since no other length is known.
 */
export function buildHeaders(
  parts: HeaderParts,
  etag: string | undefined,
  encoding: string,
  keepsLength = false,
): OutgoingHttpHeaders {
  const { type, language, lastModified } = parts.representation
  const result = buildCommonHeaders(parts, etag, keepsLength)
  if (type !== undefined) result['Content-Type'] = type
  if (language !== undefined) result['Content-Language'] = language
  if (encoding !== 'identity') result['Content-Encoding'] = encoding
  if (lastModified !== undefined) result['Last-Modified'] = formatLastModified(lastModified)
  return result
}

/**
 * Builds the headers of a 304: those of the 200 about caching, and none about content (RFC 9110
 * §15.4.5).
 */
export function buildNotModifiedHeaders(parts: HeaderParts, etag: string | undefined): OutgoingHttpHeaders {
  const { lastModified } = parts.representation
  const result = buildCommonHeaders(parts, etag, false)
  for (const name in result) if (isContentHeader(name)) delete result[name]
  if (etag === undefined && lastModified !== undefined) result['Last-Modified'] = formatLastModified(lastModified)
  return result
}

/** Whether a header is about the size of the message: one of 14 or 17 characters. */
export function isFramingHeader(name: string): boolean {
  return FRAMING_HEADER.test(name)
}

/** Whether a header is about the content, which a 304 does not have. */
export function isContentHeader(name: string): boolean {
  return CONTENT_HEADER.test(name)
}

function buildCommonHeaders(parts: HeaderParts, etag: string | undefined, keepsLength: boolean): OutgoingHttpHeaders {
  const { res, representation, isCompressible } = parts
  const { headers, cacheControl } = representation
  // Copied with a spread: an object that grows name by name becomes a dictionary, which is 50 times
  // slower.
  const result = { ...headers } as OutgoingHttpHeaders
  const earlier = res?.getHeader('vary')
  let vary = Array.isArray(earlier) ? earlier.join(', ') : String(earlier ?? '')
  for (const name in headers) {
    const { length } = name
    if ((length === 14 || length === 17) && !keepsLength && isFramingHeader(name)) delete result[name]
    const usualName = OWN_LENGTHS.has(length) ? USUAL_NAMES.get(name.toLowerCase()) : undefined
    if (usualName !== undefined && usualName !== name) {
      result[usualName] = result[name]
      delete result[name]
    }
    if (length !== 4 || !VARY.test(name)) continue
    vary = `${vary}, ${headers[name]}`
    if (name !== 'Vary') delete result[name]
  }
  if (representation.vary) vary = `${vary}, ${representation.vary.join(', ')}`
  if (isCompressible) vary = `${vary}, Accept-Encoding`
  const merged = vary === '' ? '' : mergeNames(vary)
  if (merged !== '') result['Vary'] = merged
  if (etag !== undefined) result['ETag'] = etag
  if (cacheControl !== undefined) result['Cache-Control'] = cacheControl
  return result
}
