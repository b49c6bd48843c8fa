import { inspectValue } from '../../internal/options.ts'

/** The headers of node:http, by their names in lower case. */
export type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>

/** The `Headers` of Fetch. */
export interface FetchHeaders {
  /** Returns the value of a header, by its name in any case. */
  get(name: string): string | null
}

/** Headers of node:http or Fetch. */
export type HeadersLike = HeaderRecord | FetchHeaders

/** A header value, `Headers`, or a request of node:http, Express, Koa or Fetch. */
export type HeaderSource = string | null | undefined | { readonly headers: HeadersLike } | FetchHeaders

/**
 * Returns a header of a source, by its name in lower case. Repeated headers are joined (RFC 9110
 * §5.3).
 */
export function readHeader(source: HeaderSource, name: string): string | undefined {
  if (typeof source === 'string') return source
  if (source === null || source === undefined) return undefined
  if (typeof source === 'object' && 'headers' in source) return getValue(source.headers, name)
  return getValue(source as FetchHeaders, name)
}

/**
 * Returns a header. Throws a `TypeError` for anything but headers, since a check without headers
 * would pass.
 */
export function getValue(headers: HeadersLike, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    throw new TypeError(`negotiate: headers must be those of node:http or Fetch, got ${inspectValue(headers)}`)
  if ('get' in headers && isFetchHeaders(headers)) return headers.get(name) ?? undefined
  const value = headers[name]
  return typeof value === 'string' || value === undefined ? value : [value].flat().join(', ')
}

/**
 * Throws if a record has headers by their usual names, such as the event of a serverless function:
 * a check that does not see them would pass.
 */
export function assertLowerCase(headers: object, names: readonly string[]): void {
  for (const name of names)
    if (Object.hasOwn(headers, name))
      throw new TypeError(`negotiate: names of headers must be in lower case, got ${inspectValue(name)}`)
}

// A client may send a header named `get`; its value is a string.
function isFetchHeaders(headers: object): headers is FetchHeaders {
  return 'get' in headers && typeof headers.get === 'function'
}
