import type { Versioning } from '@svc/versioning'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { exchangeOf } from '../exchange.ts'

// For clients that ask for the versions: OPTIONS has them, and so do version errors. Everywhere else they are noise.
const DISCOVERY = ['API-Supported-Versions', 'API-Deprecated-Versions']

/** Adds the headers of the API version to those of the response. */
export function announceVersion(versions: Versioning): Middleware {
  const compiled = new WeakMap<object, Readonly<Record<string, string>>>()
  return (req, _res, next) => {
    const headers = versions.fieldsOf(req)
    if (req.method === 'OPTIONS') Object.assign(exchangeOf(req).fields, Object.fromEntries(headers))
    else Object.assign(exchangeOf(req).fields, withoutDiscovery(headers))
    next()
  }

  function withoutDiscovery(headers: ReturnType<Versioning['fieldsOf']>): Readonly<Record<string, string>> {
    const cached = compiled.get(headers)
    if (cached) return cached
    const own = Object.fromEntries(headers.filter(([name]) => !DISCOVERY.includes(name)))
    compiled.set(headers, own)
    return own
  }
}
