import { splitList } from '../../internal/list.ts'
import { canonical } from './encodings.ts'

/** No honest client codes a body more often than this. */
export const MAX_LAYERS = 2

/** Codings of a body in the order in which they were applied; `identity` is none (RFC 9110 8.4). */
export function parseContentEncoding(contentEncoding: string | undefined): string[] {
  if (contentEncoding === undefined) return []
  return splitList(contentEncoding)
    .map((name) => canonical(name.toLowerCase()))
    .filter((name) => name !== 'identity')
}
