import { parseHttpDate } from '../../internal/date.ts'
import type { ConditionalHeaders } from './conditional-headers.ts'
import { evaluatePreconditions } from './evaluate-preconditions.ts'
import { type FetchHeaders, getValue, type HeaderRecord, type HeadersLike } from './header-source.ts'

/**
 * The interface of the package fresh: whether the client can reuse its stored response. A request
 * with `Cache-Control: no-cache` is never fresh. The docs list where results differ.
 */
export function fresh(reqHeaders: ConditionalHeaders | FetchHeaders, resHeaders: HeadersLike): boolean {
  const cacheControl = getValue(reqHeaders as HeaderRecord, 'cache-control')
  if (cacheControl !== undefined && /(?:^|,)[\t ]*no-cache[\t ]*(?:,|$)/.test(cacheControl)) return false
  const date = getValue(resHeaders, 'last-modified')
  const state = {
    etag: getValue(resHeaders, 'etag'),
    lastModified: date === undefined ? undefined : parseHttpDate(date),
  }
  return evaluatePreconditions('GET', reqHeaders, state) === 'not-modified'
}

export { fresh as default }
