import { hash } from 'node:crypto'
import { createArgumentError } from '../../internal/options.ts'
import { canonicalJson } from './canonical-json.ts'
import { removeBoundary } from './multipart.ts'

/** Parts of a request that are compared. */
export interface FingerprintInput {
  /** The HTTP method. */
  method: string
  /** Path and query as sent by the client. */
  target: string
  /**
   * Content-Type. Only type and subtype are compared; the boundary of a multipart body is ignored.
   */
  contentType?: string | undefined
  /** The body, as bytes or a string, without compression. */
  body?: Uint8Array | string | undefined
  /** API version of the request, if its path does not contain it. */
  version?: string | undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Returns a SHA-256 (hex) of method, path, query, media type, body and version. JSON is compared in
 * its canonical form (RFC 8785): white space, the order of properties and the notation of numbers
 * do not matter. Neither does the boundary of a multipart body, which clients create for each
 * attempt. Throws a `TypeError` if the method, target or body has another type, such as a parsed
 * body.
 */
export function createFingerprint(input: FingerprintInput): string {
  if (typeof input !== 'object' || input === null)
    throw createArgumentError('idempotency: createFingerprint', 'input', 'an object', input)
  const { method, target, contentType = '', body = '', version } = input
  if (typeof method !== 'string')
    throw createArgumentError('idempotency: createFingerprint', 'method', 'a string', method)
  if (typeof target !== 'string')
    throw createArgumentError('idempotency: createFingerprint', 'target', 'a string', target)
  if (typeof contentType !== 'string')
    throw createArgumentError('idempotency: createFingerprint', 'contentType', 'a string', contentType)
  if (typeof body !== 'string' && !ArrayBuffer.isView(body))
    throw createArgumentError('idempotency: createFingerprint', 'body', 'a string or bytes', body)
  const query = target.indexOf('?')
  const path = query === -1 ? target : target.slice(0, query)
  const sorted = query === -1 ? '' : sortQuery(target.slice(query + 1))
  const semicolon = contentType.indexOf(';')
  const essence = (semicolon === -1 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase()
  let comparable = body
  // RFC 6839 §3.1
  if (essence === 'application/json' || essence.endsWith('+json')) comparable = toCanonical(body)
  else if (essence.startsWith('multipart/')) comparable = removeBoundary(body, contentType)
  const digest = hash('sha256', comparable)
  const suffix = version === undefined ? '' : `\n${version}`
  return hash('sha256', `${method}\n${path}\n${sorted}\n${essence}\n${digest}${suffix}`)
}

// The order of values of one name matters; the order of names does not.
function sortQuery(query: string): string {
  if (!query.includes('&')) return query
  const pairs = query.split('&').map((pair) => ({ pair, name: pair.split('=', 1)[0] ?? '' }))
  pairs.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return pairs.map(({ pair }) => pair).join('&')
}

// A body that is not I-JSON (RFC 7493) has no canonical form: its bytes are compared.
function toCanonical(body: Uint8Array | string): Uint8Array | string {
  if (body.length === 0) return body
  try {
    return canonicalJson(typeof body === 'string' ? body : decoder.decode(body)) ?? body
  } catch {
    return body
  }
}
