import type { Stage } from '../engine/request-state.ts'
import type { FindRoute } from '../engine/route.ts'
import { compileStripVersion } from '../engine/versions.ts'

const ALLOWED_HEADERS = [
  'Accept',
  'Accept-Language',
  'Accept-Version',
  'API-Version',
  'Authorization',
  'Cache-Control',
  'Content-Encoding',
  'Content-Type',
  'Content-Digest',
  'Repr-Digest',
  'Want-Content-Digest',
  'Want-Repr-Digest',
  'Idempotency-Key',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Unmodified-Since',
  'Prefer',
  'SOAPAction',
  'traceparent',
  'tracestate',
  'X-Correlation-ID',
]

const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Headers': ALLOWED_HEADERS.join(','),
  'Access-Control-Max-Age': '600',
  'Cache-Control': 'no-store',
  Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
}

const SOAP_METHODS = ['GET', 'HEAD', 'POST']

/**
 * Responds to preflights with the methods of the path, without credentials and without counting. It
 * runs before 503, so that a browser app can read that response and its Retry-After. An unknown
 * path gets 404 further on.
 */
export function preflight(
  findRoute: FindRoute,
  soapPaths: { has(path: string): boolean },
  versions: readonly string[],
): Stage {
  const stripVersion = compileStripVersion(versions)
  return ({ method, path, req: { headers } }) => {
    if (method !== 'OPTIONS' || !headers.origin || !headers['access-control-request-method']) return undefined
    const methods = soapPaths.has(path) ? SOAP_METHODS : findRoute(stripVersion(path))?.route.methods.keys()
    if (!methods) return undefined
    return { status: 204, headers: { ...PREFLIGHT_HEADERS, 'Access-Control-Allow-Methods': [...methods].join(',') } }
  }
}
