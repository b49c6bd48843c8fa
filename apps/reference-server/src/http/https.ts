import type { IncomingMessage, Middleware } from '../../../../packages/internal/middleware.ts'
import { failure } from '../messages/errors.ts'
import { answerMoved } from './moved.ts'
import { networksOf } from './networks.ts'

export interface HttpsRules {
  publicUrl: string
  trustProxy: readonly string[]
}

/** Refuses plain HTTP, but on loopback and behind a trusted proxy that has HTTPS on its other side. */
export function https({ publicUrl, trustProxy }: HttpsRules): Middleware {
  const loopback = networksOf(['loopback'])
  const proxies = networksOf(trustProxy)
  const target = publicUrl.startsWith('https:') ? publicUrl : undefined
  return (req, res, next) => {
    const peer = req.socket.remoteAddress ?? ''
    if (isEncrypted(req)) return next()
    if (proxies(peer) && req.headers['x-forwarded-proto'] !== undefined) {
      if (req.headers['x-forwarded-proto'] === 'https') return next()
    } else if (loopback(peer) || peer === '') return next()
    if (target === undefined) return next(failure('HTTPS_REQUIRED'))
    answerMoved(req, res, target + (req.url ?? '/'))
  }
}

function isEncrypted(req: IncomingMessage): boolean {
  return 'encrypted' in req.socket && req.socket.encrypted === true
}
