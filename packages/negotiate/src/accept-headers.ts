/**
 * The fields that tell which bodies a resource takes, for its answer to OPTIONS and for a 415: `Accept-Post`,
 * `Accept-Patch` (RFC 5789 3.1) and `Accept-Query` (RFC 10008 3). Keys are methods; others than these have no field.
 */
export function acceptHeaders(types: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  const fields: Record<string, string> = {}
  const { POST, PATCH, QUERY } = types
  if (POST) fields['Accept-Post'] = POST.join(', ')
  if (PATCH) fields['Accept-Patch'] = PATCH.join(', ')
  if (QUERY) fields['Accept-Query'] = QUERY.map(structured).join(', ')
  return fields
}

/** A media type as a member of a structured list: a string, its parameters as parameters (RFC 9651 3.1). */
function structured(type: string): string {
  const end = type.indexOf(';')
  const name = end === -1 ? type : type.slice(0, end)
  return `"${name.trim().replace(/["\\]/g, '\\$&')}"${end === -1 ? '' : type.slice(end)}`
}
