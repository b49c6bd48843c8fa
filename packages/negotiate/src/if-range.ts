import { parseHttpDate } from '../../internal/date.ts'
import { getHeader, type IncomingMessage } from '../../internal/middleware.ts'
import { parseEntityTag } from './parse-etags.ts'

/**
 * Takes `Range` away where `If-Range` can never hold: by a weak tag, or by what is neither a tag nor a date
 * (RFC 9110 13.1.5). Handlers that send files compare weakly, and would send a part of another file.
 */
export function ignoreFutileRange(req: IncomingMessage): void {
  const ifRange = getHeader(req, 'if-range')
  if (ifRange === undefined) return
  const tag = parseEntityTag(ifRange)
  const canHold = tag ? !tag.weak : parseHttpDate(ifRange) !== undefined
  if (!canHold) delete req.headers.range
}
