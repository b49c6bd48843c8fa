import { assertTypes, inspectValue } from '../../internal/options.ts'

/**
 * Returns the headers that list the accepted body types, for a response to OPTIONS or a 415:
 * `Accept-Post`, `Accept-Patch` (RFC 5789 §3.1) and `Accept-Query` (RFC 10008 §3). Keys are
 * methods; other methods have no such header.
 */
export function acceptHeaders(types: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  if (typeof types !== 'object' || types === null)
    throw new TypeError(`negotiate: acceptHeaders: types must be an object, got ${inspectValue(types)}`)
  assertTypes('negotiate: acceptHeaders', types, { POST: 'strings', PATCH: 'strings', QUERY: 'strings' })
  const headers: Record<string, string> = {}
  const { POST, PATCH, QUERY } = types
  if (POST) headers['Accept-Post'] = POST.join(', ')
  if (PATCH) headers['Accept-Patch'] = PATCH.join(', ')
  if (QUERY) headers['Accept-Query'] = QUERY.map(formatStructuredItem).join(', ')
  return headers
}

/**
 * Formats a media type as an item of a structured list: a string with parameters (RFC 9651 §3.1).
 */
function formatStructuredItem(type: string): string {
  const end = type.indexOf(';')
  const name = end === -1 ? type : type.slice(0, end)
  return `"${name.trim().replace(/["\\]/g, '\\$&')}"${end === -1 ? '' : type.slice(end)}`
}
