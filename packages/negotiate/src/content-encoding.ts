import { splitList } from '../../internal/list.ts'
import { normalizeEncoding } from './encodings.ts'

/** No legitimate client compresses a body more often than this. */
export const MAX_LAYERS = 2

/**
 * Parses `Content-Encoding` into the encodings in the order in which they were applied, without
 * `identity` (RFC 9110 §8.4).
 */
export function parseContentEncoding(contentEncoding: string | undefined): string[] {
  if (contentEncoding === undefined) return []
  return splitList(contentEncoding)
    .map((name) => normalizeEncoding(name.toLowerCase()))
    .filter((name) => name !== 'identity')
}
