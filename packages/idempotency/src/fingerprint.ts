import { hash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import { withoutBoundary } from './multipart.ts'

/** The parts of a request that make it the same as another one. */
export interface FingerprintInput {
  /** The HTTP method. */
  method: string
  /** Path and query as the client sent them. */
  target: string
  /** The Content-Type field; of it, type and subtype alone count, and the boundary of a multipart body is left out of it. */
  contentType?: string | undefined
  /** The body's bytes, or text. */
  body?: Uint8Array | string | undefined
  /** The version of the interface that the request is meant for, where one is known apart from the path. */
  version?: string | undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * SHA-256 (hex) of what makes two requests the same: method, path, query by name, media type, body and version.
 * JSON counts by its canonical form (RFC 8785): white space, order of members and spelling of numbers do not matter. Of a
 * multipart body the boundary does not, which clients make anew for each attempt.
 */
export function createFingerprint({ method, target, contentType = '', body = '', version }: FingerprintInput): string {
  const query = target.indexOf('?')
  const path = query === -1 ? target : target.slice(0, query)
  const sorted = query === -1 ? '' : sortQuery(target.slice(query + 1))
  const essence = getEssence(contentType)
  const digest = hash('sha256', comparable(body, essence, contentType))
  const suffix = version === undefined ? '' : `\n${version}`
  return hash('sha256', `${method}\n${path}\n${sorted}\n${essence}\n${digest}${suffix}`)
}

/** Type and subtype of a media type, in lower case, without parameters. */
export function getEssence(contentType: string): string {
  const semicolon = contentType.indexOf(';')
  return (semicolon === -1 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase()
}

/** Whether a media type is JSON or built on it (RFC 6839 3.1). */
export function isJson(essence: string): boolean {
  return essence === 'application/json' || essence.endsWith('+json')
}

function comparable(body: Uint8Array | string, essence: string, contentType: string): Uint8Array | string {
  if (isJson(essence)) return canonicalBody(body)
  return essence.startsWith('multipart/') ? withoutBoundary(body, contentType) : body
}

// The order of values of one name has a meaning; the order of names has none.
function sortQuery(query: string): string {
  if (!query.includes('&')) return query
  const pairs = query.split('&').map((pair) => ({ pair, name: pair.split('=', 1)[0] ?? '' }))
  pairs.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return pairs.map(({ pair }) => pair).join('&')
}

// What is no I-JSON has no canonical form (RFC 7493): its bytes count as they are.
function canonicalBody(body: Uint8Array | string): Uint8Array | string {
  if (body.length === 0) return body
  try {
    return canonicalJson(typeof body === 'string' ? body : decoder.decode(body)) ?? body
  } catch {
    return body
  }
}
