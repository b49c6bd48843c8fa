import { BlockList, isIPv6 } from 'node:net'
import { httpError } from '@svc/errors'
import type { IncomingMessage, Middleware } from '../../../../packages/internal/middleware.ts'
import { answerMoved } from './moved.ts'

export interface HttpsRules {
  publicUrl: string
  trustProxy: readonly string[]
}

const MAX_KNOWN = 1000

/** Refuses plain HTTP, but on loopback and behind a trusted proxy that has HTTPS on its other side. */
export function https({ publicUrl, trustProxy }: HttpsRules): Middleware {
  const loopback = networksOf(['127.0.0.0/8', '::1'])
  const proxies = networksOf(trustProxy.map((entry) => (entry === 'loopback' ? '127.0.0.0/8' : entry)))
  const target = publicUrl.startsWith('https:') ? publicUrl : undefined
  return (req, res, next) => {
    const peer = req.socket.remoteAddress ?? ''
    if (isEncrypted(req)) return next()
    if (proxies(peer) && req.headers['x-forwarded-proto'] !== undefined) {
      if (req.headers['x-forwarded-proto'] === 'https') return next()
    } else if (loopback(peer) || peer === '') return next()
    if (target === undefined) return next(httpError(403, 'This service needs HTTPS.', { code: 'HTTPS_REQUIRED' }))
    answerMoved(req, res, target + (req.url ?? '/'))
  }
}

function isEncrypted(req: IncomingMessage): boolean {
  return 'encrypted' in req.socket && req.socket.encrypted === true
}

function networksOf(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  const known = new Map<string, boolean>()
  return (address) => {
    const before = known.get(address)
    if (before !== undefined) return before
    const plain = address.replace(/^::ffff:/, '')
    const isIn = list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
    if (known.size < MAX_KNOWN) known.set(address, isIn)
    return isIn
  }
}
