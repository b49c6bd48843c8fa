import type { IncomingMessage } from 'node:http'
import { type Middleware, requestStateOf } from '../../reference-server/src/index.ts'
import { playFailure } from './failure.ts'

const ADDRESS = /^(?:127\.|::1$|::ffff:127\.)/
const HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i
const PROXY = /^(?:(?:x-)?forwarded(?:-.*)?|x-real-ip|via)$/

/** Rejects requests below /_demo that are not from this host or from its own pages. */
export function loopbackOnly(): Middleware {
  return (req, _res, next) => {
    if (!/^(?:\/v\d+)?\/_demo(?:\/|$)/.test(requestStateOf(req).path) || isFromHere(req)) return next()
    next(playFailure(403, 'error.local', { code: 'FORBIDDEN' }))
  }
}

/**
 * Any name can point to this address, so `Host` is checked too. Pages of other sites send their
 * `Origin`, and a proxy on this host adds its headers to requests from elsewhere.
 */
function isFromHere({ socket, headers }: IncomingMessage): boolean {
  const { host = '', origin } = headers
  if (!ADDRESS.test(socket.remoteAddress ?? '') || !HOST.test(host)) return false
  if (origin !== undefined && URL.parse(origin)?.host !== host.toLowerCase()) return false
  return !Object.keys(headers).some((name) => PROXY.test(name))
}
