import cors from 'cors'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { requestStateOf } from '../engine/request-state.ts'
import type { FindRoute } from '../engine/route.ts'

const ALLOWED = [
  ...['Accept', 'Accept-Language', 'Accept-Version', 'API-Version', 'Authorization', 'Cache-Control', 'Content-Type'],
  ...['Content-Digest', 'Repr-Digest', 'Want-Content-Digest', 'Want-Repr-Digest'],
  ...['Idempotency-Key', 'If-Match', 'If-Modified-Since', 'If-None-Match', 'If-Unmodified-Since', 'Prefer'],
  ...['SOAPAction', 'traceparent', 'X-Correlation-ID'],
]

/**
 * What every response allows scripts of other origins: they may read all of it. `*` exposes every header because no
 * response allows credentials (Fetch, CORS protocol).
 */
export const CORS_FIELDS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': '*',
}

const SOAP_METHODS = ['GET', 'HEAD', 'POST']

/**
 * Responds to preflights with the methods of the path, without credentials and without counting. It runs before 503,
 * so that a browser app can read that response and its Retry-After. An unknown path gets 404 further on.
 */
export function crossOrigin(
  findRoute: FindRoute,
  soapPaths: Iterable<string>,
  stripVersion: (path: string) => string,
): Middleware {
  const soap = new Set(soapPaths)
  const findMethods = (path: string): readonly string[] | undefined => {
    if (soap.has(path)) return SOAP_METHODS
    const methods = findRoute(stripVersion(path))?.route.methods
    return methods && [...methods.keys()]
  }
  const preflight = cors((req, done) => {
    const methods = [...(findMethods(requestStateOf(req).path) ?? [])]
    done(null, { origin: '*', methods, allowedHeaders: ALLOWED, maxAge: 600 })
  })
  return (req, res, next) => {
    const { headers, method } = req
    if (method !== 'OPTIONS' || !headers.origin || !headers['access-control-request-method']) return next()
    const { headers: common, path } = requestStateOf(req)
    if (!findMethods(path)) return next()
    for (const [name, value] of Object.entries(common)) res.setHeader(name, value)
    res.setHeader('Cache-Control', 'no-store')
    res.setHeader('Vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers')
    preflight(req, res, next)
  }
}
