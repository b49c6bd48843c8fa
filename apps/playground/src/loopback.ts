import { type Middleware, requestStateOf } from '../../reference-server/src/index.ts'
import { playFailure } from './failure.ts'

const ADDRESS = /^(?:127\.|::1$|::ffff:127\.)/
const HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i

/** Lets nobody but this machine see what is below /_demo. The host is looked at too: a name can be made to point here. */
export function loopbackOnly(): Middleware {
  return (req, _res, next) => {
    if (!/^(?:\/v\d+)?\/_demo(?:\/|$)/.test(requestStateOf(req).path)) return next()
    const isNear = ADDRESS.test(req.socket.remoteAddress ?? '') && HOST.test(req.headers.host ?? '')
    if (isNear) return next()
    next(playFailure(403, 'error.local', { code: 'FORBIDDEN' }))
  }
}
