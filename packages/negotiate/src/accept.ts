import { type AcceptItem, isBlank, parseAcceptList } from './accept-list.ts'
import { parseMediaType } from './media-type.ts'

/**
 * Reads `Accept` (RFC 9110 12.5.1). Never throws: what is no media range is left out. `undefined` when there is
 * nothing to obey: the field is absent, empty, or over the limits.
 */
export function parseAccept(field: string | undefined, strict = false): AcceptItem[] | undefined {
  if (field === undefined || isBlank(field)) return undefined
  return parseAcceptList(field, strict)?.filter(isMediaRange)
}

// `*` is a wildcard of a whole part alone, and never of the type before a subtype.
function isMediaRange({ name }: AcceptItem): boolean {
  return parseMediaType(name) !== undefined && (name === '*/*' || !name.startsWith('*/'))
}
