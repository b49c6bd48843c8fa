import { splitList } from '../../internal/list.ts'
import type { ServerResponse } from '../../internal/middleware.ts'
import { vary } from '../../internal/vary.ts'
import type { ErrorHeaders } from './http-error.ts'

// They describe the response that failed. Headers of CORS, correlation, rate limits, security and
// versions stay.
const CONTENT_HEADERS = [
  'Accept-Ranges',
  'Age',
  'Cache-Control',
  'Content-Digest',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Language',
  'Content-Length',
  'Content-Location',
  'Content-MD5',
  'Content-Range',
  'Content-Type',
  'Digest',
  'ETag',
  'Expires',
  'Last-Modified',
  'Location',
  'Pragma',
  'Repr-Digest',
  'Set-Cookie',
  'Trailer',
  'Transfer-Encoding',
]

/**
 * Removes the headers that describe the response that failed. Those of the connection and the
 * client stay.
 */
export function removeContentHeaders(res: ServerResponse): void {
  for (const name of CONTENT_HEADERS) res.removeHeader(name)
}

// They describe the body, which is created here: an error must not set them.
const OURS = new Set(['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'trailer', 'etag'])
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Sets the headers of an error. One that Node.js would reject, or that would split the response, is
 * omitted.
 */
export function setHeaders(res: ServerResponse, headers: ErrorHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!isSendable(name, value)) continue
    // Earlier middleware may have set Vary as well.
    if (name.toLowerCase() === 'vary') vary(res, ...splitList([value].flat().join()))
    else res.setHeader(name, value)
  }
}

/**
 * Whether an error may set a header: one that describes the body, or that the host would reject, is
 * not sent.
 */
export function isSendable(name: string, value: unknown): boolean {
  return NAME.test(name) && !OURS.has(name.toLowerCase()) && [value].flat().every(isHeaderValue)
}

/** Whether a value is a string that cannot split the response. */
export function isHeaderValue(value: unknown): value is string {
  return typeof value === 'string' && VALUE.test(value)
}
