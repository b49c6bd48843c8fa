import { BODY_HEADERS } from '../../internal/body-headers.ts'
import { memoize } from '../../internal/memoize.ts'
import type { ServerResponse } from '../../internal/middleware.ts'
import { addVary, type HeaderTarget } from './header-list.ts'
import type { ErrorHeaders } from './http-error.ts'

// Headers about the content of the failed response. Headers of CORS, correlation, rate limits,
// security and versions stay.
const CONTENT_HEADERS = new Set([
  ...BODY_HEADERS,
  'accept-ranges',
  'age',
  'content-digest',
  'content-disposition',
  'content-language',
  'content-location',
  'content-md5',
  'content-range',
  'digest',
  'expires',
  'last-modified',
  'location',
  'pragma',
  'repr-digest',
  'set-cookie',
  'surrogate-control',
])

/**
 * Removes the headers about the content of the failed response. Those about the connection and the
 * client stay.
 */
export function removeContentHeaders(res: ServerResponse, names: readonly string[]): void {
  // A field such as CDN-Cache-Control overrides Cache-Control (RFC 9213 §2.2).
  for (const name of names) if (CONTENT_HEADERS.has(name) || name.endsWith('cache-control')) res.removeHeader(name)
}

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Sets the headers of an error, except those that `isSendable` rejects. */
export function setHeaders(target: HeaderTarget, headers: ErrorHeaders): void {
  for (const name of Object.keys(headers)) {
    const key = getSendableKey(name)
    const value = headers[name]
    if (key === undefined || value === undefined || !isSendableValue(value)) continue
    if (key === 'vary') addVary(target, value)
    else target.setHeader(name, value, key)
  }
}

/**
 * Whether an error may set a header. False for a header about the body, and for one that Node.js
 * would reject or that would split the response.
 */
export function isSendable(name: string, value: unknown): boolean {
  return getSendableKey(name) !== undefined && isSendableValue(value)
}

/** Returns a name in lower case; `undefined` if an error may not set this header. */
const getSendableKey: (name: string) => string | undefined = memoize((name: string) => {
  const key = name.toLowerCase()
  return NAME.test(name) && !BODY_HEADERS.includes(key) ? key : undefined
})

/** Whether a value is one or several strings that cannot split the response. */
function isSendableValue(value: unknown): boolean {
  return typeof value === 'string' ? VALUE.test(value) : [value].flat().every(isHeaderValue)
}

/** Whether a value is a string that cannot split the response. */
export function isHeaderValue(value: unknown): value is string {
  return typeof value === 'string' && VALUE.test(value)
}
