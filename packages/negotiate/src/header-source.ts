/** What a header field can be read from: its value, or anything with `headers` (node:http, Express, Koa, Fetch). */
export type HeaderSource =
  | string
  | null
  | undefined
  | { readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> }
  | { readonly headers: { get(name: string): string | null } }

/** One field of a source: `name` in lower case, repeated fields joined (RFC 9110 5.3), `undefined` when absent. */
export function readHeader(source: HeaderSource, name: string): string | undefined {
  if (typeof source === 'string') return source
  if (source === null || source === undefined) return undefined
  const { headers } = source
  if (hasGetter(headers)) return headers.get(name) ?? undefined
  const value = headers[name]
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}

// A client may send a field called `get`: then it is a string.
function hasGetter(headers: object): headers is { get(name: string): string | null } {
  return 'get' in headers && typeof headers.get === 'function'
}
