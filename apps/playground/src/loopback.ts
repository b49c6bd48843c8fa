import { type Middleware, requestStateOf } from '../../reference-server/src/index.ts'
import { playFailure } from './failure.ts'

const ADDRESS = /^(?:127\.|::1$|::ffff:127\.)/
const HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i

/**
 * Rejects requests below /_demo that are not from this host. `Host` is checked too: any name can
 * point to this address.
 */
export function loopbackOnly(): Middleware {
  return (req, _res, next) => {
    if (!/^(?:\/v\d+)?\/_demo(?:\/|$)/.test(requestStateOf(req).path)) return next()
    const isNear = ADDRESS.test(req.socket.remoteAddress ?? '') && HOST.test(req.headers.host ?? '')
    if (isNear) return next()
    next(playFailure(403, 'error.local', { code: 'FORBIDDEN' }))
  }
}
