import type { IncomingMessage } from 'node:http'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { failure } from '../messages/errors.ts'
import { hostName, isLoopbackName } from '../security/origin.ts'
import { networksOf } from './networks.ts'

export interface OwnHostRules {
  /** Where the service listens. */
  host: string
  publicUrl: string
  trustProxy: readonly string[]
}

/**
 * Refuses requests to a name that is not ours (421): a page of another site whose name was made to point here (DNS
 * rebinding) would otherwise read answers as of its own origin. On loopback that goes for every request, elsewhere for
 * what a trusted proxy forwards to a service that knows its name by SVC_PUBLIC_URL.
 */
export function ownHost({ host, publicUrl, trustProxy }: OwnHostRules): Middleware {
  const isLocal = isLoopbackName(host)
  const own = publicUrl === '' ? undefined : new URL(publicUrl).hostname.toLowerCase()
  const isProxy = networksOf(trustProxy)
  const isOwn = (field: string | undefined): boolean => {
    const name = hostName(field)
    return name === '' || name === own || isLoopbackName(name)
  }
  if (!isLocal && (own === undefined || trustProxy.length === 0)) return (_req, _res, next) => next()
  return (req, _res, next) => {
    const isForwarded = isProxy(req.socket.remoteAddress ?? '')
    const isRefused = (isLocal || isForwarded) && !isOwn(req.headers.host)
    if (!isRefused && (!isForwarded || isOwn(forwardedHost(req)))) return next()
    next(failure('MISDIRECTED_REQUEST'))
  }
}

function forwardedHost({ headers }: IncomingMessage): string | undefined {
  return headers['x-forwarded-host']?.toString().split(',')[0]?.trim()
}
