import type { Versioning } from '@svc/versioning'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { exchangeOf } from '../exchange.ts'

/** Adds the headers of the API version. Only OPTIONS and version errors list all versions: elsewhere they are noise. */
export function announceVersion(versions: Versioning): Middleware {
  return (req, _res, next) => {
    Object.assign(exchangeOf(req).fields, versions.headersFor(req, req.method === 'OPTIONS' ? 'all' : 'minimal'))
    next()
  }
}
