import type { OutgoingHttpHeaders } from 'node:http'
import { formatHttpDate } from '../../internal/date.ts'
import { splitList } from '../../internal/list.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { mergeVary } from '../../internal/vary.ts'
import { toMilliseconds } from './milliseconds.ts'
import type { NegotiationResult } from './offer-match.ts'
import type { Representation } from './representation.ts'

/** One answer on its way out. */
export interface OutgoingRepresentation {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly representation: Representation
  readonly status: number
  /** What the client says about codings. */
  readonly codings: NegotiationResult
  /** Whether the type and the status allow a coding: then the answer varies by `Accept-Encoding`. */
  readonly codable: boolean
  readonly fail: (error: unknown) => void
}

/** What headers are built from. A prepared representation has no response yet. */
export interface HeaderParts extends Pick<OutgoingRepresentation, 'representation' | 'codable'> {
  readonly res?: ServerResponse
}

const CONTENT_FIELD = /^content-(?:type|length|encoding|language|range)$/i
const VARY = /^vary$/i

/** The fields of an answer with content, but `Content-Length`. */
export function buildHeaders(exchange: HeaderParts, etag: string | undefined, coding: string): OutgoingHttpHeaders {
  const { type, language, lastModified } = exchange.representation
  const fields = commonFields(exchange, etag)
  if (type !== undefined) fields['Content-Type'] = type
  if (language !== undefined) fields['Content-Language'] = language
  if (coding !== 'identity') fields['Content-Encoding'] = coding
  if (lastModified !== undefined) fields['Last-Modified'] = formatHttpDate(toMilliseconds(lastModified))
  return fields
}

/** The fields of a 304: what the 200 would say about caching, and nothing about a content (RFC 9110 15.4.5). */
export function buildNotModifiedHeaders(exchange: HeaderParts, etag: string | undefined): OutgoingHttpHeaders {
  const { headers, lastModified } = exchange.representation
  const fields = commonFields(exchange, etag)
  for (const name in headers) if (CONTENT_FIELD.test(name)) delete fields[name]
  if (etag === undefined && lastModified !== undefined)
    fields['Last-Modified'] = formatHttpDate(toMilliseconds(lastModified))
  return fields
}

function commonFields(exchange: HeaderParts, etag: string | undefined): OutgoingHttpHeaders {
  const { headers, cacheControl } = exchange.representation
  // Copied at once: put together name by name, an object of so many names becomes a table, at fifty times the cost.
  const fields = { ...headers } as OutgoingHttpHeaders
  let vary = earlierVary(exchange)
  for (const name in headers) {
    if (name.length !== 4 || !VARY.test(name)) continue
    vary = mergeVary(vary, splitList(String(headers[name])))
    if (name !== 'Vary') delete fields[name]
  }
  vary = mergeVary(vary, getVaryNames(exchange))
  if (vary !== '') fields['Vary'] = vary
  if (etag !== undefined) fields['ETag'] = etag
  if (cacheControl !== undefined) fields['Cache-Control'] = cacheControl
  return fields
}

function earlierVary({ res }: HeaderParts): string {
  const vary = res?.getHeader('Vary')
  return Array.isArray(vary) ? vary.join(', ') : String(vary ?? '')
}

const CODED = ['Accept-Encoding']

function getVaryNames({ representation, codable }: HeaderParts): readonly string[] {
  const { vary } = representation
  if (!codable) return vary ?? []
  return vary ? [...vary, 'Accept-Encoding'] : CODED
}
