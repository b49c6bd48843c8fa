import { splitList } from '../../internal/list.ts'
import type { ServerResponse } from '../../internal/middleware.ts'
import { vary } from '../../internal/vary.ts'
import type { ErrorHeaders } from './http-error.ts'

// What was said of the answer that failed. CORS, correlation, rate limit, security, version fields stay.
const OF_THE_FAILED_ANSWER = [
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

/** Takes back what was said of the answer that failed, and nothing that is said of the connection or the client. */
export function clean(res: ServerResponse): void {
  for (const name of OF_THE_FAILED_ANSWER) res.removeHeader(name)
}

// What describes the body is ours to say, whatever the error thinks of it.
const OURS = new Set(['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'trailer', 'etag'])
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Sets the fields that an error brings. One that would be refused by node, or would split the answer, is left out. */
export function setFields(res: ServerResponse, headers: ErrorHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name) || OURS.has(name.toLowerCase())) continue
    const values = Array.isArray(value) ? value : [value]
    if (!values.every((item) => typeof item === 'string' && VALUE.test(item))) continue
    // What earlier parts of the pipeline varied by still holds.
    if (name.toLowerCase() === 'vary') vary(res, ...splitList(values.join()))
    else res.setHeader(name, value)
  }
}
