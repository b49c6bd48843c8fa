import type { OutgoingHttpHeaders } from 'node:http'
import { formatHttpDate } from '../../internal/date.ts'
import { splitList } from '../../internal/list.ts'
import { mergeVary } from '../../internal/vary.ts'
import type { Exchange } from './represent.ts'

const CONTENT_FIELD = /^content-(?:type|length|encoding|language|range)$/i
const VARY = /^vary$/i
const CODED = ['Accept-Encoding']

/** The fields of an answer with content, but `Content-Length`. */
export function fieldsOf(exchange: Exchange, etag: string | undefined, coding: string): OutgoingHttpHeaders {
  const { type, language, lastModified } = exchange.representation
  const fields = commonFields(exchange, etag, true)
  if (type !== undefined) fields['Content-Type'] = type
  if (language !== undefined) fields['Content-Language'] = language
  if (coding !== 'identity') fields['Content-Encoding'] = coding
  if (lastModified !== undefined) fields['Last-Modified'] = formatHttpDate(lastModified)
  return fields
}

/** The fields of a 304: what the 200 would say about caching, and nothing about a content (RFC 9110 15.4.5). */
export function fieldsOfNotModified(exchange: Exchange, etag: string | undefined): OutgoingHttpHeaders {
  const { lastModified } = exchange.representation
  const fields = commonFields(exchange, etag, false)
  if (etag === undefined && lastModified !== undefined) fields['Last-Modified'] = formatHttpDate(lastModified)
  return fields
}

function commonFields(exchange: Exchange, etag: string | undefined, hasContent: boolean): OutgoingHttpHeaders {
  const { headers, cacheControl } = exchange.representation
  const fields: OutgoingHttpHeaders = {}
  let vary = earlierVary(exchange)
  for (const name of Object.keys(headers ?? {})) {
    const value = headers?.[name]
    if (value === undefined || (!hasContent && CONTENT_FIELD.test(name))) continue
    if (VARY.test(name)) vary = mergeVary(vary, splitList(String(value)))
    else fields[name] = typeof value === 'object' ? [...value] : value
  }
  if (exchange.representation.vary) vary = mergeVary(vary, exchange.representation.vary)
  if (exchange.codable) vary = mergeVary(vary, CODED)
  if (vary !== '') fields['Vary'] = vary
  if (etag !== undefined) fields['ETag'] = etag
  if (cacheControl !== undefined) fields['Cache-Control'] = cacheControl
  return fields
}

function earlierVary({ res }: Exchange): string {
  const vary = res.getHeader('Vary')
  return Array.isArray(vary) ? vary.join(', ') : String(vary ?? '')
}
