import { sendRepresentation } from '@svc/negotiate'
import { versioning } from '@svc/versioning'
import { type Middleware, requestStateOf } from '../../reference-server/src/index.ts'

const BASE = '/play/lifecycle'

/**
 * Serves two versions on paths of their own, `/play/lifecycle/v1/` and `/v2/`, of which the first
 * is deprecated. The playground shows the end of a version there, since no version of the service
 * itself is deprecated by default.
 */
export function lifecycle(): Middleware {
  const versions = versioning({
    versions: ['1', '2'],
    sources: ['path'],
    basePath: BASE,
    headers: 'none',
    deprecated: { 1: { since: new Date('2026-09-01T00:00:00Z'), sunset: new Date('2028-12-01T00:00:00Z') } },
  })
  return (req, res, next) => {
    const { path, headers } = requestStateOf(req)
    const [, version] = /^\/play\/lifecycle\/v([12])\/$/.exec(path) ?? []
    if (version === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return next()
    req.url = `/v${version}/`
    versions(req, res, (error) => {
      if (error !== undefined) return next(error)
      const all = { ...headers, ...versions.headersFor(req) }
      const body = JSON.stringify({ version: Number(version) })
      sendRepresentation(req, res, { type: 'application/json', body, headers: all, cacheControl: 'no-store' }, next)
    })
  }
}
