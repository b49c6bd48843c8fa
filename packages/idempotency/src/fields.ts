import type { ServerResponse } from '../../internal/middleware.ts'
import type { StoredResponse } from './response.ts'

/** The response fields that are kept by default: those that tell of the answer, not of the connection or the moment. */
export const STORED_FIELDS: readonly string[] = [
  'Content-Type',
  'Content-Language',
  'Content-Location',
  'Content-Disposition',
  'Location',
  'ETag',
  'Last-Modified',
  'Link',
  'Cache-Control',
  'Deprecation',
  'Sunset',
  'API-Version',
]

/** The fields of a response that are to be kept, as they are just before it is sent. */
export function pickFields(res: ServerResponse, names: readonly string[]): StoredResponse['fields'] {
  const fields: (readonly [string, string | readonly string[]])[] = []
  for (const name of names) {
    const value = res.getHeader(name)
    if (value !== undefined) fields.push([name, typeof value === 'number' ? String(value) : value])
  }
  return fields
}
