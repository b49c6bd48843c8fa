import { parseHttpDate } from '../../internal/date.ts'
import { getHeader, type IncomingMessage } from '../../internal/middleware.ts'
import { parseETag } from './parse-etags.ts'

/**
 * Removes `Range` if `If-Range` can never match: a weak ETag, or neither an ETag nor a date (RFC
 * 9110 §13.1.5). Handlers that send files compare weakly, and would send a part of another file.
 * With `isEncoded` the client may hold a compressed response, which has the same date.
 */
export function dropFutileRange(req: IncomingMessage, isEncoded: boolean): void {
  const ifRange = getHeader(req, 'if-range')
  if (ifRange === undefined) return
  const tag = parseETag(ifRange)
  const canMatch = tag ? !tag.weak : !isEncoded && parseHttpDate(ifRange) !== undefined
  if (!canMatch) delete req.headers.range
}
