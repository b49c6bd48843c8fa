import { splitList } from '../../internal/list.ts'
import type { ServerResponse } from '../../internal/middleware.ts'
import { vary } from '../../internal/vary.ts'
import type { ErrorHeaders } from './http-error.ts'

// Headers about the content of the failed response. Headers of CORS, correlation, rate limits,
// security and versions stay.
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
 * Removes the headers about the content of the failed response. Those about the connection and the
 * client stay.
 */
export function removeContentHeaders(res: ServerResponse): void {
  for (const name of CONTENT_HEADERS) res.removeHeader(name)
}

// Headers about the body, which is created here. An error cannot set them.
const BODY_HEADERS = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'trailer',
  'etag',
])
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Sets the headers of an error, except those that `isSendable` rejects. */
export function setHeaders(res: ServerResponse, headers: ErrorHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!isSendable(name, value)) continue
    // Earlier middleware may have set Vary, too.
    if (name.toLowerCase() === 'vary') vary(res, ...splitList([value].flat().join()))
    else res.setHeader(name, value)
  }
}

/**
 * Whether an error may set a header. False for a header about the body, and for one that Node.js
 * would reject or that would split the response.
 */
export function isSendable(name: string, value: unknown): boolean {
  return NAME.test(name) && !BODY_HEADERS.has(name.toLowerCase()) && [value].flat().every(isHeaderValue)
}

/** Whether a value is a string that cannot split the response. */
export function isHeaderValue(value: unknown): value is string {
  return typeof value === 'string' && VALUE.test(value)
}
