import cors from 'cors'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { exchangeOf } from '../exchange.ts'
import type { FindRoute } from '../resource/route.ts'

const ALLOWED = [
  ...['Accept', 'Accept-Language', 'Accept-Version', 'API-Version', 'Authorization', 'Cache-Control', 'Content-Type'],
  ...['Content-Digest', 'Repr-Digest', 'Want-Content-Digest', 'Want-Repr-Digest'],
  ...['Idempotency-Key', 'If-Match', 'If-Modified-Since', 'If-None-Match', 'If-Unmodified-Since', 'Prefer'],
  ...['SOAPAction', 'traceparent', 'X-Correlation-ID'],
]

const EXPOSED = [
  ...['Location', 'Link', 'ETag', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-RateLimit-Limit'],
  ...['X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Correlation-ID', 'API-Version', 'Deprecation', 'Sunset'],
  ...[
    'Idempotent-Replayed',
    'Idempotent-Original-Correlation-ID',
    'Preference-Applied',
    'Content-Digest',
    'Repr-Digest',
    'Allow',
    'Accept-Patch',
    'Accept-Post',
  ],
]

/** What every answer says to scripts of other origins: they may read it, and send no cookies, of which there are none. */
export const CORS_FIELDS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED.join(', '),
}

/** Answers preflights: what may be done at this path, without credentials and uncounted. */
export function crossOrigin(findRoute: FindRoute): Middleware {
  const preflight = cors((req, done) => {
    const { path } = exchangeOf(req)
    const methods = findRoute(path.replace(/^\/v\d+(?=\/)/, ''))?.route.methods.keys() ?? ['POST']
    done(null, { origin: '*', methods: [...methods], allowedHeaders: ALLOWED, maxAge: 600 })
  })
  return (req, res, next) => {
    const { origin } = req.headers
    if (req.method !== 'OPTIONS' || !origin || !req.headers['access-control-request-method']) return next()
    for (const [name, value] of Object.entries(exchangeOf(req).fields)) res.setHeader(name, value)
    res.setHeader('Cache-Control', 'no-store')
    res.setHeader('Vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers')
    preflight(req, res, next)
  }
}
