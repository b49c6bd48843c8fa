import { assertLowerCase, type FetchHeaders, getValue } from './header-source.ts'

/** The conditional headers of a request, by their names in lower case, such as `req.headers`. */
export interface ConditionalHeaders {
  /** `If-Match` (RFC 9110 §13.1.1). */
  readonly 'if-match'?: string | undefined
  /** `If-Unmodified-Since` (RFC 9110 §13.1.4). */
  readonly 'if-unmodified-since'?: string | undefined
  /** `If-None-Match` (RFC 9110 §13.1.2). */
  readonly 'if-none-match'?: string | undefined
  /** `If-Modified-Since` (RFC 9110 §13.1.3). */
  readonly 'if-modified-since'?: string | undefined
  /** `If-Range` (RFC 9110 §13.1.5). */
  readonly 'if-range'?: string | undefined
  /** `Range` (RFC 9110 §14.2). */
  readonly range?: string | undefined
}

const NAMES = ['if-match', 'if-unmodified-since', 'if-none-match', 'if-modified-since', 'if-range', 'range'] as const

const USUAL_NAMES = ['If-Match', 'If-None-Match', 'If-Unmodified-Since']

/**
 * Returns the conditional headers of node:http or Fetch. Throws a `TypeError` for any other value.
 */
export function toConditionalHeaders(headers: ConditionalHeaders | FetchHeaders): ConditionalHeaders {
  if (typeof headers === 'object' && headers !== null && !Array.isArray(headers) && !('get' in headers)) {
    // Names that are constants cost a fraction of a loop over names.
    if ('If-Match' in headers || 'If-None-Match' in headers || 'If-Unmodified-Since' in headers)
      assertLowerCase(headers, USUAL_NAMES)
    return headers
  }
  const values: Record<string, string | undefined> = {}
  for (const name of NAMES) values[name] = getValue(headers as FetchHeaders, name)
  return values
}

/** Whether a request has any condition. */
export function isConditional(headers: ConditionalHeaders): boolean {
  return (
    headers['if-none-match'] !== undefined ||
    headers['if-modified-since'] !== undefined ||
    headers['if-match'] !== undefined ||
    headers['if-unmodified-since'] !== undefined
  )
}

/** Pattern of the end of an ETag that names the encoding of its variant. */
export const ENCODING_SUFFIX = '\\.(?:br|zstd|gzip|deflate)'

/** Whether a method selects no representation, so that it has no conditions (RFC 9110 §13.2.1). */
export function ignoresConditions(method: string | undefined): boolean {
  return method === 'OPTIONS' || method === 'CONNECT' || method === 'TRACE'
}

/**
 * Whether a method reads a representation, so that it may get 304 (RFC 9110 §13.1.2, RFC 10008
 * §2.6).
 */
export function isReadMethod(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'QUERY'
}
