import { createArgumentError } from '../../internal/options.ts'
import { type AcceptItem, isBlank, type ParseAcceptOptions, parseAcceptList } from './accept-list.ts'
import { parseMediaType } from './media-type.ts'

/**
 * Parses `Accept` (RFC 9110 §12.5.1). Never throws: an item that is not a media range is omitted.
 * Returns `undefined` if every type is acceptable: the header is absent, empty, or exceeds the
 * limits.
 */
export function parseAccept(header: string | undefined, options?: ParseAcceptOptions): AcceptItem[] | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string') throw createArgumentError('negotiate: parseAccept', 'header', 'a string', header)
  if (isBlank(header)) return undefined
  return parseAcceptList(header, options)?.filter(isMediaRange)
}

// `*` is only a wildcard as a whole part, and never as the type before a subtype.
function isMediaRange({ name }: AcceptItem): boolean {
  return parseMediaType(name) !== undefined && (name === '*/*' || !name.startsWith('*/'))
}
