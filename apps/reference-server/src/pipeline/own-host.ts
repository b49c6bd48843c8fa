import { httpError } from '@svc/errors'
import type { Middleware } from '../../../../packages/internal/middleware.ts'

export interface OwnHostRules {
  /** Where the service listens. */
  host: string
  publicUrl: string
  trustProxy: readonly string[]
}

const LOOPBACK = /^(?:localhost|(?:[a-z0-9-]+\.)*localhost\.?|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/i

/**
 * On loopback, refuses requests to a name that is not ours (421): a page of another site whose name was made to point
 * here (DNS rebinding) would otherwise read answers as of its own origin. A trusted proxy has looked at the name itself.
 */
export function ownHost({ host, publicUrl, trustProxy }: OwnHostRules): Middleware {
  if (!LOOPBACK.test(host) || trustProxy.length > 0) return (_req, _res, next) => next()
  const own = publicUrl === '' ? undefined : new URL(publicUrl).hostname.toLowerCase()
  return (req, _res, next) => {
    const name = (req.headers.host ?? '').replace(/:\d*$/, '').toLowerCase()
    if (name === '' || LOOPBACK.test(name) || name === own) return next()
    next(httpError(421, 'This service does not answer for that host.', { code: 'MISDIRECTED_REQUEST' }))
  }
}
