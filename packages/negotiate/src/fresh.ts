import { parseHttpDate } from '../../internal/date.ts'
import type { ConditionalHeaders } from './conditional-headers.ts'
import { evaluatePreconditions } from './evaluate-preconditions.ts'
import { type FetchHeaders, getValue, type HeaderRecord } from './header-source.ts'

/** Headers as `res.getHeader()` returns them, by their names in lower case. */
type ResponseHeaders = Readonly<Record<string, string | number | readonly string[] | null | undefined>>

/**
 * The interface of the package fresh: whether the client can reuse its stored response. A request
 * with `Cache-Control: no-cache` is never fresh. The docs list where results differ.
 */
export function fresh(
  reqHeaders: ConditionalHeaders | FetchHeaders,
  resHeaders: ResponseHeaders | FetchHeaders,
): boolean {
  const request = reqHeaders as HeaderRecord
  const response = resHeaders as HeaderRecord
  const cacheControl = getValue(request, 'cache-control')
  if (cacheControl !== undefined && /(?:^|,)[\t ]*no-cache[\t ]*(?:,|$)/.test(cacheControl)) return false
  const date = getValue(response, 'last-modified')
  const state = {
    etag: getValue(response, 'etag') || undefined,
    lastModified: date === undefined ? undefined : parseHttpDate(date),
  }
  const conditions = {
    'if-none-match': getValue(request, 'if-none-match'),
    'if-modified-since': getValue(request, 'if-modified-since'),
  }
  return evaluatePreconditions('GET', conditions, state) === 'not-modified'
}

export { fresh as default }
